import Foundation
import ParlanceControl
import ParlanceWaiting
import Testing

extension AssistantProgramTests {
    /// The assistant of a node that has a network and a way out of it.
    @Suite(.enabled(if: TwoHosts.areAllowed, "this machine does not let us make network namespaces"))
    struct AssistantPacketTests {
        private static let model = ProcessInfo.processInfo.environment["PARLANCE_MODEL"]

        private static let texts = [
            "Please order the pump filters by Friday.", "Agreed, we go with the blue paint.",
            "The ferry to Sylt leaves at nine from pier three.", "See https://example.com/ and mail ada@example.org.",
        ]
        private static let commands = [
            ["assistant"], ["ask", "When does the ferry leave?"], ["ask", "--in", "Diary", "from which pier?"],
            ["search", "--meaning", "ship departure time"], ["search", "ferry"], ["summary", "Diary"],
            ["summary", "Diary", "--since", "3d"], ["actions"], ["actions", "export"], ["deadlines"], ["decisions"],
            ["priority"], ["talk"], ["talk", "clear", "--all"],
        ]

        /// A node without peers on a host whose default route leads to another host, and what the host sends.
        private struct Scene {
            let hosts: TwoHosts
            let watch: PacketWatch
            let node: LabNode
            let lab: Lab

            init(_ lab: Lab) async throws {
                self.lab = lab
                hosts = try await TwoHosts(lab)
                try await hosts.route(1, through: "10.77.0.2")
                watch = try await PacketWatch(lab, hosts, on: 1)
                let runner = hosts.runner(on: 1) + ["env", "-u", "PARLANCE_LISTEN"]
                node = LabNode(lab, "Ada", port: 4747, runner: runner, arguments: ["--mdns", "off"])
                try await node.start()
                try await run("group", "create", "Diary")
                for text in AssistantPacketTests.texts { try await run("send", "Diary", text) }
            }

            /// Runs a command on the host of the node.
            func run(_ arguments: String...) async throws { try await run(arguments) }

            func run(_ arguments: [String]) async throws {
                let outcome = try await attempt(arguments)
                #expect(outcome.code == 0, "\(arguments): \(outcome)")
            }

            func attempt(_ arguments: [String]) async throws -> Lab.Outcome {
                let own = ["env", "PARLANCE_SOCKET=\(node.socketPath)", try Programs.own("parlance").path]
                let words = hosts.runner(on: 1).dropFirst() + own + arguments
                return try await lab.run(try Programs.system("ip"), Array(words))
            }

            /// Waits until all is read, with or without the model.
            func reads(with model: ModelInfo) async throws {
                try await eventually("all is read", within: .seconds(30)) {
                    let info = try await node.ask(AssistantOperation())
                    return info.messages ?? 0 >= AssistantPacketTests.texts.count && info.reading == nil
                }
                #expect(try await node.ask(AskOperation(question: "ferry")).model == model)
            }
        }

        @Test func withoutAServerItSendsNothingAtAll() async throws {
            try await Lab.run(limit: .seconds(120)) { lab in
                let scene = try await Scene(lab)
                let before = try await scene.watch.counts()
                #expect(before.split(separator: "\n").count == 2, "\(before)")
                try await scene.run("assistant", "on")
                try await scene.reads(with: .rules)
                for command in Self.commands { try await scene.run(command) }
                if let model = Self.model {
                    try await scene.run("assistant", "model", model)
                    try await scene.reads(with: .miniLM)
                    for command in Self.commands { try await scene.run(command) }
                }
                let near = try await scene.node.ask(SearchOperation(query: "departure of ships", near: true)).near
                #expect((near?.model == .miniLM) == (Self.model != nil), "\(String(describing: near))")
                #expect(try await scene.watch.counts() == before)
                #expect(try await scene.watch.sent(mark: 9) == [], "since the start of the daemon")
                // What a user has it send is seen: there is no server, and so nothing but the attempt.
                let refused = try await scene.attempt(["assistant", "server", "http://10.77.0.2:7"])
                #expect(refused.code != 0, "\(refused)")
                #expect(try await scene.watch.counts() != before)
                #expect(try await scene.watch.sent(mark: 10).contains("eth0 10.77.0.2:7"))
            }
        }

        @Test func withAServerItSendsToThatAlone() async throws {
            try await Lab.run(limit: .seconds(120)) { lab in
                let scene = try await Scene(lab)
                let answer = "def answer(asked): return 'Ask http://192.0.2.7/ or example.com [1].'"
                let server = try ModelServer(answer, at: "10.77.0.2", runner: scene.hosts.runner(on: 2))
                defer { server.end() }
                try await scene.run("assistant", "on")
                if let model = Self.model { try await scene.run("assistant", "model", model) }
                try await scene.reads(with: Self.model == nil ? .rules : .miniLM)
                try await scene.run("assistant", "server", server.address)
                let reply = try await scene.node.ask(AskOperation(question: "When does the ferry leave?"))
                #expect(reply.model.address == server.address && reply.answer != nil, "\(reply)")
                for command in Self.commands { try await scene.run(command) }
                let place = server.address.dropFirst("http://".count)
                let sent = try await scene.watch.sent(mark: 9)
                // Before the first packet the host asks its network where the server is, and tells it where it is itself.
                #expect(sent.subtracting(["eth0 arp 10.77.0.2"]) == ["eth0 \(place)"])
            }
        }
    }
}
