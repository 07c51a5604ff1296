import Foundation
import ParlanceControl
import ParlanceCore
import ParlanceSodium
import ParlanceWaiting
import Testing

extension ProgramTests {
    /// Workspaces with real daemons over real links.
    @Suite struct WorkspaceTests {
        /// The key part of the invitation code.
        private func code(_ node: LabNode) async throws -> String {
            let reply = try await node.ask(WorkspaceShowOperation())
            // The name before it may differ from member to member.
            return try #require(reply.workspace).code.split(separator: " ").suffix(9).joined(separator: " ")
        }

        /// Ada creates a workspace and Bob joins it; Cleo has only their addresses.
        @Test func whoHasTheCodeIsInAndNobodyElse() async throws {
            try await Lab.run { lab in
                let ports = [try Lab.freePort(), try Lab.freePort(), try Lab.freePort()]
                let ada = LabNode.onLoopback(lab, "Ada", port: ports[0], dials: [ports[1], ports[2]])
                let bob = LabNode.onLoopback(lab, "Bob", port: ports[1], dials: [ports[0]])
                let cleo = LabNode.onLoopback(lab, "Cleo", port: ports[2], dials: [ports[0], ports[1]])
                for node in [ada, bob, cleo] { try await node.start() }
                try await ada.sees("Cleo", "connected") { $0.connected }

                let made = try await ada.parlance("workspace", "create", "Ship")
                #expect(made.code == 0 && made.output.contains("The workspace Ship is created"), "\(made.errors)")
                let code = try await code(ada)
                #expect(made.output.contains(code))
                try await ada.sees("Cleo", "gone") { !$0.connected }
                #expect(try await ada.status().workspace == "Ship")
                #expect(try await cleo.status().workspace == nil)

                let wrong = try await bob.parlance("workspace", "join", String(code.dropLast()) + "!")
                #expect(wrong.code == 65 && wrong.errors.contains("not an invitation code"), "\(wrong.errors)")
                let joined = try await bob.parlance("workspace", "join", code.uppercased().replacing(" ", with: "-"))
                #expect(joined.code == 0, "\(joined.errors)")
                try await bob.sees("Ada", "accepted and connected") { $0.connected && $0.trust == .accepted }
                try await ada.sees("Bob", "accepted and connected") { $0.connected && $0.trust == .accepted }

                // No request is needed: the first message arrives.
                try await ada.send("welcome aboard", to: "Bob")
                try await bob.reads(["welcome aboard"], in: "Ada")
                for (node, other) in [(ada, "Bob"), (bob, "Ada")] {
                    #expect(try await node.conversation(with: other)?.contact == .open, "members accept each other")
                }
                #expect(try await cleo.peers().allSatisfy { !$0.connected })

                // A restart keeps the workspace, and so does a rotation while the other is away.
                _ = try await bob.end(SIGTERM)
                let rotated = try await ada.parlance("workspace", "rotate", "--yes")
                #expect(rotated.code == 0 && !rotated.output.contains(code), "\(rotated.errors)")
                let newCode = try await self.code(ada)
                try await bob.start()
                try await bob.sees("Ada", "connected again") { $0.connected }
                try await eventually("Bob has the new key") { try await self.code(bob) == newCode }

                let still = try await bob.parlance("workspace", "leave")
                #expect(still.code == 64 && still.errors.contains("parlance workspace leave --yes"), "\(still.errors)")
                let left = try await bob.parlance("workspace", "leave", "--yes")
                #expect(left.code == 0, "\(left.errors)")
                try await ada.sees("Bob", "gone") { !$0.connected }
                try await bob.sees("Cleo", "connected") { $0.connected }
                // The same name and passphrase give the same workspace everywhere.
                for node in [bob, cleo] {
                    let words = ["workspace", "join", "--passphrase", "Zo\u{EB}s", "camp"]
                    let by = try await node.parlance(words, input: Array("correct horse\n".utf8))
                    #expect(by.code == 0, "\(by.errors)")
                }
                try await bob.sees("Cleo", "accepted") { $0.connected && $0.trust == .accepted }
                // Nobody is asked to confirm what is refused then.
                let unled = try await bob.parlance("workspace", "exclude", "Cleo")
                let cleoID = try #require(try await bob.peer("Cleo")?.id)
                let hint = "rotate --without \(cleoID.prefix(12))"
                #expect(unled.code == 65 && unled.errors.contains(hint), "\(unled.errors)")
                let asked = try await bob.parlance("workspace", "rotate")
                #expect(asked.code == 64 && asked.errors.contains("workspace rotate --yes"), "\(asked.errors)")
                _ = try await bob.parlance("workspace", "leave", "--yes")
                let again = try await bob.parlance("workspace", "leave", "--yes")
                #expect(again.code == 65 && again.errors.contains("in no workspace"), "\(again.errors)")
            }
        }

