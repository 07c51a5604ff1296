import ParlanceWire
import Testing

@testable import ParlanceCore

/// The dialing component, without an engine: what it decides and tells from what it is told.
@Suite struct DialingRoomTests {
    private let own = PeerID(value: Bytes32(hashing: [1], domain: 0))
    private let bob = PeerID(value: Bytes32(hashing: [2], domain: 0))
    private let eve = PeerID(value: Bytes32(hashing: [3], domain: 0))
    private let place = Endpoint(host: "10.0.0.2", port: 4747)

    private func people(_ trusted: [PeerID: Trust], workspace: Workspace? = nil) -> People {
        let records = trusted.map { peer, trust in
            var record = PeerRecord(id: peer)
            record.trust = trust
            return record
        }
        return People(own: own, Contacts(records), Conversations(), workspace, AddressBook())
    }

    private func sighting(of peer: PeerID) -> Sighting {
        Sighting(instance: "i1", peerPrefix: String(peer.text.prefix(8)), workspaceTags: [], endpoints: [place])
    }

    private func dials(_ turn: inout Turn) -> [DialID] {
        turn.takeEffects().compactMap { if case .dial(let dial, _, _) = $0 { dial } else { nil } }
    }

    @Test func whoIsSightedAndMissedIsSaid() throws {
        var (dialing, turn) = (Dialing(), try Turn.made())
        let people = people([bob: .accepted, eve: .unknown])
        #expect(dialing.sighted(sighting(of: bob), Links(), people, &turn) == [.waysChanged(bob)])
        #expect(turn.deadlines[.dial] == turn.now.monotonic)
        #expect(dialing.sightLost("i2", people) == [])
        #expect(dialing.sightLost("i1", people) == [.lostSight(bob)])
        #expect(dialing.count == 0)
    }

    @Test func anAttemptThatFailsIsTroubleUntilOneSucceeds() throws {
        var (dialing, turn) = (Dialing(), try Turn.made())
        let people = people([bob: .accepted])
        _ = dialing.sighted(sighting(of: bob), Links(), people, &turn)
        dialing.due(Links(), people, &turn)
        let dial = try #require(dials(&turn).first)
        #expect(turn.deadlines[.dial] == nil, "one attempt at a time")
        let facts = dialing.failed(dial, .refused, isPressing: true, Links(), people, &turn)
        #expect(facts == [.waysChanged(bob)])
        let trouble = LinkTrouble(.failed(.refused, place), since: turn.now.wall)
        #expect(dialing.trouble(with: bob, isLinked: false, in: nil) == trouble)
        #expect(dialing.trouble(with: bob, isLinked: true, in: nil) == nil)
        let next = try #require(turn.deadlines[.dial])
        let wait = Limits.backoffFirstMilliseconds
        #expect((wait / 2...wait).contains(next - turn.now.monotonic))
        turn.now = Instant(monotonic: next, wall: turn.now.wall)
        dialing.due(Links(), people, &turn)
        dialing.succeeded(try #require(dials(&turn).first), peer: bob, Links(), people, &turn)
        #expect(dialing.trouble(with: bob, isLinked: false, in: nil) == nil)
    }

    @Test func nobodyDialsAPeerThatIsBlocked() throws {
        var (dialing, turn) = (Dialing(), try Turn.made())
        let people = people([bob: .blocked])
        dialing.remember(bob, at: [place], &turn)
        _ = dialing.sighted(sighting(of: bob), Links(), people, &turn)
        dialing.due(Links(), people, &turn)
        #expect(dials(&turn) == [])
        #expect(turn.deadlines[.dial] == nil)
    }

    @Test func aNodeOfAnotherWorkspaceIsForeign() throws {
        var (dialing, turn) = (Dialing(), try Turn.made())
        let workspace = Workspace(name: "office", keys: [])
        _ = dialing.sighted(sighting(of: bob), Links(), people([bob: .accepted], workspace: workspace), &turn)
        #expect(dialing.trouble(with: bob, isLinked: false, in: workspace)?.cause == .otherWorkspace)
        #expect(dialing.trouble(with: bob, isLinked: false, in: nil) == nil)
    }
}
