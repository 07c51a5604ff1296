import ParlanceLetters
import ParlanceRecords
import ParlanceWire
import Testing

@testable import ParlanceCore

/// The contacts component, without an engine.
@Suite struct ContactRoomTests {
    private let bob = PeerID(value: Bytes32(hashing: [2], domain: 0))
    private let eve = PeerID(value: Bytes32(hashing: [3], domain: 0))

    private func contacts(_ peers: [PeerID]) -> Contacts { Contacts(peers.map { PeerRecord(id: $0) }) }

    /// The rule of names, computed from the rows without an index.
    @Test func whoIsHereAgainOrAcceptedIsNotForgotten() throws {
        let bob = PeerID(value: Bytes32(hashing: [2], domain: 0))
        var turn = try Turn.made()
        var contacts = Contacts([PeerRecord(id: bob)])
        let opened = LinkOpened(
            link: LinkID(1),
            peer: bob,
            replica: EngineBench.ownReplica,
            epoch: 1,
            dial: nil,
            remote: Endpoint(host: "10.0.0.2", port: 4747),
            workspaceTag: nil
        )
        _ = contacts.strangerLeft(bob, &turn)
        #expect(turn.deadlines[.strangers] != nil)
        contacts.linkOpened(opened, signedAddresses: nil, &turn)
        #expect(turn.deadlines[.strangers] == nil)
        _ = contacts.strangerLeft(bob, &turn)
        _ = contacts.accept(bob, &turn)
        #expect(turn.deadlines[.strangers] == nil)
    }

    private func isTaken(_ name: String, byOtherThan peer: PeerID, _ contacts: Contacts) -> Bool {
        contacts.all.contains { record in
            record.id != peer && [record.alias, record.pinnedName].contains { $0?.looksLike(name) == true }
        }
    }

    /// The peers that a typed name means, found by comparing all names.
    private func called(_ who: String, _ contacts: Contacts) -> [PeerID] {
        let all = contacts.all.map { ($0.id, contacts.names(of: $0)) }
        func fitting(_ isMeant: (String) -> Bool) -> [PeerID] {
            all.filter { $0.1.contains(where: isMeant) }.map(\.0)
        }
        let steps = [
            fitting { $0.lowercased() == who.lowercased() },
            who.folded.isEmpty ? [] : fitting { $0.folded == who.folded },
        ]
        let found = steps.first { !$0.isEmpty } ?? []
        let isOfStrangers = found.allSatisfy { peer in
            contacts[peer].map { $0.trust == .unknown && $0.alias == nil && $0.pinnedName == nil } ?? false
        }
        let accepted = steps.map { $0.filter { contacts.isAccepted($0) } }.first { !$0.isEmpty } ?? []
        return (found + (isOfStrangers ? accepted : [])).sorted()
    }

    private func shown(_ contacts: Contacts) -> [PeerID: String] {
        Dictionary(uniqueKeysWithValues: contacts.all.map { ($0.id, contacts.displayName(of: $0)) })
    }

