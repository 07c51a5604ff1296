import ParlanceRecords
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

    /// Who leads where is what a look at all targets says, whatever came, went and changed.
    @Test(arguments: 1...20) func theIndexOfTargetsSaysWhatAScanSays(seed: UInt64) {
        var (targets, random) = (Dialing.Targets(), SeededGenerator(seed: seed))
        func pick<T>(_ choices: [T]) -> T { choices[Int(random.below(Int64(choices.count)))] }
        let keys: [Dialing.Key] = [.fixed(place), .instance("i1"), .instance("i2"), .remembered(bob), .remembered(eve)]
        for number in 1...UInt64(300) {
            let key = pick(keys)
            var target = targets[key] ?? Dialing.Target(key: key, order: number, endpoints: [place], nextTry: 0)
            target.peer = pick([nil, bob, eve, target.peer])
            target.prefix = pick([nil, String(bob.text.prefix(8)), target.prefix])
            target.attempt = pick([nil, DialID(number), target.attempt])
            target.failures = Int(random.below(6))
            targets[key] = random.below(4) == 0 ? nil : target
            let all = Array(targets.values)
            #expect(targets.isSound, "seed \(seed)")
            for peer in [bob, eve] {
                let leading = all.filter { target in
                    target.peer == peer
                        || target.peer == nil && target.prefix.map { peer.matches(prefix: $0) } == true
                }
                #expect(Set(targets.leading(to: peer).map(\.key)) == Set(leading.map(\.key)), "seed \(seed)")
                let isInReach = all.contains { $0.peer == peer && $0.failures < Limits.failuresInReach }
                #expect(targets.isInReach(peer) == isInReach, "seed \(seed)")
            }
            #expect(Set(targets.peers) == Set(all.compactMap(\.peer)), "seed \(seed)")
            let unanswered = all.filter { $0.peer == nil }.map(\.key)
            #expect(Set(targets.unanswered.map(\.key)) == Set(unanswered), "seed \(seed)")
            #expect(targets.dialled == Set(all.filter { $0.attempt != nil }.compactMap(\.peer)), "seed \(seed)")
            for target in all where target.attempt != nil {
                #expect(target.attempt.flatMap { targets.target(of: $0) } == target, "seed \(seed)")
            }
        }
    }
}
