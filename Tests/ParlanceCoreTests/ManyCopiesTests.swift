import Foundation
import ParlanceCore
import ParlanceRecords
import ParlanceTestKit
import ParlanceWire
import Testing

/// An identity with many replicas: a container or a live system makes a new one at each start.
@Suite struct ManyCopiesTests {
    private func replica(_ number: Int) throws -> ReplicaID {
        try #require(ReplicaID([UInt8](repeating: 0x55, count: 8) + UInt64(number).bigEndianBytes))
    }

    /// The read watermark of a 17th replica counts, on disk as in memory, and no status goes back.
    @Test(arguments: [false, true]) func theNewestCopysReadMarkCounts(isGroup: Bool) throws {
        var group = try GroupBench(1)
        var bob = group.peers[0]
        let who = isGroup ? "Crew" : bob.identity.grouped
        for number in 1...20 {
            _ = try group.bench.ask(.send(who: who, text: "\(number)"))
            let event = try #require(group.bench.batches.flatMap(\.events).last)
            bob.replica = try replica(100 - number)
            group.bench.opened(UInt64(number), with: bob)
            group.bench.received(bob.hello(), on: UInt64(number))
            group.bench.received(bob.readMark(event), on: UInt64(number))
            #expect(try read(&group, isGroup) == event.header.sequence, "copy \(number)")
            #expect(group.bench.engine.census.watermarks <= 2 * Limits.copiesPerMember)
            group.bench.feed(.linkClosed(LinkID(UInt64(number)), .closed))
        }
        group.bench.pass(60_000)
        let marks = group.bench.disk.snapshot.watermarks.filter {
            $0.key.member == bob.identity && $0.key.level == .read
        }
        #expect(marks.count == Limits.copiesPerMember)
        let last = try read(&group, isGroup)
        group.bench.restart()
        #expect(try read(&group, isGroup) == last)
    }

    private func read(_ group: inout GroupBench, _ isGroup: Bool) throws -> UInt64 {
        let delivery: DeliveryView
        if isGroup {
            guard case .success(.group(let view)) = try group.bench.ask(.findGroup(who: "Crew")) else { return 0 }
            delivery = view.delivery
        } else {
            delivery = try group.bench.view(of: group.peers[0].identity).delivery
        }
        return delivery.logs.flatMap(\.progress).map(\.read.sequence).max() ?? 0
    }

    /// A new replica names its predecessor's log, and not the log of every earlier replica.
    @Test func aNewCopyNamesItsPredecessor() throws {
        let bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record()])
        // The link makes the engine write Bob's row to disk.
        bench.open(1, with: bob)
        _ = try bench.ask(.send(who: "Bob", text: "first"))
        bench.pass(60_000)
        var last = try #require(bench.batches.flatMap(\.events).last)
        for number in 1...20 {
            bench.restart(as: try replica(number))
            _ = try bench.ask(.send(who: "Bob", text: "\(number)"))
            let event = try #require(bench.batches.flatMap(\.events).last)
            #expect(event.header.log.replica == (try replica(number)))
            #expect(event.header.dependencies.map(\.id) == [last.id], "copy \(number)")
            last = event
        }
        let shown = bench.disk.history(of: bob.conversation(with: bench.identity)).map(\.text)
        #expect(shown == ["first"] + (1...20).map { "\($0)" })
    }

    /// A replica that wrote nothing leaves no row behind.
    @Test func copiesThatWroteNothingAreForgotten() throws {
        var bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record()])
        bench.open(1, with: bob)
        let event = bob.write("hello", to: bench.identity)
        bench.received(bob.events(bob.conversation(with: bench.identity), [event]), on: 1)
        bench.feed(.linkClosed(LinkID(1), .closed))
        let writer = bob.replica
        for number in 2...60 {
            bob.replica = try replica(number)
            bench.opened(UInt64(number), with: bob)
            bench.received(bob.hello(), on: UInt64(number))
            bench.feed(.linkClosed(LinkID(UInt64(number)), .closed))
        }
        bench.pass(60_000)
        let epochs = try #require(bench.disk.snapshot.peers.first { $0.id == bob.identity }).epochs
        #expect(epochs.count == Limits.epochsPerPeer + 2)
        #expect(epochs[writer] == 1 && epochs[bob.replica] == 1)
    }
}
