import ParlanceCore
import ParlanceRecords
import ParlanceTestKit
import ParlanceWire
import Testing

/// What is told of everybody and everything: after each change it is what a look at everything gives. The simulator
/// compares both each minute (`Engine.wrongIndexes`).
@Suite struct DirectoryTests {
    private let bob: RemotePeer
    private let eve: RemotePeer

    init() throws {
        bob = try RemotePeer()
        eve = try RemotePeer(3, replica: 0x43)
    }

    /// The directory after a command that was carried out.
    private func directory(_ bench: inout EngineBench, after command: Command) throws -> Directory {
        _ = bench.takeDirectory()
        _ = try bench.ask(command).get()
        return try changed(&bench)
    }

    /// The directory, which has changed since it was last taken.
    private func changed(_ bench: inout EngineBench) throws -> Directory {
        #expect(bench.engine.wrongIndexes.isEmpty)
        let directory = bench.takeDirectory()
        return try #require(directory)
    }

    @Test func itIsCompleteAtTheStart() throws {
        var crew = try GroupBench(2)
        _ = try crew.bench.ask(.setAlias(who: "Peer 0", alias: "Robert"))
        _ = try crew.bench.ask(.setPreference(who: "Crew", .pin(true)))
        _ = try crew.bench.ask(.setName("Ada Byron"))
        crew.bench.restart()
        let directory = try changed(&crew.bench)
        #expect(directory.name(of: crew.peers[0].identity) == "Robert")
        #expect(directory[crew.group]?.title == "Crew" && directory.groups.count == 1)
        #expect(directory.preferences[crew.group]?.isPinned == true)
        #expect(directory.name(of: crew.bench.identity) == "Ada Byron")
    }

    @Test func itHasWhatTheUserDecidesAboutPeople() throws {
        var bench = try EngineBench(peers: [bob.record(), eve.record(.unknown, name: "Eve")])
        let (friend, stranger) = (bob.identity, eve.identity)
        #expect(try changed(&bench).name(of: friend) == "Bob")
        let named = try directory(&bench, after: .setAlias(who: "Bob", alias: "Robert"))
        #expect(named[friend]?.displayName == "Robert" && named[friend]?.alias == "Robert")
        #expect(named[friend]?.name == "Bob" && named[stranger]?.displayName == "Eve")
        #expect(try directory(&bench, after: .setAlias(who: "Robert", alias: "")).name(of: friend) == "Bob")
        #expect(try directory(&bench, after: .accept(who: stranger.text)).trust(in: stranger) == .accepted)
        #expect(try directory(&bench, after: .verify(who: stranger.text, true)).trust(in: stranger) == .verified)
        #expect(try directory(&bench, after: .block(who: stranger.text)).trust(in: stranger) == .blocked)
        #expect(try directory(&bench, after: .unblock(who: stranger.text)).trust(in: stranger) == .verified)
        #expect(try directory(&bench, after: .forget(who: "Bob")).trust(in: friend) == .unknown)
    }

    /// The name of one peer changes what another one is shown by.
    @Test func itHasTheNamesThatOthersTake() throws {
        var bench = try EngineBench(peers: [bob.record(), eve.record(.unknown, name: "bob")])
        let both = try directory(&bench, after: .accept(who: eve.identity.text))
        #expect(both.name(of: bob.identity) == "Bob~\(bob.identity.text.prefix(4))")
        let one = try directory(&bench, after: .forget(who: eve.identity.text))
        #expect(one.name(of: bob.identity) == "Bob")
    }

    /// Whoever hears a notice finds the new name: the directory is taken before the effects are carried out.
    @Test func aNewNameIsThereWithItsNotice() throws {
        var bench = try EngineBench(peers: [bob.record()])
        bench.opened(1, with: eve)
        bench.received(eve.hello("Eve"), on: 1)
        #expect(try changed(&bench).name(of: eve.identity) == "Eve")
        _ = bench.takeEffects()
        bench.received(eve.hello("Eva").asHeartbeat, on: 1)
        let directory = try changed(&bench)
        let told = bench.takeEffects().compactMap { if case .notify(.peer(let view)) = $0 { view } else { nil } }
        #expect(told.last?.displayName == "Eva" && directory.name(of: eve.identity) == "Eva")
        bench.open(2, with: bob)
        _ = bench.takeDirectory()
        bench.received(bob.hello("Rob").asHeartbeat, on: 2)
        let renamed = try changed(&bench)
        #expect(renamed.name(of: bob.identity) == "Bob" && renamed[bob.identity]?.newName == "Rob")
    }

