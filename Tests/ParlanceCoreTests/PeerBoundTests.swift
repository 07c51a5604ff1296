import Foundation
import ParlanceCore
import ParlanceRecords
import ParlanceSodium
import ParlanceTestKit
import ParlanceWire
import Testing

/// Bounds on what one accepted peer can make a node keep or do.
@Suite struct PeerBoundTests {
    private let bob: RemotePeer

    init() throws { bob = try RemotePeer() }

    private func replica(_ number: Int) throws -> ReplicaID {
        try #require(ReplicaID([UInt8](repeating: 0x55, count: 8) + UInt64(number).bigEndianBytes))
    }

    private func claims(_ numbers: Range<Int>) throws -> Clock {
        var clock = Clock()
        for number in numbers {
            let log = LogID(author: bob.identity, replica: try replica(number))
            clock.entries[log] = Clock.Entry(position: LogPosition(sequence: 1, head: EventID(value: .zero)))
        }
        return clock
    }

    /// Clock entries of logs that nobody has are not kept, however many frames tell of them.
    @Test func madeUpLogsCostNoMemory() throws {
        var bob = self.bob
        var bench = try EngineBench(peers: [bob.record()])
        let conversation = bob.conversation(with: bench.identity)
        bench.open(1, with: bob)
        _ = try bench.ask(.send(who: "Bob", text: "hello"))
        for start in stride(from: 0, to: 10_000, by: 1_000) {
            bench.received(bob.have(conversation, try claims(start..<start + 1_000)), on: 1)
        }
        #expect(bench.engine.census.clockEntries == Limits.clockEntriesPerAuthor)
        bench.received(bob.clock(conversation, try claims(0..<2_000)), on: 1)
        #expect(bench.engine.census.clockEntries == Limits.clockEntriesPerAuthor)
        #expect(bench.closed.isEmpty)
        // A log that is held keeps its entry, whatever else is claimed.
        let event = bob.write("hello", to: bench.identity)
        bench.received(bob.events(conversation, [event]), on: 1)
        bench.received(bob.have(conversation, try claims(0..<1_000)), on: 1)
        let own = Clock(entries: [bob.logID: Clock.Entry(position: event.position)])
        bench.received(bob.have(conversation, own), on: 1)
        #expect(bench.engine.census.clockEntries == Limits.clockEntriesPerAuthor + 1)
    }

    /// All rooms count what they hold for whom, and nothing of it stays once the links are gone.
    @Test func whatAPeerCostsIsCountedAndGoesWithItsLinks() throws {
        let ada = try RemotePeer(3)
        var bench = try EngineBench(peers: [bob.record(), ada.record(name: "Ada")])
        let conversation = bob.conversation(with: bench.identity)
        bench.open(1, with: bob)
        bench.open(2, with: ada)
        for number in 0..<80 { _ = try bench.ask(.send(who: "Bob", text: "\(number)")) }
        let before = bench.engine.cost(of: ada.identity)
        bench.received(bob.clock(conversation, try claims(0..<2_000)), on: 1)
        bench.diskWaits = true
        var wanted = WireBodiesWanted()
        wanted.conversation = Data(conversation.bytes)
        wanted.log = LogID(author: bench.identity, replica: EngineBench.ownReplica).wire
        wanted.sequences = (1...UInt64(Limits.bodiesPerRequest)).map { $0 }
        bench.received(.bodiesWanted(wanted), on: 1)
        let cost = bench.engine.cost(of: bob.identity)
        #expect(cost.links == 1 && cost.bytes > 0)
        #expect(cost.reads >= Limits.bodiesPerRequest && cost.entries >= Limits.clockEntriesPerAuthor)
        #expect(bench.engine.cost(of: ada.identity) == before)
        #expect(bench.engine.excesses.isEmpty)
        var less = bench.engine.budget(of: bob.identity)
        less.entries = cost.entries - 1
        #expect(cost.excess(over: less).map(\.what) == ["entries"])
        bench.diskWaits = false
        bench.settle()
        bench.feed(.linkClosed(LinkID(1), .closed))
        #expect(bench.engine.cost(of: bob.identity) == .nothing)
    }

    /// The logs of a peer that has more replicas than are kept of a clock arrive over several links, one after the
    /// other.
    @Test func moreLogsThanAreKeptComeOverSeveralLinks() throws {
        var bench = try EngineBench(peers: [bob.record()])
        let conversation = bob.conversation(with: bench.identity)
        var written: [LogID: StoredEvent] = [:]
        for number in 0..<2 * Limits.clockEntriesPerAuthor + 1 {
            var copy = bob
            copy.replica = try replica(number)
            written[copy.logID] = copy.write("\(number)", to: bench.identity)
        }
        let clock = Clock(entries: SortedTable(written.mapValues { Clock.Entry(position: $0.position) }))
        var closed: [LinkID] = []
        for link in UInt64(1)...3 {
            bench.open(link, with: bob)
            bench.received(bob.clock(conversation, clock), on: link)
            for _ in 0..<4 {
                bench.pass(Limits.healPatienceMilliseconds)
                let wanted = bench.takeFrames(on: link).compactMap(\.asWant).compactMap { LogID($0.log) }
                for event in wanted.compactMap({ written[$0] }) {
                    bench.received(bob.events(conversation, [event]), on: link)
                }
            }
            closed = bench.closed
            let held = min(Int(link) * Limits.clockEntriesPerAuthor, written.count)
            #expect(bench.disk.history(of: conversation).count == held, "link \(link)")
            bench.feed(.linkClosed(LinkID(link), .closed))
        }
        #expect(closed == [LinkID(1), LinkID(2)], "the last one stays")
    }

