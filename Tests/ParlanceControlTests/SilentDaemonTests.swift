import NIOCore
import NIOEmbedded
import ParlanceWaiting
import Synchronization
import Testing

@testable import ParlanceControl

/// A daemon that takes connections and requests, and answers nothing.
@Suite(.timeLimit(.minutes(30))) struct SilentDaemonTests {
    private let channel = EmbeddedChannel()
    private let calls = PendingCalls(path: "/run/it")
    private let answers = Answers()

    private final class Answers: Sendable {
        let codes = Mutex<[String]>([])
    }

    init() { calls.opened(channel) }

    private func ask(_ method: String) {
        calls.send(method: method, params: nil) { [answers] result in
            let code = if case .failure(let failure) = result { failure.code } else { "answered" }
            answers.codes.withLock { $0.append(code) }
        }
    }

    /// What is said when the daemon has said nothing.
    private var codes: [String] { answers.codes.withLock { $0 } }

    /// The methods that were asked for since the last time, with their numbers.
    private func asked() throws -> [(id: Int64, method: String)] {
        channel.embeddedEventLoop.run()
        var requests: [(Int64, String)] = []
        while var bytes = try channel.readOutbound(as: ByteBuffer.self) {
            let text = bytes.readString(length: bytes.readableBytes) ?? ""
            for line in text.split(separator: "\n") {
                let json = try JSONParser.parse(Array(line.utf8))
                guard case .integer(let id) = json["id"], let method = json["method"]?.text else {
                    Issue.record("a request without an ID: \(line)")
                    continue
                }
                requests.append((id, method))
            }
        }
        return requests
    }

    private func answer(_ id: Int64) {
        calls.received(Array(#"{"jsonrpc":"2.0","id":\#(id),"result":{}}"#.utf8))
    }

    private func pass(_ milliseconds: Int64) {
        channel.embeddedEventLoop.advanceTime(by: .milliseconds(milliseconds))
    }

    @Test func whatADaemonThatHangsLeavesUnansweredFails() throws {
        ask("status")
        #expect(try asked().map(\.method) == ["language", "status"])
        pass(ControlLimits.daemonSilentMilliseconds - 1)
        #expect(codes == [])
        pass(1)
        #expect(codes == ["daemonSilent"])
        #expect(calls.failure == .daemonSilent("/run/it"))
        #expect(ControlFailure.daemonSilent("/run/it").exitCode == 2)
        ask("status")
        #expect(codes == ["daemonSilent", "daemonSilent"])
    }

    /// An answer that takes long is waited for as long as the daemon answers greetings.
    @Test func aLongAnswerIsWaitedFor() throws {
        ask("ask")
        var waits = try asked()
        for _ in 1...20 {
            let greeting = try #require(waits.first { $0.method == "language" })
            answer(greeting.id)
            pass(ControlLimits.daemonSilentMilliseconds)
            #expect(codes == [])
            waits = try asked()
        }
        // It hangs in the middle of it.
        pass(ControlLimits.daemonSilentMilliseconds)
        #expect(codes == ["daemonSilent"])
    }

    /// Nothing goes on while nobody waits; the next request begins it again.
    @Test func whoWaitsForNothingAsksNothing() throws {
        ask("status")
        for request in try asked() { answer(request.id) }
        #expect(codes == ["answered"])
        pass(ControlLimits.daemonSilentMilliseconds * 100)
        #expect(try asked().isEmpty)
        ask("send")
        #expect(try asked().map(\.method) == ["language", "send"])
        pass(ControlLimits.daemonSilentMilliseconds)
        #expect(codes == ["answered", "daemonSilent"])
    }
}
