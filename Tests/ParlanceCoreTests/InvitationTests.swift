import Foundation
import ParlanceCore
import ParlanceHistory
import ParlanceRecords
import ParlanceTestKit
import ParlanceWire
import Testing

/// What is kept of invitations, and who is invited again. A long invitation comes in parts. The parts of an unknown group
/// that are kept until the rest arrives are bounded.
@Suite struct InvitationTests {
    /// Bob, an accepted peer, has created a group of which Ada is not a member.
    private struct Scene {
        var bench: EngineBench
        var bob: RemotePeer
        let group: ConversationID
        let creation: StoredEvent

        init() throws {
            var bob = try RemotePeer()
            bench = try EngineBench(peers: [bob.record()])
            bench.open(1, with: bob)
            var body = WireCreateBody()
            body.nonce = Data(repeating: 7, count: 16)
            body.title = "Crew"
            let bytes = body.encodedBytes()
            group = ConversationID(creator: bob.identity, creation: bytes)
            creation = bob.append(bytes, in: group, kind: .create)
            self.bob = bob
        }

        mutating func invite(_ events: some Sequence<StoredEvent>) {
            bench.received(bob.invite(group, events), on: 1)
        }

        /// Whether Ada is in the group once her addition arrives too.
        mutating func isTakenWithTheRest() throws -> Bool {
            invite([bob.change(.add, [bench.identity], after: [creation], in: group)])
            if case .success = try bench.ask(.findGroup(who: "Crew")) { return true }
            return false
        }
    }

    /// Members need not accept each other: nobody waits for that in a group.
    @Test func aMemberWhoIsNoContactNeedNotAccept() throws {
        var scene = try Scene()
        let cleo = try RemotePeer(3, replica: 0x43)
        scene.invite([
            scene.creation,
            scene.bob.change(.add, [scene.bench.identity, cleo.identity], after: [scene.creation], in: scene.group),
        ])
        _ = try scene.bench.ask(.send(who: "Crew", text: "hello"))
        func reason() throws -> WaitReason? {
            guard case .success(.group(let view)) = try scene.bench.ask(.findGroup(who: "Crew")) else {
                throw EngineBench.Unexpected(what: "no group")
            }
            return view.delivery.recipients.first { $0.peer == cleo.identity }?.reason
        }
        #expect(try reason() == .peerOffline)
        scene.bench.opened(2, with: cleo)
        scene.bench.received(cleo.hello("Cleo"), on: 2)
        #expect(try reason() == .onItsWay, "Cleo has not yet listed her conversations")
        scene.bench.received(cleo.summary(of: []), on: 2)
        #expect(try reason() == .notJoined)
    }

    @Test(arguments: [0, 1]) func partsOfAnInvitationAreKeptUpToANumber(beyond: Int) throws {
        var scene = try Scene()
        let rest = (1..<Limits.membershipEvents + beyond).map { _ in
            scene.bob.change(.add, [scene.bob.identity], after: [], in: scene.group)
        }
        let parts = [scene.creation] + rest
        for start in stride(from: 0, to: parts.count, by: 512) {
            scene.invite(parts[start..<min(start + 512, parts.count)])
        }
        let isTaken = try scene.isTakenWithTheRest()
        #expect(isTaken == (beyond == 0))
        #expect(scene.bench.closed.isEmpty)
        #expect(scene.bench.engine.census.invitationBytes < 1_024, "what was taken does not wait")
    }

    @Test(arguments: [0, 1]) func partsOfAnInvitationAreKeptUpToSoManyBytes(beyond: Int) throws {
        var scene = try Scene()
        let crowd = try (0..<Limits.members).map { number in
            try #require(PeerID([UInt8](repeating: 0xEE, count: 24) + UInt64(number).bigEndianBytes))
        }
        let name = String(repeating: "n", count: Limits.nameBytes)
        scene.invite([scene.creation])
        var bytes = scene.creation.byteCount
        while true {
            let event = scene.bob.change(.add, crowd, names: name, after: [], in: scene.group)
            guard bytes + event.byteCount <= Limits.invitationBytes || beyond > 0 else { break }
            scene.invite([event])
            bytes += event.byteCount
            #expect(scene.bench.engine.census.invitationBytes <= Limits.invitationBytes)
            if bytes > Limits.invitationBytes { break }
        }
        let isTaken = try scene.isTakenWithTheRest()
        #expect(isTaken == (beyond == 0))
        #expect(scene.bench.closed.isEmpty)
    }