        /// Ada makes Bob an admin and excludes Cleo, who is told; both write the same audit log, which is valid.
        @Test func adminsDecideAndTheLogShowsIt() async throws {
            try await Lab.run { lab in
                let ports = [try Lab.freePort(), try Lab.freePort(), try Lab.freePort()]
                let ada = LabNode.onLoopback(lab, "Ada", port: ports[0], dials: [ports[1], ports[2]])
                let bob = LabNode.onLoopback(lab, "Bob", port: ports[1], dials: [ports[0], ports[2]])
                let cleo = LabNode.onLoopback(lab, "Cleo", port: ports[2], dials: [ports[0], ports[1]])
                for node in [ada, bob, cleo] { try await node.start() }
                _ = try await ada.parlance("workspace", "create", "Ship")
                let code = try await code(ada)
                for node in [bob, cleo] { _ = try await node.parlance("workspace", "join", code) }
                for (node, other) in [(ada, "Bob"), (ada, "Cleo"), (bob, "Cleo")] {
                    try await node.sees(other, "accepted and connected") { $0.connected && $0.trust == .accepted }
                }
                let refused = try await bob.parlance("workspace", "exclude", "Cleo", "--yes")
                #expect(refused.code == 65 && refused.errors.contains("Only an admin"), "\(refused.errors)")
                let unasked = try await bob.parlance("workspace", "rotate")
                #expect(unasked.code == 65 && unasked.errors.contains("Only an admin"), "\(unasked.errors)")
                let appointed = try await ada.parlance("workspace", "admin", "Bob")
                #expect(appointed.code == 0 && appointed.output.contains("Bob"), "\(appointed.errors)")
                let again = try await ada.parlance("workspace", "admit", "Bob")
                #expect(again.output.hasPrefix("Members already: Bob\nThe code is enough here: "), "\(again)")
                for (who, says) in [("Nope", "Nobody here is called \"Nope\""), ("Ada", "you"), ("Cleo Nope", "Nope")] {
                    let people = who.split(separator: " ").map(String.init)
                    let refused = try await ada.parlance(["workspace", "exclude"] + people)
                    #expect(refused.code == 65 && refused.errors.contains(says), "\(refused)")
                }
                let asked = try await ada.parlance("workspace", "exclude", "Cleo")
                let id = try #require(try await ada.peer("Cleo")?.id.prefix(8))
                #expect(asked.errors.contains("Cleo (\(id)) will get no key of Ship"), "\(asked.errors)")
                #expect(asked.code != 0 && asked.errors.contains("workspace exclude \(id)"), "\(asked.errors)")
                let excluded = try await ada.parlance("workspace", "exclude", "Cleo", "--yes")
                #expect(excluded.code == 0 && excluded.output.contains("from the workspace: Cleo"), "\(excluded)")
                try await bob.sees("Cleo", "gone") { !$0.connected }
                try await eventually("Cleo is told") {
                    let reply = try await cleo.ask(WorkspaceShowOperation())
                    return reply.workspace?.charter?.excludedBy?.displayName == "Ada"
                }
                // By hand nothing is exchanged with her either, and whoever does not name her is not kept from the others.
                let stick = lab.folder.appendingPathComponent("stick").path
                try FileManager.default.createDirectory(atPath: stick, withIntermediateDirectories: false)
                for direction in ["out", "in"] {
                    let carried = try await ada.parlance("carry", direction, stick)
                    #expect(carried.code == 0 && carried.errors.contains("from the workspace: Cleo."), "\(carried)")
                    #expect(direction == "in" || carried.output.contains("Bob: "), "\(carried)")
                    let named = try await ada.parlance("carry", direction, stick, "Cleo")
                    #expect(named.code == 65 && named.errors.contains("Cleo is excluded from the"), "\(named)")
                }
                let findings = try await cleo.parlance("doctor")
                #expect(findings.output.contains("Ada has excluded you from the workspace"), "\(findings.output)")
                try await eventually("Bob has the new key") { try await self.code(bob) == self.code(ada) }

                let logs = [
                    try await ada.parlance("workspace", "log", "--json"),
                    try await bob.parlance("workspace", "log", "--json"),
                ]
                let read = try await bob.parlance("workspace", "log")
                for line in ["Ada created the workspace Ship", "Ada made Bob an admin", "Ada excluded Cleo"] {
                    #expect(read.output.contains("  \(line)\n"), "\(read.output)")
                }
                #expect(logs[0].output == logs[1].output)
                #expect(logs[0].output.contains(#""action":"exclude""#))
                let file = lab.folder.appendingPathComponent("ship.log").path
                try Data(logs[0].output.utf8).write(to: URL(fileURLWithPath: file))
                let valid = try await lab.parlance(["verify-log", file])
                #expect(valid.code == 0 && valid.output.contains("The log is valid: 5 events"), "\(valid)")
            }
        }

