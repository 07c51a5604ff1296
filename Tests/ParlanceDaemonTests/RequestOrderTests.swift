import Foundation
import ParlanceControl
import Testing

extension ProgramTests {
    /// The requests of one connection take effect in their order (control.md), whatever each of them waits for.
    @Suite struct RequestOrderTests {
        @Test func whatFollowsInOnePipelineFindsWhatCameBefore() async throws {
            try await Lab.run { lab in
                let pair = try await Pair.meeting(in: lab)
                let socket = try RawSocket.connected(toPath: pair.ada.socketPath)
                let rounds = 40
                // "block" awaits what the node answers; a text is sent without a task.
                let lines = (1...rounds).flatMap { round in
                    [
                        #"{"jsonrpc":"2.0","method":"block","params":{"who":"Bob"}}"#,
                        #"{"jsonrpc":"2.0","id":\#(2 * round),"method":"send","params":{"who":"Bob","text":"no"}}"#,
                        #"{"jsonrpc":"2.0","method":"unblock","params":{"who":"Bob"}}"#,
                        #"{"jsonrpc":"2.0","id":\#(2 * round + 1),"method":"send","params":{"who":"Bob","text":"yes"}}"#,
                    ]
                }
                socket.send(Array(lines.joined(separator: "\n").utf8) + [UInt8(ascii: "\n")])
                let bytes = try await socket.receive("all are answered", within: .seconds(60)) { bytes in
                    bytes.count { $0 == UInt8(ascii: "\n") } == 2 * rounds
                }
                let answers = try bytes.split(separator: UInt8(ascii: "\n")).map { line in
                    try JSONDecoder().decode(Answer.self, from: Data(line))
                }
                for answer in answers {
                    #expect(answer.error?.data.code == (answer.id.isMultiple(of: 2) ? "blocked" : nil), "\(answer)")
                }
            }
        }

        private struct Answer: Decodable {
            struct Failure: Decodable {
                struct Details: Decodable { var code: String }
                var data: Details
            }
            var id: Int
            var error: Failure?
        }
    }
}
