import Foundation
import ParlanceRecords
import ParlanceSodium
import ParlanceTestKit
import ParlanceWire
import Testing

@testable import ParlanceCore

/// Who gets on with whom in a workspace with admins: what admins can still do, who stays a member, and what the excluded are
/// told (charter.md).
@Suite struct CharterStandingTests {
    /// Ada, whose node the bench is, Bob, and Cyd, with the events that they sign.
    private struct Ship {
        var writer: CharterWriter
        let creation: StoredEvent
        let first: StoredEvent
        let bobs: StoredEvent
        let peers: [RemotePeer]

        init() throws {
            writer = try CharterWriter(people: 3)
            creation = writer.create()
            first = writer.rotate(to: 1, by: 0, after: [creation])
            bobs = writer.change(.appoint, [1], by: 0, after: [first])
            peers = [try RemotePeer(2), try RemotePeer(3)]
        }

        var bob: RemotePeer { peers[0] }
        var cyd: RemotePeer { peers[1] }

        func frame(_ events: [StoredEvent]) -> WireFrame.OneOf_Kind {
            var frame = WireCharterEvents()
            (frame.charter, frame.hash) = (Data(writer.id.bytes), Data(count: 8))
            frame.events = events.map(\.wire)
            return .charterEvents(frame)
        }

        /// Ada's node, which holds these events and has accepted both.
        func bench(_ events: [StoredEvent]) throws -> EngineBench {
            var bench = try EngineBench(peers: peers.map { $0.record() })
            let key = CharterStandingTests.key(1)
            _ = try bench.ask(.workspace(.join(name: "Ship", key, CharterPrefix(of: writer.id))))
            open(1, with: bob, &bench)
            bench.received(frame(events), on: 1)
            #expect(bench.disk.snapshot.workspace?.charter?.events.count == events.count)
            return bench
        }

        func open(_ link: UInt64, with peer: RemotePeer, _ bench: inout EngineBench) {
            bench.opened(link, with: peer, workspaceTag: CharterStandingTests.key(1).tag)
            bench.received(peer.hello(), on: link)
        }
    }

    private static func key(_ number: UInt8) -> WorkspaceKey {
        WorkspaceKey(secret: SecretBytes(copying: [UInt8](repeating: number, count: 32)))
    }

    private func charter(_ bench: EngineBench) -> Charter? { bench.disk.snapshot.workspace?.charter }

    private func keys(_ bench: EngineBench) -> Int { bench.disk.snapshot.workspace?.keys.count ?? 0 }

    // Links with the excluded.

    /// Its link is there to tell it why, and no longer than it keeps to the rules.
    @Test func aBreachEndsALinkWithSomebodyExcluded() throws {
        var ship = try Ship()
        let exclusion = ship.writer.change(.exclude, [2], by: 0, after: [ship.bobs])
        var bench = try ship.bench([ship.creation, ship.first, ship.bobs, exclusion])
        bench.opened(2, with: ship.cyd, workspaceTag: Self.key(1).tag)
        _ = bench.takeEffects()
        var forged = ship.writer.change(.readmit, [2], by: 1, after: [exclusion])
        forged.signature?[0] ^= 1
        bench.received(ship.frame([forged]), on: 2)
        #expect(bench.closed == [LinkID(2)])
        #expect(charter(bench)?.isExcluded(ship.cyd.identity) == true)
    }