    /// Events that can never count, and events that come again, take no room.
    @Test func whatCannotCountIsNoPartOfAnInvitation() throws {
        var scene = try Scene()
        scene.invite([scene.creation, scene.creation])
        scene.invite([scene.creation])
        #expect(scene.bench.engine.census.invitationBytes == scene.creation.byteCount)
        let large = [UInt8](repeating: 0xFF, count: Limits.frameBytes - 8 * 1_024)
        scene.invite([scene.bob.append(large, in: scene.group, kind: .members)])
        #expect(scene.bench.engine.census.invitationBytes == scene.creation.byteCount)
        let isTaken = try scene.isTakenWithTheRest()
        #expect(isTaken)
        #expect(scene.bench.closed.isEmpty)
    }

    /// The table of membership events says nothing of that either.
    @Test func aGroupDoesNotKeepThroughWhomAChangeCame() throws {
        var scene = try Scene()
        let dan = try RemotePeer(3, replica: 0x43)
        let both = [scene.bench.identity, dan.identity]
        let addition = scene.bob.change(.add, both, after: [scene.creation], in: scene.group)
        scene.invite([scene.creation, addition])
        let appointment = scene.bob.change(.appoint, [dan.identity], after: [addition], in: scene.group)
        scene.bench.opened(2, with: dan)
        scene.bench.received(dan.hello("Dan"), on: 2)
        scene.bench.received(dan.events(scene.group, [scene.creation, addition, appointment]), on: 2)
        #expect(scene.bench.batches.flatMap(\.events).map(\.via) == [dan.identity, dan.identity, dan.identity])
        let kept = scene.bench.engine.kept.membership
        #expect(kept.count == 3 && kept.allSatisfy { $0.via == nil })
        #expect(kept == scene.bench.disk.snapshot.membership)
    }

    // Who is invited again.

    /// A peer that was restored from a backup has ignored the invitation, since it had not accepted this user then. It has
    /// answered a request before, so it is not asked again.
    @Test(arguments: [false, true]) func whoListsTheConversationLateIsInvitedAgain(byClock: Bool) throws {
        var crew = try GroupBench(1)
        let peer = crew.peers[0]
        crew.bench.opened(1, with: peer)
        crew.bench.received(peer.hello(), on: 1)
        crew.bench.received(peer.answer(to: crew.bench.identity), on: 1)
        crew.bench.feed(.linkClosed(LinkID(1), .closed))
        crew.bench.opened(2, with: peer)
        crew.bench.received(peer.hello(), on: 2)
        crew.bench.received(peer.summary(of: []), on: 2)
        #expect(invitations(&crew) == [1])
        let direct = peer.conversation(with: crew.bench.identity)
        let listing = byClock ? peer.clock(direct, Clock()) : peer.summary(of: [(direct, Clock())])
        crew.bench.received(listing, on: 2)
        #expect(invitations(&crew) == [1])
        crew.bench.received(listing, on: 2)
        crew.bench.received(peer.summary(of: [(direct, Clock())]), on: 2)
        #expect(invitations(&crew) == [], "it listed the conversation before")
    }

    @Test func whoListsTheGroupIsNotInvitedAgain() throws {
        var crew = try GroupBench(1)
        let peer = crew.peers[0]
        crew.open(0)
        crew.bench.received(peer.summary(of: [(peer.conversation(with: crew.bench.identity), Clock())]), on: 0)
        #expect(crew.take(\.asInvite).isEmpty)
    }

    /// Two members have told each other what they hold. Before the clock of one has come, the other is told of a change by a
    /// third: it passes the change on.
    @Test func whatComesBeforeTheClockIsPassedOn() throws {
        var crew = try GroupBench(2)
        crew.open(0)
        let (group, other) = (crew.group, crew.peers[1])
        var entry = WireSummary.Entry()
        entry.conversation = Data(group.bytes)
        // Not ours, so a clock is to come.
        entry.clockHash = Data(repeating: 1, count: 8)
        entry.membershipHash = Data(try #require(crew.bench.disk.memberships[group]).hash)
        var summary = WireSummary()
        summary.entries = [entry]
        crew.bench.opened(1, with: other)
        crew.bench.received(other.hello(), on: 1)
        crew.bench.received(.summary(summary), on: 1)
        _ = crew.take(\.asInvite)
        let creation = try #require(crew.bench.batches.flatMap(\.events).first { $0.header.kind == .create })
        let change = crew.peers[0].change(.leave, after: [creation], in: group)
        crew.bench.received(crew.peers[0].invite(group, [change]), on: 0)
        crew.bench.pass(Limits.healDelayMilliseconds)
        #expect(crew.take(\.asInvite)[1]?.flatMap(\.events).map { ReceivedEvent($0).id } == [change.id])
    }

    /// How many events each invitation on link 2 has.
    private func invitations(_ crew: inout GroupBench) -> [Int] {
        crew.bench.takeFrames(on: 2).compactMap(\.asInvite).map(\.events.count)
    }
}