        /// A name that is typed wrong does not leave the door open, and nobody is let in for good without a question.
        @Test func aPolicyIsCheckedBeforeItIsSigned() async throws {
            try await Lab.run { lab in
                let ada = LabNode.onLoopback(lab, "Ada", port: try Lab.freePort(), dials: [])
                try await ada.start()
                _ = try await ada.parlance("workspace", "create", "Ship")
                let typo = try await ada.parlance("workspace", "policy", "admision", "approve", "--yes")
                #expect(typo.code == 65 && typo.errors.contains("Did you mean admission?"), "\(typo.errors)")
                let value = try await ada.parlance("workspace", "policy", "admission", "aprove", "--yes")
                #expect(value.code == 65 && value.errors.contains("Did you mean approve?"), "\(value.errors)")
                let custom = try await ada.parlance("workspace", "policy", "standup", "9:30", "--custom")
                #expect(custom.code == 0 && custom.output.contains("standup = 9:30"), "\(custom.errors)")
                let asked = try await ada.parlance("workspace", "policy", "admission", "approve")
                #expect(asked.code == 64 && asked.errors.contains("policy admission approve --yes"), "\(asked.errors)")
                let approved = try await ada.parlance("workspace", "policy", "admission", "approve", "--yes")
                #expect(approved.output.contains("You are the only member."), "\(approved)")
                for value in ["90d", "90 days", "off", "52w"] {
                    #expect(try await ada.parlance("workspace", "policy", "retention", value).code == 0)
                }
                for wrong in [["retention", "ninety"], ["largest_file", "big"], ["auto_accept", "all"]] {
                    let refused = try await ada.parlance(["workspace", "policy"] + wrong)
                    #expect(refused.code == 65 && refused.errors.contains("is not a value of the policy"), "\(refused)")
                }
                let left = try await ada.parlance("workspace", "leave")
                #expect(left.code == 64 && left.errors.contains("You are the only admin"), "\(left.errors)")
            }
        }

