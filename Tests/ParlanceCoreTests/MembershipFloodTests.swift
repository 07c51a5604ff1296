import Foundation
import ParlanceCore
import ParlanceErrorCode
import ParlanceRecords
import ParlanceTestKit
import ParlanceWire
import Testing

/// Members and former members send membership events without end: the admins can still change the group, and everybody
/// can still leave it.
@Suite struct MembershipFloodTests {
    private static let flood = 1_024

    /// A group with Ada as its admin, Bob and Eve; Eve writes changes that she has no right to make.
    private struct Scene {
        var group: GroupBench
        let creation: StoredEvent

        init() throws {
            group = try GroupBench(2)
            creation = try #require(group.bench.batches.flatMap(\.events).first { $0.header.kind == .create })
            group.open(0)
            group.open(1)
        }

        /// A number of changes by one author, each about a number of people who do not exist.
        func changes(_ count: Int, about people: Int, by author: inout RemotePeer) throws -> [StoredEvent] {
            try (0..<count).map { number in
                let bytes = [UInt8](repeating: 0xEE, count: 24) + UInt64(number % people).bigEndianBytes
                let nobody = try #require(PeerID(bytes))
                return author.change(.add, [nobody], after: [creation], in: group.group)
            }
        }

        mutating func command(_ change: GroupChange) throws -> Result<Answer, Refusal> {
            try group.bench.ask(.changeGroup(who: "Crew", change))
        }

        /// The other members, as Ada sees them.
        mutating func members() throws -> [PeerID] {
            guard case .success(.group(let view)) = try group.bench.ask(.findGroup(who: "Crew")) else {
                throw EngineBench.Unexpected(what: "no group")
            }
            return view.members.map(\.peer).filter { $0 != group.bench.identity }
        }
    }

    @Test func aMemberWhoFloodsAGroupIsRemoved() throws {
        var scene = try Scene()
        var eve = scene.group.peers[1]
        let flood = try scene.changes(Self.flood, about: Self.flood, by: &eve)
        for start in stride(from: 0, to: flood.count, by: 64) {
            scene.group.send(flood[start..<min(start + 64, flood.count)], by: 1)
        }
        #expect(scene.group.bench.closed.isEmpty)
        #expect(scene.group.bench.disk.snapshot.membership.count < 100, "what can never count is not held")
        guard case .success = try scene.command(.remove([eve.identity.grouped])) else {
            Issue.record("the admin cannot remove her")
            return
        }
        #expect(try scene.members() == [scene.group.peers[0].identity])
    }

    /// An event that waits for something that nobody has names nobody; otherwise one member could let in any number of
    /// strangers.
    @Test func aMemberLetsNobodyInByNamingWhatNobodyHas() throws {
        var scene = try Scene()
        var eve = scene.group.peers[1]
        var nobody = try RemotePeer(10, replica: 0x4A)
        var stranger = try RemotePeer(9, replica: 0x49)
        let flood = (0..<Limits.membershipWaiting).map { _ in
            let unknown = nobody.change(.leave, after: [], in: scene.group.group)
            return eve.change(.add, [stranger.identity], after: [unknown], in: scene.group.group)
        }
        for start in stride(from: 0, to: flood.count, by: 64) { scene.group.send(flood[start..<start + 64], by: 1) }
        #expect(scene.group.bench.disk.snapshot.membership.count == 1 + flood.count, "they wait")
        let before = scene.group.bench.engine.census
        let text = stranger.write("hello", to: scene.group.bench.identity, in: scene.group.group)
        scene.group.tellHave(text, by: 1)
        scene.group.send([text], by: 1)
        scene.group.bench.pass(2 * Limits.healPatienceMilliseconds)
        #expect(scene.group.bench.closed.isEmpty)
        #expect(scene.group.bench.engine.census.logs == before.logs)
        #expect(scene.group.bench.engine.census.clockEntries == before.clockEntries)
        #expect(!scene.group.bench.batches.flatMap(\.events).contains { $0.header.log == stranger.logID })
        scene.group.bench.received(stranger.marks([stranger.mark(flood[0])], in: scene.group.group), on: 1)
        #expect(scene.group.bench.engine.census.watermarks == before.watermarks)
    }

