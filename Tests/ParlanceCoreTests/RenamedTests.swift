import ParlanceCore
import ParlanceWire
import Testing

/// Who has the same name as somebody else is shown with the beginning of its ID (contacts.md, "Names"). So the name of one
/// peer changes what others are shown by, and everybody is told of each of them.
@Suite struct RenamedTests {
    private let bob: RemotePeer
    private let eve: RemotePeer
    private let gus: RemotePeer

    init() throws {
        bob = try RemotePeer(2)
        eve = try RemotePeer(3, replica: 0x43)
        gus = try RemotePeer(4, replica: 0x44)
    }

    /// The names of everybody of whom watchers were told since the last call.
    private func told(_ bench: inout EngineBench) -> [PeerID: String] {
        var names: [PeerID: String] = [:]
        for case .notify(.peer(let view)) in bench.takeEffects() { names[view.record.id] = view.displayName }
        return names
    }

    private func marked(_ name: String, _ peer: RemotePeer) -> String { "\(name)~\(peer.identity.text.prefix(4))" }

    @Test func whoSharesANameWithANewFriendIsTold() throws {
        var bench = try EngineBench(peers: [bob.record(), eve.record(.unknown, name: "bob")])
        _ = try bench.ask(.accept(who: eve.identity.text))
        #expect(told(&bench) == [bob.identity: marked("Bob", bob), eve.identity: marked("bob", eve)])
        _ = try bench.ask(.forget(who: eve.identity.text))
        #expect(told(&bench) == [bob.identity: "Bob", eve.identity: marked("bob", eve)])
    }

    /// A third of that name changes nothing for the first two.
    @Test func whoIsMarkedAlreadyIsNotToldAgain() throws {
        var bench = try EngineBench(peers: [bob.record(), eve.record(), gus.record(.unknown)])
        _ = try bench.ask(.accept(who: gus.identity.text))
        #expect(told(&bench) == [gus.identity: marked("Bob", gus)])
        _ = try bench.ask(.forget(who: gus.identity.text))
        #expect(told(&bench) == [gus.identity: marked("Bob", gus)])
    }

    @Test func anAliasTakesAStrangersName() throws {
        var bench = try EngineBench(peers: [bob.record(), eve.record(.unknown, name: "Rob")])
        _ = try bench.ask(.setAlias(who: "Bob", alias: "Rob"))
        #expect(told(&bench) == [bob.identity: "Rob", eve.identity: marked("Rob", eve)])
        _ = try bench.ask(.setAlias(who: "Rob", alias: ""))
        #expect(told(&bench) == [bob.identity: "Bob", eve.identity: "Rob"])
    }

    @Test func whoIsShownByAnAliasIsNotTold() throws {
        var named = bob.record()
        named.alias = "Robert"
        var bench = try EngineBench(peers: [named, eve.record(.unknown, name: "Bob")])
        _ = try bench.ask(.accept(who: eve.identity.text))
        #expect(told(&bench) == [eve.identity: marked("Bob", eve)])
    }

    /// What the disk did not take is told back.
    @Test func aNameThatIsNotStoredIsFreeAgain() throws {
        var bench = try EngineBench(peers: [bob.record(), eve.record(.unknown)])
        bench.diskFails = true
        _ = try bench.ask(.accept(who: eve.identity.text))
        #expect(told(&bench)[bob.identity] == "Bob")
    }

    /// A member of a group who is known only by ID gets the name by which another member knows it.
    @Test func whoGetsANameInAGroupIsTold() throws {
        var crew = try GroupBench(1)
        crew.bench.opened(3, with: eve)
        _ = told(&crew.bench)
        crew.open(0)
        // Ada makes the first an admin, who then adds Eve as "Eva".
        _ = try crew.bench.ask(.changeGroup(who: "Crew", .appoint([crew.peers[0].identity.text])))
        let events = crew.bench.engine.kept.membership
        let last = try #require(events.last)
        let names = [crew.peers[0].change(.add, [eve.identity], names: "Eva", after: [last], in: crew.group)]
        _ = told(&crew.bench)
        crew.send(names, by: 0)
        #expect(told(&crew.bench)[eve.identity] == "Eva")
    }
}
