import Foundation
import ParlanceControl
import ParlanceWords
import Testing

extension ProgramTests {
    /// What the list of peers shows besides presence.
    @Suite struct PeerInfoTests {
        @Test func aNewNameIsANoteUntilItIsTaken() async throws {
            try await Lab.run { lab in
                let pair = try await Pair.meeting(in: lab)
                #expect(try await pair.ada.peer("Bob")?.note == nil)
                #expect(try await pair.bob.parlance("name", "Robert O'Neil").code == 0)
                let renamed = try await pair.ada.sees("Bob", "with a note of his new name") { $0.note != nil }
                let id = String(renamed.id.prefix(8))
                let command = "parlance alias \(id) 'Robert O'\\''Neil'"
                #expect(renamed.name == "Bob")
                #expect(renamed.note == "now goes by \"Robert O'Neil\"; to show that: \(command)")
                #expect(try await pair.ada.parlance("peers").output.contains(command))

                #expect(try await pair.ada.parlance("alias", id, "Robert O'Neil").code == 0)
                let shown = try #require(try await pair.ada.peer("Robert O'Neil"))
                #expect(shown.id == renamed.id && shown.note == nil)
            }
        }

        @Test func anAddressIsToldOnce() async throws {
            try await Lab.run { lab in
                // Ada was given Bob's address, and also remembers it.
                let pair = try await Pair.meeting(in: lab)
                try await pair.bob.kill()
                let gone = try await pair.ada.sees("Bob", "not connected") { !$0.connected && !$0.addresses.isEmpty }
                #expect(gone.addresses == ["127.0.0.1:\(pair.bob.port)"])
            }
        }

        /// What is kept of the last week outlives the node, and ends with what else is known of the peer.
        @Test func whenSomebodyWasHereIsKeptUntilTheyAreForgotten() async throws {
            try await Lab.run { lab in
                let pair = try await Pair.meeting(in: lab)
                let seen = try await pair.ada.parlance("seen", "Bob")
                #expect(seen.code == 0 && seen.output.contains("Today"), "\(seen)")
                try await pair.bob.kill()
                try await pair.ada.kill()
                try await pair.ada.start()
                let kept = try await pair.ada.client().call(SeenOperation(who: "Bob"))
                #expect(kept.peer.displayName == "Bob" && !kept.hours.isEmpty && kept.hours.count <= 2)
                #expect(try await pair.ada.parlance("forget", "Bob").code == 0)
                let forgotten = try await pair.ada.parlance("seen", "Bob").output
                #expect(forgotten == "Bob was not here in the last seven days, as far as this computer saw.\n")
            }
        }

        /// For 5 s after the link ended nobody knows whether the peer is here.
        @Test func whoWasCutOffAMomentAgoIsNotCalledOnline() async throws {
            try await Lab.run { lab in
                let pair = try await Pair.meeting(in: lab)
                try await pair.bob.kill()
                let gone = try await pair.ada.sees("Bob", "not connected") { !$0.connected }
                let table = try await pair.ada.parlance("peers").output
                let later = try #require(try await pair.ada.peer("Bob"))
                #expect(later.lastSeen == gone.lastSeen, "it stands still from the end of the link on")
                // On a machine under load the 5 s may be over.
                let words = later.presence == .online ? ["was online"] : ["was online", "offline"]
                #expect(words.contains { table.contains("  \($0)  ") }, "\(table)")
            }
        }
    }
}