    /// Whoever shows that it was readmitted is told the rest, not only what had excluded it.
    @Test func theRestFollowsWhatShowsAnExclusion() throws {
        var ship = try Ship()
        let exclusion = ship.writer.change(.exclude, [2], by: 0, after: [ship.bobs])
        let policy = ship.writer.policy("retention", "90 days", by: 0, after: [exclusion])
        let readmission = ship.writer.change(.readmit, [2], by: 1, after: [exclusion])
        var bench = try ship.bench([ship.creation, ship.first, ship.bobs, exclusion, policy])
        bench.opened(2, with: ship.cyd, workspaceTag: Self.key(1).tag)
        func told(_ bench: inout EngineBench) -> Set<EventID> {
            let frames = bench.takeFrames(on: 2).compactMap { frame in
                if case .charterEvents(let told) = frame { told } else { nil }
            }
            return Set(frames.flatMap(\.events).map { ReceivedEvent($0).id })
        }
        let farewell = told(&bench)
        #expect(farewell.contains(exclusion.id) && !farewell.contains(policy.id))
        bench.received(ship.frame([readmission]), on: 2)
        #expect(charter(bench)?.isExcluded(ship.cyd.identity) == false)
        #expect(told(&bench).contains(policy.id))
    }

    // What admins can do.

    /// A node that has to make another key makes it, although the disk refused the first.
    @Test func aKeyThatTheDiskRefusedIsMadeAgain() throws {
        var ship = try Ship()
        var bench = try ship.bench([ship.creation, ship.first, ship.bobs])
        bench.received(ship.frame([ship.writer.change(.exclude, [2], by: 1, after: [ship.bobs])]), on: 1)
        bench.diskFails = true
        bench.pass(Limits.charterRotationDelayMilliseconds)
        #expect(keys(bench) == 1)
        bench.diskFails = false
        bench.pass(Limits.charterRotationDelayMilliseconds + Limits.rewriteMilliseconds)
        #expect(keys(bench) == 2)
        #expect(bench.disk.snapshot.workspace?.newest?.hash != Self.key(1).hash)
    }

    /// Somebody who causes one rotation after the other takes no admin the right to exclude.
    @Test func whoCanMakeNoMoreKeysCanStillExclude() throws {
        var ship = try Ship()
        var events = [ship.creation, ship.first, ship.bobs]
        for number in 1..<Limits.charterRotations {
            var details = WireCharterDetails()
            details.number = UInt64(number + 1)
            details.keyHash = Data(Bytes32(hashing: [UInt8(number >> 8), UInt8(number & 255)], domain: 0).bytes)
            events.append(ship.writer.change(.rotate, by: 0, after: [events[events.count - 1]], details))
        }
        var bench = try ship.bench(events)
        let who = [ship.cyd.identity.grouped]
        let rotation = try bench.ask(.workspace(.change(.rotate(Self.key(9)), who: [])))
        #expect(throws: Refusal.self) { try rotation.get() }
        _ = try bench.ask(.workspace(.change(.exclude(Self.key(9)), who: who))).get()
        #expect(charter(bench)?.isExcluded(ship.cyd.identity) == true && keys(bench) == 1)
    }

    @Test func onlySoManyEverBecomeAdmins() throws {
        var ship = try Ship()
        let others = (0..<Limits.charterAdmins - 2).map { PeerID(value: Bytes32(hashing: [UInt8($0)], domain: 0)) }
        let appointment = ship.writer.change(.appoint, others, by: 0, after: [ship.bobs.id], [])
        var bench = try ship.bench([ship.creation, ship.first, ship.bobs, appointment])
        #expect(charter(bench)?.admins.count == Limits.charterAdmins)
        let refused = try bench.ask(.workspace(.change(.appoint, who: [ship.cyd.identity.grouped])))
        #expect(refused == .failure(.workspace(.manyAdmins)))
        _ = try bench.ask(.workspace(.change(.appoint, who: [ship.bob.identity.grouped]))).get()
    }