    /// Logs that nobody has are no longer asked for once their peer does not name them any more.
    @Test func madeUpLogsAreNotWantedForEver() throws {
        var bench = try EngineBench(peers: [bob.record()])
        let conversation = bob.conversation(with: bench.identity)
        bench.open(1, with: bob)
        _ = try bench.ask(.send(who: "Bob", text: "hello"))
        for start in stride(from: 0, to: 1_000, by: 100) {
            bench.received(bob.clock(conversation, try claims(start..<start + 100)), on: 1)
            bench.pass(Limits.healPatienceMilliseconds)
            #expect(bench.engine.census.wants == Limits.clockEntriesPerAuthor)
        }
        bench.received(bob.clock(conversation, Clock()), on: 1)
        bench.pass(2 * Limits.healPatienceMilliseconds)
        #expect(bench.engine.census.wants == 0 && bench.closed.isEmpty)
    }

    /// Only the first entry of a conversation in a frame is evaluated, so a clock is hashed once. With many logs and
    /// many repeated entries the hashing took seconds.
    @Test func repeatsInASummaryAreOne() throws {
        for isSameFirst in [true, false] {
            var bob = self.bob
            var bench = try EngineBench(peers: [bob.record()])
            let conversation = bob.conversation(with: bench.identity)
            bench.open(1, with: bob)
            let event = bob.write("hello", to: bench.identity)
            bench.received(bob.events(conversation, [event]), on: 1)
            bench.feed(.linkClosed(LinkID(1), .closed))
            bench.opened(2, with: bob)
            bench.received(bob.hello(), on: 2)
            _ = bench.takeFrames(on: 2)
            let same = (conversation, Clock(entries: [bob.logID: Clock.Entry(position: event.position)]))
            let other = (conversation, Clock())
            let repeats = Array(repeating: isSameFirst ? other : same, count: 6_000)
            bench.received(bob.summary(of: [isSameFirst ? same : other] + repeats), on: 2)
            // A clock hash that differs is answered with the local clock.
            let clocks = bench.takeFrames(on: 2).filter { if case .clock = $0 { true } else { false } }
            #expect(clocks.count == (isSameFirst ? 0 : 1) && bench.closed.isEmpty)
        }
    }

    /// A limited number of the sequences that a peer says it lacks is kept; the peer is asked for those beyond, in
    /// vain.
    @Test(arguments: [0, 1]) func soManyMissingSequencesAreKept(beyond: Int) throws {
        var bob = self.bob
        var bench = try EngineBench(peers: [bob.record()])
        let conversation = bob.conversation(with: bench.identity)
        bench.open(1, with: bob)
        let count = Limits.missingTold + beyond
        let events = (1...count).map { bob.write("\($0)", to: bench.identity) }
        let last = UInt64(count)
        for start in stride(from: 0, to: count, by: Limits.eventsPerHead) {
            let run = events[start..<min(start + Limits.eventsPerHead, count)].map { event in
                var event = event
                if event.header.sequence == last { event.body = nil }
                return event
            }
            bench.received(bob.events(conversation, run), on: 1)
        }
        _ = bench.takeFrames(on: 1)
        let claim = Clock(entries: [bob.logID: Clock.Entry(position: events[count - 1].position)])
        guard case .clock(var frame) = bob.clock(conversation, claim) else { return }
        frame.entries[0].missingBodies = (1...last).map { $0 }
        bench.received(.clock(frame), on: 1)
        let wanted = bench.takeFrames(on: 1).flatMap { frame in
            if case .bodiesWanted(let wanted) = frame { wanted.sequences } else { [UInt64]() }
        }
        #expect(wanted == (beyond == 0 ? [] : [last]))
    }

