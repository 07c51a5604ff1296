import Foundation
import ParlanceControl
import ParlanceWaiting
import Testing

extension ProgramTests {
    /// One machine on which many people work, each with a node.
    @Suite(.enabled(if: TwoHosts.areAllowed, "this machine does not let us make network namespaces"))
    struct TerminalServerTests {
        private static let people = 20

        /// All nodes have the same address in the network, and another port each, and find each other by mDNS.
        @Test func twentyNodesAtOneAddressAllMeet() async throws {
            try await Lab.run(limit: .seconds(150)) { lab in
                let hosts = try await TwoHosts(lab)
                let nodes = (1...Self.people).map { number in
                    hosts.node("P\(number)", on: 1, port: UInt16(5_000 + number))
                }
                for node in nodes { try node.spawn() }
                for node in nodes { try await node.ready() }
                let made = try await nodes[0].parlance("workspace", "create", "Office")
                #expect(made.code == 0, "\(made.errors)")
                let reply = try await nodes[0].ask(WorkspaceShowOperation())
                let code = try #require(reply.workspace).code
                for node in nodes.dropFirst() { try await node.ask(WorkspaceJoinOperation(code: code)) }
                for node in nodes {
                    var last = 0
                    try await eventually(
                        "\(node.name) has met all others",
                        within: .seconds(60),
                        every: .milliseconds(200),
                        last: "\(last)"
                    ) {
                        last = try await node.peers().count { $0.connected && $0.trust == .accepted }
                        return last == Self.people - 1
                    }
                }
            }
        }
    }
}
