import ParlanceCore
import ParlanceRecords
import ParlanceTestKit
import ParlanceWire
import Testing

/// Which membership events an engine knows to be applied, when more come than are held (groups.md, "What is held"): those
/// that it would know after a start.
@Suite struct AppliedChangesTests {
    private func expectKept(_ group: GroupBench, _ what: Comment) {
        #expect(group.bench.engine.kept.appliedChanges == group.bench.disk.snapshot.appliedChanges, what)
    }

    /// A member leaves again and again: the changes that give way to others are forgotten.
    @Test func whatGivesWayIsForgotten() throws {
        var group = try GroupBench(2)
        let creation = try #require(group.bench.batches.flatMap(\.events).first { $0.header.kind == .create })
        group.open(0)
        group.open(1)
        var eve = group.peers[1]
        let flood = (0..<(4 * Limits.membershipVoid)).map { _ in
            eve.change(.leave, after: [creation], in: group.group)
        }
        // Once she has left, others pass on what she writes.
        for start in stride(from: 0, to: flood.count, by: 16) {
            group.send(flood[start..<start + 16], by: 0)
        }
        let held = Set(group.bench.disk.snapshot.membership.map(\.id))
        #expect(flood.contains { !held.contains($0.id) }, "some gave way")
        expectKept(group, "what gave way is in memory still")
    }

    /// A change that was not held when its log was applied comes in an invitation, once it counts: it is applied from then
    /// on.
    @Test func whatComesBackIsApplied() throws {
        var group = try GroupBench(2)
        let creation = try #require(group.bench.batches.flatMap(\.events).first { $0.header.kind == .create })
        group.open(0)
        var twin = try RemotePeer(1, replica: 0x77)
        var bob = group.peers[0]
        let appointment = twin.change(.appoint, [bob.identity], after: [creation], in: group.group)
        let additions = (0..<(Limits.membershipWaiting + 16)).map { _ in
            bob.change(.add, [group.peers[1].identity], after: [appointment], in: group.group)
        }
        for start in stride(from: 0, to: additions.count, by: 16) {
            group.send(additions[start..<start + 16], by: 0)
        }
        let before = Set(group.bench.disk.snapshot.membership.map(\.id))
        let dropped = additions.filter { !before.contains($0.id) }
        #expect(dropped.count == 16, "so many more than may wait")
        group.bench.received(group.peers[0].invite(group.group, [appointment]), on: 0)
        group.bench.received(group.peers[0].invite(group.group, dropped), on: 0)
        let after = Set(group.bench.disk.snapshot.membership.map(\.id))
        #expect(dropped.allSatisfy { after.contains($0.id) }, "they are held now")
        expectKept(group, "what came back is not known to be applied")
    }
}