    @Test func madeUpAddressesCostNoMemory() throws {
        let key = WorkspaceKey(secret: SecretBytes(copying: [UInt8](repeating: 1, count: 32)))
        var bench = try EngineBench()
        _ = try bench.ask(.workspace(.join(name: "Ship", key)))
        bench.opened(1, with: bob, workspaceTag: key.tag)
        bench.received(bob.hello(), on: 1)
        let cyd = try RemotePeer(3, replica: 0x43)
        let place = SignedAddresses.Place(address: try #require(NumericAddress([10, 0, 9, 1])), port: 4747)
        func frame(_ entries: [WireAddresses.Entry]) -> WireFrame.OneOf_Kind {
            var frame = WireAddresses()
            frame.entries = entries
            return .addresses(frame)
        }
        // A time far ahead makes the node ignore them before it checks their signatures.
        let future = UInt64(bench.now.wall + 3 * Limits.aheadMilliseconds)
        for start in stride(from: 0, to: 2_560, by: Limits.addressesPerFrame) {
            let entries = (start..<start + Limits.addressesPerFrame).map { number in
                var entry = SignedAddresses(of: cyd.identity, time: future, places: [place], with: cyd.key).wire
                entry.peer = Data([UInt8](repeating: 0x66, count: 24) + UInt64(number).bigEndianBytes)
                return entry
            }
            bench.received(frame(entries), on: 1)
        }
        #expect(bench.engine.census.addressesTold <= 1 && bench.closed.isEmpty)
        // Of several entries of one member in a frame the newest counts, whatever their order.
        let entries = [7, 6, 5].map { SignedAddresses(of: cyd.identity, time: $0, places: [place], with: cyd.key).wire }
        bench.received(frame(entries), on: 1)
        #expect(bench.engine.census.addressesTold <= 2 && bench.closed.isEmpty)
    }

    /// A member tells of one invented exclusion after another. Members that were left out before stay left out.
    @Test func madeUpExclusionsCostNoMemoryAndBringNobodyBack() throws {
        let key = WorkspaceKey(secret: SecretBytes(copying: [UInt8](repeating: 1, count: 32)))
        let eve = try RemotePeer(9, replica: 0x49)
        var bench = try EngineBench(peers: [bob.record(), eve.record(name: "Eve")])
        _ = try bench.ask(.workspace(.join(name: "Ship", key)))
        _ = try bench.ask(.workspace(.rotate(key, without: ["Eve"])))
        bench.opened(1, with: bob, workspaceTag: key.tag)
        bench.received(bob.hello(), on: 1)
        for round in 0..<10 {
            var frame = WireWorkspaceKey()
            frame.key = key.secret.withBytes { Data($0) }
            frame.number = 1
            frame.removed = (0..<Limits.workspaceRemoved).map { number in
                let made = UInt64(round * Limits.workspaceRemoved + number)
                return Data([UInt8](repeating: 0, count: 24) + made.bigEndianBytes)
            }
            bench.received(.workspaceKey(frame), on: 1)
        }
        let removed = try #require(bench.disk.snapshot.workspace).removed
        #expect(removed.count == Limits.workspaceRemoved && removed.contains(eve.identity))
        #expect(bench.engine.census.exclusionsTold <= Limits.workspaceRemoved && bench.closed.isEmpty)
        bench.opened(2, with: eve, workspaceTag: key.tag)
        #expect(bench.closed == [LinkID(2)])
    }

    /// When an identity has too many links, the one that was silent longest is closed.
    @Test func anIdentityHasSoManyLinks() throws {
        var bench = try EngineBench(peers: [bob.record()])
        for number in 1...Limits.linksPerPeer {
            var copy = bob
            copy.replica = try replica(number)
            bench.opened(UInt64(number), with: copy)
            bench.received(copy.hello(), on: UInt64(number))
            bench.pass(1_000)
        }
        bench.received(.heartbeat(WireHeartbeat()), on: 1)
        #expect(bench.closed.isEmpty)
        _ = bench.takeEffects()
        var fifth = bob
        fifth.replica = try replica(99)
        bench.opened(99, with: fifth)
        #expect(bench.closed == [LinkID(2)])
        let byes = bench.takeFrames(on: 2).compactMap { if case .bye(let bye) = $0 { bye.reason } else { nil } }
        #expect(byes == [.limit])
    }

    @Test func aBodyIsReadOnceAndSoManyOnALink() throws {
        var bench = try EngineBench(peers: [bob.record()])
        bench.open(1, with: bob)
        for number in 0..<80 { _ = try bench.ask(.send(who: "Bob", text: "\(number)")) }
        let before = bench.engine.census.reads
        bench.diskWaits = true
        var wanted = WireBodiesWanted()
        wanted.conversation = Data(bob.conversation(with: bench.identity).bytes)
        wanted.log = LogID(author: bench.identity, replica: EngineBench.ownReplica).wire
        wanted.sequences = Array(repeating: 1, count: Limits.bodiesPerRequest)
        bench.received(.bodiesWanted(wanted), on: 1)
        #expect(bench.engine.census.reads == before + 1)
        for start in [UInt64(1), 17] {
            wanted.sequences = (start..<start + 64).map { $0 }
            bench.received(.bodiesWanted(wanted), on: 1)
        }
        #expect(bench.engine.census.reads == before + Limits.bodiesPerRequest)
        bench.diskWaits = false
        bench.settle()
        #expect(bench.engine.census.reads == before)
        let bodies = bench.takeFrames(on: 1).filter { if case .bodies = $0 { true } else { false } }
        #expect(bodies.count == Limits.bodiesPerRequest && bench.closed.isEmpty)
    }
}