    /// Whoever is linked when admins begin to let members in stays a member. Whom the admin has only accepted, and who may
    /// never have been in the workspace, is not let in without a word.
    @Test(arguments: [true, false]) func onlyMembersAreAdmitted(_ isHere: Bool) throws {
        let ship = try Ship()
        var bench = try ship.bench([ship.creation, ship.first, ship.bobs])
        if isHere { ship.open(2, with: ship.cyd, &bench) }
        let members = isHere ? [ship.bob.identity, ship.cyd.identity].sorted() : [ship.bob.identity]
        guard case .workspace(let shown?) = try bench.ask(.workspace(.show)).get() else {
            throw EngineBench.Unexpected(what: "no workspace")
        }
        #expect(shown.members == members && shown.connected == members && shown.strangers == [])
        let approve = CharterCommand.policy(name: "admission", value: "approve")
        guard case .workspace(let now?) = try bench.ask(.workspace(.change(approve, who: []))).get() else {
            throw EngineBench.Unexpected(what: "no workspace")
        }
        #expect(now.members == members)
        #expect(charter(bench)?.isMember(ship.cyd.identity) == isHere)
    }

    /// Who was a member by the key alone stays one when admins let members in.
    @Test func membersStayMembersWhenAdminsLetMembersIn() throws {
        let ship = try Ship()
        var bench = try ship.bench([ship.creation, ship.first, ship.bobs])
        ship.open(2, with: ship.cyd, &bench)
        let stranger = PeerID(value: Bytes32(hashing: [1], domain: 0))
        #expect(charter(bench)?.isMember(ship.cyd.identity) == true && charter(bench)?.isMember(stranger) == true)
        _ = try bench.ask(.workspace(.change(.policy(name: "admission", value: "approve"), who: []))).get()
        #expect(charter(bench)?.isMember(ship.cyd.identity) == true && charter(bench)?.isMember(stranger) == false)
        // Another policy admits nobody.
        let before = charter(bench)?.events.count ?? 0
        _ = try bench.ask(.workspace(.change(.policy(name: "retention", value: "90 days"), who: []))).get()
        #expect(charter(bench)?.events.count == before + 1)
    }

    /// The user has said yes to a list. Whoever is not on it waits, and whoever is no member any more is not let in.
    @Test func onlyThoseWhomTheUserHasSeenStayMembers() throws {
        let ship = try Ship()
        var bench = try ship.bench([ship.creation, ship.first, ship.bobs])
        ship.open(2, with: ship.cyd, &bench)
        let (cyd, gone) = (ship.cyd.identity, try RemotePeer(9).identity)
        func approve(_ listed: [String]) throws -> Result<Answer, Refusal> {
            let policy = CharterCommand.policy(name: "admission", value: "approve", keeping: listed)
            return try bench.ask(.workspace(.change(policy, who: [])))
        }
        let before = charter(bench)
        #expect(try approve(["Nobody"]) == .failure(.naming(.unknownPeer("Nobody"))))
        #expect(charter(bench) == before)
        guard case .workspace(let now?) = try approve([ship.bob.identity.grouped, gone.grouped]).get() else {
            throw EngineBench.Unexpected(what: "no workspace")
        }
        #expect(now.members == [ship.bob.identity] && now.passedOver == [cyd, gone].sorted())
        #expect(charter(bench)?.isMember(cyd) == false && charter(bench)?.isMember(gone) == false)
        // Nothing is left to decide: whoever is let in by name is not passed over.
        _ = try bench.ask(.workspace(.change(.admit, who: [cyd.grouped]))).get()
        guard case .workspace(let again?) = try approve([]).get() else {
            throw EngineBench.Unexpected(what: "no workspace")
        }
        #expect(again.members == [ship.bob.identity, cyd].sorted() && again.passedOver == [])
    }

    /// Where there is no log, there is none: no empty one.
    @Test func aLogThatHasNotComeIsNoEmptyLog() throws {
        var bench = try EngineBench()
        #expect(try bench.ask(.workspace(.log)) == .failure(.workspace(.none)))
        let prefix = CharterPrefix(of: try Ship().writer.id)
        _ = try bench.ask(.workspace(.join(name: "Ship", Self.key(1), prefix))).get()
        #expect(try bench.ask(.workspace(.log)) == .failure(.workspace(.charterNotCome)))
        #expect(try bench.ask(.workspace(.change(.admit, who: []))) == .failure(.workspace(.charterNotCome)))
        _ = try bench.ask(.workspace(.leave)).get()
        _ = try bench.ask(.workspace(.join(name: "Ship", Self.key(1)))).get()
        #expect(try bench.ask(.workspace(.log)) == .failure(.workspace(.noCharter)))
    }

