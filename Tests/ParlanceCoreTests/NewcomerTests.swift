import Foundation
import ParlanceCore
import ParlanceRecords
import ParlanceTestKit
import ParlanceWire
import Testing

/// A group's other members hear of what a newcomer writes before they hear of its addition.
@Suite struct NewcomerTests {
    /// A group with Ada, Bob, who is an admin, and Eve. Bob adds Zed.
    private struct Scene {
        var group: GroupBench
        let addition: StoredEvent
        /// The event that the addition names, if Ada does not hold it yet.
        let parent: StoredEvent?
        var zed: RemotePeer

        init(waits: Bool) throws {
            group = try GroupBench(2)
            zed = try RemotePeer(9, replica: 0x49)
            let bob = group.peers[0].identity
            _ = try group.bench.ask(.changeGroup(who: "Crew", .appoint([bob.grouped])))
            var seen = group.bench.batches.flatMap(\.events).filter(\.header.kind.isMembership)
            // Another replica of Ada's has added somebody.
            var twin = try RemotePeer(1, replica: 0x77)
            let yan = try RemotePeer(8).identity
            parent = waits ? twin.change(.add, [yan], after: seen, in: group.group) : nil
            if let parent { seen = [parent] }
            addition = group.peers[0].change(.add, [zed.identity], after: seen, in: group.group)
            group.open(0)
            group.open(1)
            if waits { group.send([addition], by: 0) }
        }

        /// Zed becomes a member, as Ada's node knows.
        mutating func add() {
            if let parent {
                group.bench.received(group.peers[0].invite(group.group, [parent]), on: 0)
            } else {
                group.send([addition], by: 0)
            }
        }

        enum Asked { case summary, want }

        /// What Eve is asked for: to tell her state anew, or to send Zed's log.
        mutating func eveIsSent() -> [Asked] {
            group.bench.takeFrames(on: 1).compactMap { frame in
                switch frame {
                case .summary(let summary) where summary.entries.map(\.conversation) == [Data(group.group.bytes)]:
                    .summary
                case .want(let want) where want.log == zed.logID.wire: .want
                default: nil
                }
            }
        }
    }

    @Test(arguments: [false, true]) func aLogIsAskedForOnceItsAuthorIsNamed(waits: Bool) throws {
        var scene = try Scene(waits: waits)
        let text = scene.zed.write("hello", to: scene.group.bench.identity, in: scene.group.group)
        scene.group.tellHave(text, by: 1)
        scene.group.bench.pass(2 * Limits.healDelayMilliseconds)
        let early = scene.eveIsSent()
        #expect(early == [], "nobody has named Zed")
        scene.add()
        let onceNamed = scene.eveIsSent()
        #expect(onceNamed == [.summary])
        let clock = Clock(entries: [text.header.log: Clock.Entry(position: text.position)])
        scene.group.bench.received(scene.group.peers[1].clock(scene.group.group, clock), on: 1)
        scene.group.bench.pass(2 * Limits.healDelayMilliseconds)
        let later = scene.eveIsSent()
        #expect(later == [.want])
        // Eve has told her state now, and is not asked again at the next change.
        let fay = try RemotePeer(7).identity
        scene.group.send(
            [scene.group.peers[0].change(.add, [fay], after: [scene.addition], in: scene.group.group)],
            by: 0
        )
        let last = scene.eveIsSent()
        #expect(!last.contains(.summary))
    }

    @Test(arguments: [false, true]) func aReceiptCountsOnceItsMemberIsNamed(waits: Bool) throws {
        var scene = try Scene(waits: waits)
        _ = try scene.group.bench.ask(.send(who: "Crew", text: "hello"))
        let text = try #require(scene.group.bench.batches.flatMap(\.events).last)
        let marks = scene.zed.marks([scene.zed.mark(text)], in: scene.group.group)
        scene.group.bench.received(marks, on: 1)
        #expect(scene.group.bench.engine.census.watermarks == 0)
        let before = scene.eveIsSent()
        #expect(!before.contains(.summary))
        scene.add()
        let then = scene.eveIsSent()
        #expect(then == [.summary])
        scene.group.bench.received(marks, on: 1)
        #expect(scene.group.bench.engine.census.watermarks == 1)
    }

    /// Everything that was ignored is told again to a peer that opens the conversation anew, including the proof of a
    /// fork.
    @Test func aForkIsToldAgainToWhoeverListsTheGroupAnew() throws {
        var group = try GroupBench(2)
        group.open(0)
        group.open(1)
        var twin = group.peers[0]
        let events = [group.write("one", by: 0), twin.write("other", to: group.bench.identity, in: group.group)]
        for event in events { group.send([event], by: 0) }
        func forks() -> Int { group.take { if case .fork = $0 { true } else { nil } }[1]?.count ?? 0 }
        let first = forks()
        #expect(first == 1)
        group.bench.received(group.peers[1].summary(of: [(group.group, Clock())]), on: 1)
        let again = forks()
        #expect(again == 1)
    }
}
