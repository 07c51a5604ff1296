import Foundation
import ParlanceControl
import ParlanceWaiting
import Testing

extension AssistantProgramTests {
    /// The embedding model, where only one member has got it.
    @Suite struct AssistantModelTests {
        /// The file as pip saves it.
        private static let wheel: String? = {
            guard let folder = ProcessInfo.processInfo.environment["PARLANCE_MODEL"] else { return nil }
            let names = try? FileManager.default.contentsOfDirectory(atPath: folder)
            return names?.first { $0.hasSuffix(".whl") }.map { "\(folder)/\($0)" }
        }()

        /// Bob sends it as a file, and Ada installs what she has fetched. Bob's copy that lacks its end is refused.
        @Test(.enabled(if: wheel != nil, "needs PARLANCE_MODEL, a folder with the model as pip saves it"))
        func aMemberSendsTheModel() async throws {
            let wheel = try #require(Self.wheel)
            try await Lab.run(limit: .seconds(120)) { lab in
                let pair = try await Pair.meeting(in: lab)
                let name = URL(fileURLWithPath: wheel).lastPathComponent
                try await run(pair.bob, "send", "Ada", "--file", wheel)
                try await pair.bob.deliversAll()
                let fetched = try await run(pair.ada, "fetch", "last", "--to", lab.folder.path)
                let path = lab.folder.appending(path: name).path
                #expect(fetched.contains("Saved: ") && fetched.contains(name), "\(fetched)")

                let early = try await pair.ada.parlance("assistant", "model", path)
                #expect(early.code != 0 && early.errors.contains("parlance assistant on"), "\(early)")
                try await run(pair.ada, "assistant", "on")
                let half = lab.folder.appending(path: "half.whl").path
                try Data(contentsOf: URL(fileURLWithPath: path)).prefix(40 << 20).write(to: URL(fileURLWithPath: half))
                let refused = try await pair.ada.parlance("assistant", "model", half)
                #expect(refused.code != 0, "\(refused)")
                try await run(pair.ada, "assistant", "model", path)

                // The file is not needed any more.
                try FileManager.default.removeItem(atPath: path)
                try await pair.bob.send("The ferry leaves at nine.", to: "Ada")
                try await eventually("it is found by its meaning", within: .seconds(20)) {
                    let reply = try await pair.ada.ask(AskOperation(question: "ship departure time", limit: 1))
                    return reply.model == .miniLM && reply.sources.first?.excerpt == "The ferry leaves at nine."
                }
            }
        }

        /// - Returns: what the command prints.
        @discardableResult
        private func run(_ node: LabNode, _ arguments: String...) async throws -> String {
            let outcome = try await node.parlance(arguments)
            #expect(outcome.code == 0, "\(arguments): \(outcome)")
            return outcome.output
        }
    }
}
