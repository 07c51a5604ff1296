import ParlanceCore
import ParlanceRecords
import ParlanceTexts
import ParlanceWire
import ParlanceWords
import Testing

@testable import ParlanceControl
@testable import ParlanceDaemon
@testable import ParlanceNode
@testable import ParlanceProfile

/// Lists of people are cut, and the numbers beside them are not.
@Suite struct CountedPeopleTests {
    private static func peer(_ number: Int) -> PeerID {
        PeerID(value: Bytes32(hashing: Array("\(number)".utf8), domain: 0))
    }

    /// A hub that knows others by these names.
    private static func hub(_ names: String...) -> EventHub {
        var directory = Directory(identity: peer(0), profile: ProfileRecord(name: "Ada"))
        for (number, name) in names.enumerated() {
            let other = peer(number + 1)
            directory.set(Directory.Peer(PeerRecord(id: other), displayName: name), of: other)
        }
        return EventHub(directory)
    }

    private func info(
        _ content: ShownMessage.Content,
        _ hub: EventHub = CountedPeopleTests.hub()
    ) -> MessageInfo {
        let author = Self.peer(0)
        let shown = ShownMessage(
            id: EventID(value: Bytes32(hashing: [1], domain: 0)),
            conversation: ConversationID(direct: author, Self.peer(1)),
            log: LogID(author: author, replica: ReplicaID([UInt8](repeating: 1, count: 16))!),
            sequence: 1,
            time: WrittenTime(EventTime(raw: 0)),
            effective: 0,
            content: content
        )
        return MessageTeller(hub: hub, place: nil).info(shown)
    }

    /// The engine has the order of the IDs, which nobody can read.
    @Test func whoIsNamedStandsInTheOrderOfTheNames() throws {
        let hub = Self.hub("Zo\u{EB}", "cleo", "Bea", "\u{C4}nne", "Dan")
        let others = (1...5).map(Self.peer).sorted()
        for note in [GroupNote.added(others), .removed(others), .appointed(others), .dismissed(others)] {
            let told = try #require(info(.note(note), hub).note)
            #expect(told.people.map(\.displayName) == ["\u{C4}nne", "Bea", "cleo", "Dan", "Zo\u{EB}"])
        }
        let created = info(.note(.created(title: "Crew", members: (others + [Self.peer(0)]).sorted())), hub)
        #expect(created.note?.people.first?.me == true)
        let names = "\u{C4}nne, Bea, cleo, Dan"
        let sentence = try #require(created.note?.sentence)
        #expect(sentence.english == "You created the group \"Crew\" with \(names) and Zo\u{EB}")
        #expect(
            sentence.text(in: .german) == "Du hast die Gruppe „Crew“ angelegt und \(names) und Zo\u{EB} hinzugefügt"
        )
    }

    @Test(arguments: [6, 26, 39, 200]) func theOthersAreCounted(_ count: Int) throws {
        // Sorted as the engine sorts them: the author stands anywhere among the members.
        let others = (1...count).map(Self.peer).sorted()
        let members = (0...count).map(Self.peer).sorted()
        let ends = "and \(count - 5) more"
        let created = info(.note(.created(title: "Crew", members: members)))
        let note = try #require(created.note)
        #expect(note.count == count + 1 && note.people.count <= ControlLimits.peopleListed)
        #expect(note.sentence?.english.hasSuffix(ends) == true, "\(String(describing: note.sentence))")
        for changed in [GroupNote.added(others), .removed(others), .appointed(others), .dismissed(others)] {
            let sentence = try #require(info(.note(changed)).note?.sentence)
            #expect(sentence.english.contains(ends), "\(sentence)")
        }
        var rich = RichMessage(text: "@all")
        rich.mentions = others
        rich.reactions = [RichMessage.Reaction(emoji: "👍", members: others)]
        let message = info(.rich(rich))
        #expect((message.mentionCount ?? message.mentions?.count) == count)
        #expect(message.reactions.map(MessageSummary.reactions)?.hasSuffix(ends) == true)
    }

    /// A client need not know the rule: it is told where the mentions stand.
    @Test func onlyMentionsStandOut() {
        let hub = Self.hub("Bob Baker")
        func places(_ text: String, _ mentions: [PeerID]) -> [String]? {
            var rich = RichMessage(text: text)
            rich.mentions = mentions
            return info(.rich(rich), hub).mentionPlaces?.map { place in
                String(decoding: Array(text.utf16)[place.start..<(place.start + place.length)], as: UTF16.self)
            }
        }
        let both = [Self.peer(0), Self.peer(1)]
        let text = "\u{1f511} > @ada\n> @Ada\n`@Bob Baker` https://x.org/@Ada x@ada.de href=\"@Ada\" @bob baker, @Bob"
        #expect(places(text, both) == ["@ada", "@bob baker"])
        #expect(places(text, [Self.peer(0)]) == ["@ada"], "whom the body does not name is not mentioned")
        #expect(places("> @Ada", both) == nil && places(text, []) == nil)
    }
}