    // The old code.

    /// After an exclusion the old key lets in only those who are known: the excluded may come back as somebody else.
    @Test func whoComesBackWithTheOldCodeIsToldNothing() throws {
        let ship = try Ship()
        var bench = try ship.bench([ship.creation, ship.first, ship.bobs])
        let (mallory, eve) = (try RemotePeer(4), try RemotePeer(5))
        ship.open(3, with: eve, &bench)
        // Somebody whom nobody has accepted yet is linked already.
        bench.opened(8, with: try RemotePeer(7), workspaceTag: Self.key(1).tag)
        _ = bench.takeFrames(on: 8)
        _ = try bench.ask(.workspace(.change(.exclude(Self.key(9)), who: [ship.cyd.identity.grouped]))).get()
        #expect(bench.closed.contains(LinkID(8)) && bench.takeFrames(on: 8).allSatisfy { $0.isBye })
        bench.opened(4, with: mallory, workspaceTag: Self.key(1).tag)
        #expect(bench.closed.contains(LinkID(4)) && bench.takeFrames(on: 4).allSatisfy { $0.isBye })
        #expect(try bench.view(of: eve.identity).record.trust == .accepted, "it came before the exclusion")
        // The members have the old key too, until they have been given the new one.
        bench.opened(5, with: ship.bob, workspaceTag: Self.key(1).tag)
        #expect(!bench.closed.contains(LinkID(5)) && bench.takeFrames(on: 5).contains { !$0.isBye })
        // Who was admitted by name is known, whatever the key.
        _ = try bench.ask(.workspace(.change(.admit, who: [mallory.identity.grouped]))).get()
        bench.opened(6, with: mallory, workspaceTag: Self.key(1).tag)
        #expect(!bench.closed.contains(LinkID(6)))
        // With the new code everybody comes in.
        bench.opened(7, with: try RemotePeer(6), workspaceTag: Self.key(9).tag)
        #expect(!bench.closed.contains(LinkID(7)))
    }

    /// Nobody is accepted because of a key that somebody excluded has, also before there is another one.
    @Test func aKeyThatSomebodyExcludedHasAcceptsNobody() throws {
        var ship = try Ship()
        var bench = try ship.bench([ship.creation, ship.first, ship.bobs])
        bench.received(ship.frame([ship.writer.change(.exclude, [2], by: 1, after: [ship.bobs])]), on: 1)
        let mallory = try RemotePeer(4)
        bench.opened(4, with: mallory, workspaceTag: Self.key(1).tag)
        bench.received(mallory.hello(), on: 4)
        #expect(try bench.view(of: mallory.identity).record.trust == .unknown)
        // Who joined late by the old code takes the new key from an admin all the same.
        let admitted = ship.writer.change(.admit, [1], by: 0, after: [ship.bobs])
        var late = try EngineBench()
        _ = try late.ask(.workspace(.join(name: "Ship", Self.key(1), CharterPrefix(of: ship.writer.id))))
        ship.open(1, with: ship.bob, &late)
        let exclusion = ship.writer.change(.exclude, [2], by: 0, after: [admitted])
        late.received(ship.frame([ship.creation, ship.first, ship.bobs, admitted, exclusion]), on: 1)
        #expect(try late.view(of: ship.bob.identity).record.trust == .accepted)
    }

    // Its name.