        /// Ada lets members in: Bob comes by an invitation, Cleo from a list that Ada imports. Dan, whom nobody let in, waits
        /// and is seen.
        @Test func anOfficeComesByAnInvitationAndByAList() async throws {
            try await Lab.run { lab in
                let ports = [try Lab.freePort(), try Lab.freePort(), try Lab.freePort(), try Lab.freePort()]
                let ada = LabNode.onLoopback(lab, "Ada", port: ports[0], dials: Array(ports[1...]))
                let bob = LabNode.onLoopback(lab, "Bob", port: ports[1], dials: [ports[0]])
                let cleo = LabNode.onLoopback(lab, "Cleo", port: ports[2], dials: [ports[0]])
                let dan = LabNode.onLoopback(lab, "Dan", port: ports[3], dials: [ports[0]])
                for node in [ada, bob, cleo, dan] { try await node.start() }
                _ = try await ada.parlance("workspace", "create", "Ship")
                let open = try await ada.parlance("workspace", "invite", "--uses", "2")
                #expect(open.code == 65 && open.errors.contains("policy admission approve"), "\(open.errors)")
                _ = try await ada.parlance("workspace", "policy", "admission", "approve", "--yes")
                for wrong in [["--uses", "0"], ["--until", "2001-01-01"], ["--until", "soon"], ["--end", "abcd"]] {
                    let refused = try await ada.parlance(["workspace", "invite"] + wrong)
                    #expect(refused.code == 65 && refused.errors.contains("Nothing was changed") || wrong[1] == "soon")
                }

                let made = try await ada.ask(WorkspaceInviteOperation(uses: 2))
                #expect(made.code.split(separator: " ").count == 13 && made.invitation.left == 2)
                let shown = try await ada.parlance("workspace", "show")
                #expect(shown.output.contains("your invitation \(made.invitation.prefix): "), "\(shown.output)")
                let joined = try await bob.parlance(
                    ["workspace", "join"] + made.code.split(separator: " ").map(String.init)
                )
                #expect(joined.code == 0, "\(joined.errors)")
                try await bob.sees("Ada", "accepted and connected") { $0.connected && $0.trust == .accepted }
                try await ada.sees("Bob", "accepted and connected") { $0.connected && $0.trust == .accepted }

                let list = lab.folder.appendingPathComponent("office.csv").path
                let id = try await cleo.ask(IDOperation()).id
                try Data("name,peer ID\nBob\n".utf8).write(to: URL(fileURLWithPath: list))
                let wrong = try await ada.parlance("workspace", "import", list)
                #expect(wrong.code == 65 && wrong.errors.contains("Line 2 has one field"), "\(wrong.errors)")
                try Data("name;peer ID\nCleo, night watch;\(id)\n".utf8).write(to: URL(fileURLWithPath: list))
                let imported = try await ada.parlance("workspace", "import", list)
                #expect(imported.code == 0 && imported.output.contains("Admitted to the workspace: 1"), "\(imported)")
                for node in [cleo, dan] { _ = try await node.parlance("workspace", "join", code(ada)) }
                try await cleo.sees("Ada", "accepted and connected") { $0.connected && $0.trust == .accepted }
                try await ada.sees("Cleo, night watch", "connected") { $0.connected && $0.trust == .accepted }
                try await ada.send("welcome", to: "Cleo, night watch")
                try await cleo.reads(["welcome"], in: "Ada")

                let missing = try await ada.parlance("wait", "Eve", "Bob", "--timeout", "0s")
                #expect(missing.code == 1 && missing.output.contains("Missing after 0 s: 1 (Eve)"), "\(missing)")
                let all = try await ada.parlance("wait", "--members", "--json")
                #expect(all.code == 0 && all.output.contains("\"complete\":true"), "\(all)")
                try await eventually("Dan waits") {
                    try await ada.ask(WorkspaceShowOperation()).workspace?.charter?.waiting.map(\.displayName) == [
                        "Dan"
                    ]
                }
                let listed = try await ada.parlance("workspace", "show").output
                #expect(listed.contains("waiting to be let in: Dan"), "\(listed)")
                let here = listed.split(separator: "\n").first { $0.contains("here:") }
                #expect(here?.contains("Bob") == true && here?.contains("Dan") == false, "\(listed)")
                let ended = try await ada.parlance("workspace", "invite", "--end", made.invitation.prefix)
                #expect(ended.code == 0, "\(ended.errors)")
                let left = try await ada.ask(WorkspaceShowOperation())
                #expect(left.workspace?.charter?.invitations == [])
                let log = try await ada.parlance("workspace", "log", "--json")
                #expect(
                    log.output.contains(#""action":"admit","name":"invite_\#(made.invitation.id)","automatic":true"#)
                )
            }
        }
    }
}
