import ParlanceControl
import ParlanceWaiting
import ParlanceWords
import Testing

extension ProgramTests {
    /// Two peers called Bob: a name is never resolved by a guess.
    @Suite struct SameNameTests {
        @Test func bothAreListedAndNothingIsSent() async throws {
            try await Lab.run { lab in
                let ports = [try Lab.freePort(), try Lab.freePort(), try Lab.freePort()]
                let ada = LabNode.onLoopback(lab, "Ada", port: ports[0], dials: [ports[1], ports[2]])
                let bobs = [1, 2].map { LabNode.onLoopback(lab, "Bob", folder: "bob\($0)", port: ports[$0]) }
                for node in [ada] + bobs { try node.spawn() }
                for node in [ada] + bobs { try await node.ready() }
                var ids: [String] = []
                for bob in bobs { ids.append(try await bob.status().peerID) }
                try await eventually("Ada is connected to two peers called Bob") {
                    try await ada.peers().filter { $0.connected && $0.name == "Bob" }.count == 2
                }
                try await Self.refuses(ada, ids)

                // Once one of them is accepted, the name means that one, and the newcomer is shown with a suffix.
                try await ada.send("to the first", to: String(ids[0].prefix(8)))
                let mark = "Bob~\(ids[1].prefix(4))"
                let second = try #require(try await ada.peers().first { $0.id == ids[1] })
                #expect(second.displayName == mark)
                #expect(second.warning?.english.contains("this is not them") == true)
                #expect(try await ada.parlance("peers").output.contains("warning: somebody else you know goes by"))
                try await ada.send("to the friend", to: "Bob")
                for item in try await ada.outbox() { #expect(item.recipients.map(\.id) == [ids[0]]) }

                // Once both are accepted, the name is ambiguous again, also if the user has named one of them so.
                #expect(try await ada.parlance("alias", String(ids[0].prefix(8)), "Bob").code == 0)
                try await ada.send("to the second", to: mark)
                try await Self.refuses(ada, ids)
                let named = try await ada.parlance("send", "Bob", "hello").errors.split(separator: "\n")
                #expect(named.filter { $0.hasSuffix("; you gave them this name)") }.count == 1, "\(named)")
                let mine = named.first { $0.hasSuffix("; you gave them this name)") }
                #expect(mine?.hasPrefix("  \(ids[0].prefix(8))  Bob (") == true, "\(named)")
                #expect(try await ada.outbox().count == 3)

                // An alias makes the names differ.
                let alias = try await ada.parlance("alias", String(ids[0].prefix(8)), "Bobby")
                #expect(alias.code == 0, "\(alias.errors)")
                #expect(try await ada.parlance("send", "Bobby", "hello").code == 0)

                // Forgetting a peer removes its alias and keeps the messages.
                let texts = try await ada.texts(with: "Bobby")
                let forgotten = try await ada.parlance("forget", "Bobby")
                #expect(forgotten.output == "Bobby is forgotten. Your messages are kept.\n")
                #expect(try await ada.peers().first { $0.id == ids[0] }?.alias == nil)
                #expect(texts.count == 3)
                #expect(try await ada.texts(with: String(ids[0].prefix(8))) == texts)
            }
        }

        private static func refuses(_ ada: LabNode, _ ids: [String]) async throws {
            let outcome = try await ada.parlance("send", "Bob", "hello")
            Refusal.given(
                "\"Bob\" could be 2 people",
                "beginning of a peer ID",
                String(ids[0].prefix(8)),
                String(ids[1].prefix(8))
            )
            .check(outcome, of: "an ambiguous name")
            // Of several names that are ambiguous the first is told.
            let both = try await ada.parlance("wait", "Bob", "BOB", "--timeout", "0s")
            #expect(both.code == 65 && both.errors.contains("\"Bob\" could be 2 people"), "\(both)")
            let json = try await ada.parlance("send", "--json", "Bob", "hello")
            #expect(json.code == 65)
            let error = try JSONParser.parse(Array(json.errors.utf8.dropLast()))["error"]
            #expect(error?["code"]?.text == "ambiguousPeer")
            guard case .array(let candidates) = error?["candidates"] else {
                Issue.record("no candidates in \(json.errors)")
                return
            }
            #expect(Set(candidates.compactMap { $0["id"]?.text }) == Set(ids))
        }
    }
}