    /// A code may be typed in capital letters and without the name; a name that the user has chosen stays.
    @Test(arguments: [("SHIP", false, "Ship"), ("unnamed", false, "Ship"), ("Pier", true, "Pier")])
    func aWorkspaceHasTheNameOfItsCharter(_ typed: String, _ isChosen: Bool, _ expected: String) throws {
        let ship = try Ship()
        var bench = try EngineBench(peers: ship.peers.map { $0.record() })
        let code = CharterPrefix(of: ship.writer.id)
        _ = try bench.ask(.workspace(.join(name: typed, Self.key(1), code, isChosen: isChosen)))
        ship.open(1, with: ship.bob, &bench)
        bench.received(ship.frame([ship.creation, ship.first, ship.bobs]), on: 1)
        guard case .workspace(let shown?) = try bench.ask(.workspace(.show)).get() else {
            throw EngineBench.Unexpected(what: "no workspace")
        }
        #expect(shown.name == expected && shown.charter?.title == "Ship")
    }

    // Adoption.

    /// Ada's node in a workspace that she joined by its key alone.
    private func byKey(_ ship: Ship) throws -> EngineBench {
        var bench = try EngineBench(peers: ship.peers.map { $0.record() })
        _ = try bench.ask(.workspace(.join(name: "Ship", WorkspaceKey(secret: Self.key(1).secret))))
        return bench
    }

    @Test func differentOffersAreRefused() throws {
        let ship = try Ship()
        var bench = try byKey(ship)
        ship.open(1, with: ship.bob, &bench)
        bench.received(ship.frame([]), on: 1)
        ship.open(2, with: ship.cyd, &bench)
        var other = WireCharterEvents()
        (other.charter, other.hash) = (Data(repeating: 9, count: 32), Data(count: 8))
        bench.received(.charterEvents(other), on: 2)
        #expect(try bench.ask(.workspace(.adopt())) == .failure(.workspace(.manyOffers)))
        bench.feed(.linkClosed(LinkID(2), .closed))
        // Another one than the user was shown is not taken.
        let shown = ConversationID(value: Bytes32(hashing: [9], domain: 0)).text
        #expect(try bench.ask(.workspace(.adopt(named: shown))) == .failure(.workspace(.otherOffer)))
        #expect(charter(bench) == nil)
        _ = try bench.ask(.workspace(.adopt(named: ship.writer.id.text))).get()
        #expect(charter(bench)?.id == ship.writer.id)
    }

    /// From the adoption on only the charter says who is excluded: whom a member had left out, nobody could let in again.
    @Test func whoWasLeftOutBeforeTheAdoptionIsNotExcluded() throws {
        let ship = try Ship()
        var bench = try byKey(ship)
        _ = try bench.ask(.workspace(.rotate(Self.key(2), without: [ship.cyd.identity.grouped]))).get()
        #expect(bench.disk.snapshot.workspace?.leftOut == [ship.cyd.identity])
        ship.open(1, with: ship.bob, &bench)
        bench.received(ship.frame([]), on: 1)
        _ = try bench.ask(.workspace(.adopt())).get()
        #expect(bench.disk.snapshot.workspace?.leftOut == [])
    }

    /// What is told of a workspace is not compared with the one that the user has left.
    @Test func aNewWorkspaceIsNotComparedWithTheFormerOne() throws {
        let ship = try Ship()
        var bench = try ship.bench([ship.creation, ship.first, ship.bobs])
        _ = try bench.ask(.workspace(.leave)).get()
        _ = bench.takeEffects()
        _ = try bench.ask(.workspace(.found(name: "Club", Self.key(5), nonce: [UInt8](repeating: 4, count: 16)))).get()
        let before = bench.takeEffects().compactMap { effect -> WorkspaceView?? in
            if case .notify(.workspace(_, let before)) = effect { .some(before) } else { nil }
        }
        #expect(before == [nil])
    }
}

extension WireFrame.OneOf_Kind {
    fileprivate var isBye: Bool { if case .bye = self { true } else { false } }
}