    @Test func aMemberLeavesAGroupThatAnotherFloods() throws {
        var scene = try Scene()
        var (bob, eve) = (scene.group.peers[0], scene.group.peers[1])
        // Departures could count, so some of them are held.
        let flood = (0..<400).map { _ in eve.change(.leave, after: [scene.creation], in: scene.group.group)
        }
        scene.group.send(flood, by: 1)
        #expect(scene.group.bench.disk.snapshot.membership.count < 100)
        let leaving = bob.change(.leave, after: [scene.creation], in: scene.group.group)
        scene.group.send([leaving], by: 0)
        #expect(try scene.members().isEmpty)
    }

    /// A member can leave, whatever others have sent.
    @Test func oneLeavesAGroupThatAnotherFloods() throws {
        var scene = try Scene()
        var eve = scene.group.peers[1]
        let departures = (0..<200).map { _ in
            eve.change(.leave, after: [scene.creation], in: scene.group.group)
        }
        scene.group.send(departures, by: 1)
        for start in stride(from: 0, to: Self.flood, by: 64) {
            let changes = try scene.changes(64, about: Self.flood + start, by: &eve)
            scene.group.send(changes, by: 1)
        }
        guard case .success = try scene.command(.appoint([scene.group.peers[0].identity.grouped])),
            case .success(.group(let view)) = try scene.command(.leave)
        else {
            Issue.record("she cannot leave")
            return
        }
        #expect(!view.isMember)
    }

    /// An invitation by a peer that was removed and is not accepted is ignored.
    @Test func whoWasRemovedAndForgottenIsNotHeard() throws {
        var scene = try Scene()
        var eve = scene.group.peers[1]
        guard case .success = try scene.command(.remove([eve.identity.grouped])) else {
            Issue.record("the admin cannot remove her")
            return
        }
        _ = scene.group.bench.give(.forget(who: eve.identity.grouped))
        scene.group.close(1)
        scene.group.bench.opened(7, with: eve)
        scene.group.bench.received(eve.hello(), on: 7)
        let before = scene.group.bench.disk.snapshot.membership.count
        let leaving = eve.change(.leave, after: [scene.creation], in: scene.group.group)
        scene.group.bench.received(eve.invite(scene.group.group, [leaving]), on: 7)
        #expect(scene.group.bench.disk.snapshot.membership.count == before)
    }

    /// No signature in an invitation by a stranger is checked: not even a wrong one is noticed.
    @Test func anInvitationByAStrangerIsNotVerified() throws {
        var scene = try Scene()
        var mallory = try RemotePeer(9, replica: 0x49)
        scene.group.bench.opened(7, with: mallory)
        scene.group.bench.received(mallory.hello(), on: 7)
        var change = mallory.change(.leave, after: [scene.creation], in: scene.group.group)
        change.signature = [UInt8](repeating: 1, count: 64)
        let before = scene.group.bench.batches.count
        scene.group.bench.received(mallory.invite(scene.group.group, [change]), on: 7)
        #expect(scene.group.bench.batches.count == before)
        #expect(!scene.group.bench.closed.contains(LinkID(7)))
    }

    /// An admin whose share of changes is used up gets an error, and can still remove members.
    @Test func aChangeThatDoesNotHappenIsAnError() throws {
        var scene = try Scene()
        // Another replica of Ada's has used up her additions.
        var twin = try RemotePeer(1, replica: 0x77)
        let additions = try scene.changes(Limits.membershipChanges, about: 1, by: &twin)
        // The effect shows before the disk has written the events.
        scene.group.bench.diskWaits = true
        scene.group.bench.received(scene.group.peers[0].invite(scene.group.group, additions), on: 0)
        let bob = scene.group.peers[0].identity.grouped
        guard case .failure(let error) = try scene.command(.appoint([bob])) else {
            Issue.record("it says that it has appointed him")
            return
        }
        #expect(error.code == .notAllowed)
        _ = scene.group.bench.give(.changeGroup(who: "Crew", .remove([bob])))
        #expect(try !scene.members().contains(scene.group.peers[0].identity))
    }
}