    /// Heartbeats come all the time: nothing of the directory is looked at, copied or published.
    @Test func presenceIsNoPartOfIt() throws {
        var bench = try EngineBench(peers: [bob.record()])
        bench.open(1, with: bob)
        _ = (bench.takeDirectory(), bench.takeEffects())
        bench.received(bob.hello(activity: .away).asHeartbeat, on: 1)
        #expect(bench.takeEffects().contains { if case .notify(.peer) = $0 { true } else { false } })
        bench.received(bob.hello(activity: .away).asHeartbeat, on: 1)
        bench.received(bob.typing(bob.conversation(with: bench.identity)), on: 1)
        bench.pass(Limits.heartbeatMilliseconds)
        #expect(bench.takeDirectory() == nil)
        bench.feed(.linkClosed(LinkID(1), .closed))
        #expect(bench.takeDirectory() == nil)
    }

    @Test func itHasWhatIsOnDiskOfGroups() throws {
        var crew = try GroupBench(2)
        let everybody = ([crew.bench.identity] + crew.peers.map(\.identity)).sorted()
        let created = try changed(&crew.bench)
        #expect(created[crew.group]?.members == everybody && created[crew.group]?.isMember == true)
        let renamed = try directory(&crew.bench, after: .changeGroup(who: "Crew", .rename("Bridge")))
        #expect(renamed[crew.group]?.title == "Bridge" && renamed[crew.group]?.createdAs == "Crew")
        let named = try directory(&crew.bench, after: .changeGroup(who: "Bridge", .topic("All hands")))
        #expect(named[crew.group]?.topic == "All hands")
        let (gone, heir) = (crew.peers[0].identity, crew.peers[1].identity)
        let removed = try directory(&crew.bench, after: .changeGroup(who: "Bridge", .remove([gone.text])))
        #expect(removed[crew.group]?.members == everybody.filter { $0 != gone })
        let appointed = try directory(&crew.bench, after: .changeGroup(who: "Bridge", .appoint([heir.text])))
        #expect(appointed[crew.group]?.admins == [crew.bench.identity, heir].sorted())
        let left = try directory(&crew.bench, after: .changeGroup(who: "Bridge", .leave))
        #expect(left[crew.group]?.isMember == false && left[crew.group]?.title == "Bridge")
    }

    @Test func itHasTheUsersOwnSettings() throws {
        var bench = try EngineBench(peers: [bob.record()])
        bench.give(.send(who: "Bob", text: "hello"))
        let place = bob.conversation(with: bench.identity)
        let pinned = try directory(&bench, after: .setPreference(who: "Bob", .pin(true)))
        #expect(pinned.preferences[place]?.isPinned == true)
        #expect(try directory(&bench, after: .setPreference(who: "Bob", .pin(false))).preferences.isEmpty)
        #expect(try directory(&bench, after: .setName("Ada Byron")).name(of: bench.identity) == "Ada Byron")
        #expect(try directory(&bench, after: .setPresence(.busy, text: nil)).profile.activity == .busy)
    }

    @Test func itHasHowFarFilesHaveCome() throws {
        var bench = try EngineBench(peers: [bob.record()])
        bench.give(.send(who: "Bob", text: "hello"))
        let (place, file) = (bob.conversation(with: bench.identity), FileID(value: Bytes32(hashing: [1], domain: 0)))
        let mention = FileMention(file: file, name: "plan.pdf", size: 100_000)
        #expect(try directory(&bench, after: .fetch(place, mention))[file]?.record.state == .wanted)
        #expect(try directory(&bench, after: .pauseFile(file))[file]?.record.state == .paused)
        #expect(try directory(&bench, after: .cancelFile(file))[file]?.record.state == .cancelled)
    }

    @Test func aFileThatComesIsInItAsItIsTold() throws {
        let office = try TransferWorld(size: 10_000_000)
        office.world.network.slowest = 200
        office.fetch(by: 1)
        #expect(office.runUntilPart(at: 1))
        office.world.run(for: 2_000)
        let part = try #require(office.world.nodes[1].engine?.directory[office.mention.file])
        #expect(part.bytes > 0 && part.bytes < part.record.size && part.record.state == .wanted)
        #expect(try office.world.run(until: { try office.isDone(1) }, within: 600_000))
        let engine = try #require(office.world.nodes[1].engine)
        #expect(engine.directory[office.mention.file]?.record.state == .done && engine.wrongIndexes.isEmpty)
    }

    /// What the disk did not take is not in it.
    @Test func whatIsNotStoredIsTakenBack() throws {
        var bench = try EngineBench(peers: [bob.record()])
        bench.give(.send(who: "Bob", text: "hello"))
        let before = bench.engine.directory
        let mention = FileMention(file: FileID(value: Bytes32(hashing: [1], domain: 0)), name: "plan.pdf", size: 1)
        let commands: [Command] = [
            .setAlias(who: "Bob", alias: "Robert"), .setName("Ada Byron"), .setPreference(who: "Bob", .pin(true)),
            .fetch(bob.conversation(with: bench.identity), mention),
            .createGroup(title: "Crew", who: ["Bob"], nonce: [UInt8](repeating: 7, count: 16)),
        ]
        for command in commands {
            bench.diskFails = true
            _ = try bench.ask(command)
            bench.diskFails = false
            #expect(bench.engine.directory == before && bench.engine.wrongIndexes.isEmpty, "\(command)")
        }
    }
}