    @Test(arguments: 1...20) func theIndexOfNamesSaysWhatAScanOfAllRowsSays(seed: UInt64) throws {
        let names = [
            "Ada", "ada", "A da", "Ada~1234", "Bob", "Bob \u{2713}", "", "\u{200B}", "Grace", "\u{c1}da", "B\u{f6}b",
            "You", "me",
        ]
        let peers = (0..<8).map { PeerID(value: Bytes32(hashing: [$0], domain: 1)) }
        var (contacts, turn, random) = (Contacts(), try Turn.made(), SeededGenerator(seed: seed))
        func pick<T>(_ choices: [T]) -> T { choices[Int(random.below(Int64(choices.count)))] }
        for _ in 0..<300 {
            let peer = pick(peers)
            let before = shown(contacts)
            switch random.below(12) {
            case 9: _ = contacts.requested(by: peer, "Hello", from: "10.0.0.9", &turn)
            case 10: contacts.decline(peer, &turn)
            case 11: contacts.block(peer, &turn)
            case 0, 1:
                contacts.remember([.init(peer: peer, name: pick(names), isNew: random.below(2) == 0)], &turn)
            case 2: _ = contacts.heard(pick(names), of: peer)
            case 3: _ = contacts.accept(peer, &turn)
            case 4: contacts.setAlias(pick(names), of: peer, &turn)
            case 5: contacts.setAlias(nil, of: peer, &turn)
            case 6: contacts.forget(peer, &turn)
            case 7: contacts.drop(peer)
            default:
                var durable = PeerRecord(id: peer)
                durable.pinnedName = pick(names)
                _ = contacts.takeBack(peer, random.below(2) == 0 ? durable : nil)
            }
            let renamed = Set(contacts.takeRenamed())
            let after = shown(contacts)
            // An expectation of each would take most of the time.
            let others = peers.filter { $0 != peer && before[$0] != after[$0] }
            #expect(renamed.isSuperset(of: others), "seed \(seed)")
            #expect(renamed.allSatisfy { before[$0] != after[$0] }, "nobody is told of who is shown as before")
            #expect(contacts.asking == Set(contacts.all.filter { $0.request != nil }.map(\.id)), "seed \(seed)")
            let wrong = zip(names, peers + [bob]).filter { name, other in
                contacts.isTaken(name, byOtherThan: other) != isTaken(name, byOtherThan: other, contacts)
            }
            #expect(wrong.isEmpty, "seed \(seed)")
        }
        for record in contacts.all {
            let suffixed = "ADA~\(record.id.text.prefix(4))"
            for typed in names + contacts.names(of: record) + [suffixed] where !typed.isEmpty {
                #expect(contacts.called(typed) == called(typed, contacts), "\(typed), seed \(seed)")
            }
        }
        _ = contacts.takeChanged()
        #expect(Contacts(Array(contacts.all)) == contacts, "an index that is kept is the same as one that is made anew")
    }

    @Test func aStrangerThatTakesAKnownNameIsShownWithItsID() throws {
        var (contacts, turn) = (contacts([bob, eve]), try Turn.made())
        _ = contacts.heard("Grace", of: bob)
        _ = contacts.heard("Grace", of: eve)
        #expect(contacts.called("Grace") == [bob, eve].sorted())
        #expect(contacts.accept(bob, &turn) == [.accepted(bob)])
        #expect(contacts.called("Grace") == [bob])
        let record = try #require(contacts[eve])
        #expect(contacts.displayName(of: record) == "Grace~\(eve.text.prefix(4))")
        contacts.setAlias("Eve", of: eve, &turn)
        #expect(contacts.displayName(of: try #require(contacts[eve])) == "Eve")
    }

    @Test func oneRequestIsTakenUntilADayAfterItWasDeclined() throws {
        var (contacts, turn) = (contacts([bob]), try Turn.made())
        #expect(contacts.requested(by: bob, "hello", from: "10.0.0.2", &turn) == true)
        #expect(contacts.requested(by: bob, "hello?", from: "10.0.0.2", &turn) == false)
        contacts.decline(bob, &turn)
        #expect(!contacts.isStranger(bob, turn.now), "that it was declined is remembered")
        turn.now.wall += Limits.declinedMilliseconds - 1
        #expect(contacts.requested(by: bob, "hello!", from: "10.0.0.2", &turn) == false)
        turn.now.wall += 1
        #expect(contacts.isStranger(bob, turn.now))
        #expect(contacts.requested(by: bob, "hello!", from: "10.0.0.2", &turn) == true)
    }

    @Test func anEndOfABlockBringsBackHowFarAPeerWasTrusted() throws {
        var (contacts, turn) = (contacts([bob, eve]), try Turn.made())
        _ = contacts.accept(bob, &turn)
        contacts.setVerified(true, bob, &turn)
        for peer in [bob, eve] {
            contacts.block(peer, &turn)
            contacts.block(peer, &turn)
            #expect(contacts.isBlocked(peer))
            contacts.unblock(peer, &turn)
        }
        #expect(contacts[bob]?.trust == .verified)
        #expect(contacts[eve]?.trust == .unknown)
    }
}
