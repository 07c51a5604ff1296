import ParlanceControl
import ParlanceWaiting
import Testing

extension ProgramTests {
    /// Trust as people see it: first contact, requests, safety numbers, blocks.
    @Suite struct TrustTests {
        private static func verification(_ node: LabNode, of who: String) async throws -> VerificationInfo {
            try await node.ask(VerifyOperation(who: who))
        }

        @Test func bothSeeOneNumberAndAScanVerifies() async throws {
            try await Lab.run { lab in
                let pair = try await Pair.meeting(in: lab)
                let (ada, bob) = (pair.ada, pair.bob)
                let (shown, hers) = (
                    try await Self.verification(bob, of: "Ada"), try await Self.verification(ada, of: "Bob")
                )
                #expect(shown.number == hers.number)
                #expect(shown.number.split(separator: " ").map(\.count) == Array(repeating: 5, count: 12))
                #expect(shown.code != hers.code)
                let before = try await ada.parlance("history", "Bob").output
                #expect(before.contains("Bob  not verified\n"))
                #expect(try await ada.parlance("peers").output.contains("not verified"))

                // A code of another pair, or a text that is not a code, verifies nobody.
                let own = try await bob.parlance("id", "--json").output
                let stranger = hers.code.replacing(
                    try #require(hers.code.split(separator: ":").last),
                    with: PeerInfo.nobody
                )
                for (text, reason) in [
                    (hers.code, "the code that you show yourself"), (stranger, "Somebody may stand between"),
                    ("hello", "not a verification code"), (own, "not a verification code"),
                ] {
                    let refused = try await ada.parlance("verify", "Bob", "--scanned", text)
                    #expect(refused.code == 65 && refused.errors.contains(reason), "\(text): \(refused.errors)")
                }
                #expect(try await ada.peer("Bob")?.trust == .accepted)

                let watcher = try await Watcher(ada)
                let scanned = try await ada.parlance("verify", "Bob", "--scanned", shown.code)
                #expect(scanned.output == "Bob ✓ is verified.\n", "\(scanned.errors)")
                try await watcher.sees("peer") { $0["trust"]?.text == "verified" }
                try await Self.isMarked(pair, watcher)

                // A verification survives a restart and a block, and can be taken back.
                try await ada.kill()
                try await ada.start()
                #expect(try await ada.peer("Bob")?.trust == .verified)
                _ = try await ada.parlance("block", "Bob")
                let unblocked = try await ada.parlance("unblock", "Bob")
                #expect(unblocked.output == "Bob ✓ is no longer blocked, and is accepted.\n", "\(unblocked.errors)")
                #expect(
                    try await ada.parlance("verify", "Bob", "--unconfirm").output == "Bob is no longer verified.\n"
                )
            }
        }

        /// Checks the sign wherever the name is shown, and the member `trust` in JSON.
        private static func isMarked(_ pair: Pair, _ watcher: Watcher) async throws {
            let (ada, bob) = (pair.ada, pair.bob)
            let sent = try await bob.send("it is me", to: "Ada")
            let message = try await watcher.sees("message") { $0["text"]?.text == "it is me" }
            #expect(message["senderTrust"]?.text == "verified")
            let history = try await ada.parlance("history", "Bob").output
            #expect(history.hasPrefix("Bob ✓  verified\n") && history.contains("Bob ✓  it is me"))
            #expect(try await ada.parlance("conversations").output.contains("Bob ✓"))
            #expect(try await ada.parlance("info", String(sent.id.prefix(12))).output.contains("by Bob ✓, "))
            #expect(try await ada.parlance("status").output.contains("1 accepted (1 verified)"))
            let peers = try await ada.parlance("peers").output
            #expect(peers.contains("Bob ✓") && peers.contains("  verified"))
            _ = try await ada.parlance("group", "create", "Duo", "Bob")
            let group = try await ada.parlance("group", "show", "Duo").output
            #expect(group.contains("Bob ✓") && group.contains("  verified"))
            #expect(try await ada.conversation(with: "Bob")?.trust == .verified)
            #expect(try await bob.conversation(with: "Ada")?.trust == .accepted, "it is Ada's alone to know")
        }

