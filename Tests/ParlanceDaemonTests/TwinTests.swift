import Foundation
import ParlanceControl
import ParlanceWaiting
import ParlanceWords
import Testing

extension ProgramTests {
    /// Two nodes with one identity, as after a data folder was copied to another computer.
    @Suite(.enabled(if: TwoHosts.areAllowed, "this machine does not let us make network namespaces"))
    struct TwinTests {
        @Test func eachOfTwoTwinsSaysSo() async throws {
            try await Lab.run(limit: .seconds(120)) { lab in
                let hosts = try await TwoHosts(lab)
                let ada = hosts.node("Ada", on: 1, arguments: ["--mdns", "off", "--peer", "10.77.0.2"])
                let twin = hosts.node("Twin", on: 2, arguments: ["--mdns", "off", "--peer", "10.77.0.1"])
                try await ada.start()
                try await ada.end(SIGTERM)
                try FileManager.default.copyItem(at: ada.folder, to: twin.folder)
                try await ada.start()
                try await twin.start()
                for (node, other) in [(ada, "10.77.0.2"), (twin, "10.77.0.1")] {
                    var problems: [NodeStatus.Problem] = []
                    try await eventually("\(node.name) says that it has a twin", last: "\(problems)") {
                        problems = try await node.status().problems.filter { $0.code == "twin" }
                        return !problems.isEmpty
                    }
                    let says = "Another node runs with your identity: it called from \(other):"
                    #expect(problems.count == 1 && problems[0].message.english.hasPrefix(says), "\(problems)")
                    #expect(problems[0].since != nil)
                }
            }
        }
    }
}