        @Test func firstContactSaysSoAndARequestCanBeDeclined() async throws {
            try await Lab.run { lab in
                let ports = (try Lab.freePort(), try Lab.freePort())
                let ada = LabNode.onLoopback(lab, "Ada", port: ports.0, dials: [ports.1])
                let bob = LabNode.onLoopback(lab, "Bob", port: ports.1, dials: [ports.0])
                try await ada.start()
                try await bob.start()
                try await ada.sees("Bob", "connected") { $0.connected }
                Refusal.given("Bob is not accepted yet", "parlance accept")
                    .check(try await ada.parlance("verify", "Bob", "--confirm"), of: "verifying a stranger")
                let first = try await ada.parlance("send", "Bob", "may I")
                #expect(
                    first.output.contains("First contact: you have not checked yet who this is.")
                        && first.output.contains("parlance verify Bob")
                )
                #expect(!(try await ada.parlance("send", "Bob", "please").output.contains("First contact")))
                try await eventually("Bob is asked") {
                    try await bob.parlance("requests").output.contains("may I")
                }
                // Whoever is declined stays so, also where others accept each other: the user has to know it.
                let id = try #require(try await bob.peer("Ada")?.id)
                let after = "You declined: Ada (\(id.prefix(8))). To accept after all: parlance accept ID"
                let nobody = "Nobody asks to talk.\n\(after)\n"
                let declined = try await bob.parlance("decline", "Ada")
                #expect(declined.output.hasPrefix("Ada is declined, and is not told."), "\(declined.errors)")
                #expect(try await bob.parlance("requests").output == nobody)
                Refusal.given("Ada does not ask to talk", "parlance requests")
                    .check(try await bob.parlance("decline", "Ada"), of: "declining twice")

                // A new request, on another link and after a restart, is ignored; the asker is told nothing.
                try await bob.kill()
                try await bob.start()
                try await ada.sees("Bob", "connected again") { $0.connected }
                try await bob.sees("Ada", "connected again") { $0.connected }
                #expect(try await bob.parlance("requests").output == nobody)
                try await eventually("Ada has heard that Bob does not list the conversation") {
                    try await ada.outbox().map(\.status) == [.staged, .staged]
                }
                let accepted = try await bob.parlance("accept", "Ada")
                #expect(
                    accepted.output.contains("trust on first use") && accepted.output.contains("parlance verify Ada")
                )
                try await ada.deliversAll(within: .seconds(40))
                #expect(try await bob.texts(with: "Ada") == ["may I", "please"])
            }
        }

        /// A newcomer with the name of a friend can be distinguished from the friend wherever the newcomer asks.
        @Test func aNewcomerWithAKnownNameComesWithAWarning() async throws {
            try await Lab.run { lab in
                let pair = try await Pair.meeting(in: lab)
                let ports = (pair.bob.port, try Lab.freePort())
                let watcher = try await Watcher(pair.bob)
                let other = LabNode.onLoopback(lab, "Ada", folder: "other", port: ports.1, dials: [ports.0])
                try await other.start()
                try await other.sees("Bob", "connected") { $0.connected }
                try await other.send("it is me, Ada", to: "Bob")
                let id = try await other.status().peerID
                let name = "Ada~\(id.prefix(4))"
                let warning = "somebody else you know goes by \"Ada\"; this is not them"
                let request = try await watcher.sees("request")
                #expect(request["warning"]?.text == warning && request["name"]?.text == name)
                let listed = try await pair.bob.parlance("requests").output
                #expect(listed.contains(name) && listed.contains("Warning: \(name): \(warning)"))
                let history = try await pair.bob.parlance("history", name).output
                #expect(history.contains("Warning: \(warning)"))
                let accepted = try await pair.bob.parlance("accept", name).output
                #expect(accepted.contains("Warning: \(warning)"))
                // Both of them go by that name.
                #expect(try await pair.bob.peers().filter { $0.name == "Ada" }.count == 2)
            }
        }
    }
}

extension PeerInfo {
    /// The text form of an identity that nobody has.
    fileprivate static let nobody = String(repeating: "a", count: 52) + "uvnn"
}
