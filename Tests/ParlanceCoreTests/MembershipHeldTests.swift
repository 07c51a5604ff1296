import ParlanceCore
import ParlanceHistory
import ParlanceRecords
import ParlanceWire
import Testing

/// Which membership events of a group are held when there are more than are held (groups.md, "What is held").
@Suite struct MembershipHeldTests {
    /// Memory and disk agree on an event, whoever sent it and whatever log of a fork has it.
    @Test func anEventCountsByItself() throws {
        var bench = try MembershipBench(people: 2)
        let creation = bench.create([1])
        var sent = creation
        (sent.via, sent.branch) = (bench.people[1], LogID(branchOf: creation.log, first: creation.id))
        #expect(sent != creation && Membership([sent]).events == [creation])
    }

    /// Person 5, an admin, makes more changes than are held of an author's void ones. Person 3 removes person 5, and
    /// person 1, who is senior to person 3, removes person 3: so the changes count once both removals are held, and not
    /// while only the first is. Person 2 floods the group with departures.
    private struct Scene {
        var bench: MembershipBench
        let base: [StoredEvent]
        let additions: [StoredEvent]
        let removal: StoredEvent
        let answer: StoredEvent
        let flood: [StoredEvent]

        /// - Parameter isSecondHand: whether person 4, who appointed person 5, is removed instead of person 5.
        init(isSecondHand: Bool = false) throws {
            bench = try MembershipBench(people: 8)
            let creation = bench.create([1, 2, 3, 4, 5])
            let senior = bench.change(.appoint, [1], by: 0, after: [creation])
            let middle = bench.change(.appoint, [3], by: 0, after: [senior])
            let last = bench.change(.appoint, [4], by: 0, after: [middle])
            let junior = bench.change(.appoint, [5], by: isSecondHand ? 4 : 0, after: [last])
            base = [creation, senior, middle, last, junior]
            var additions: [StoredEvent] = []
            for _ in 0..<(Limits.membershipVoid + 16) {
                additions.append(bench.change(.add, [6], by: 5, after: [junior]))
            }
            self.additions = additions
            removal = bench.change(.remove, [isSecondHand ? 4 : 5], by: 3, after: [last])
            answer = bench.change(.remove, [3], by: 1, after: [last])
            var flood: [StoredEvent] = []
            for _ in 0..<(Limits.membershipVoid + 40) {
                flood.append(bench.change(.leave, [], by: 2, after: [creation]))
            }
            self.flood = flood
        }
    }

    /// Changes of an admin that do not count now are held, since they may count later; otherwise nobody might hold them
    /// then.
    @Test(arguments: [false, true]) func whatMayCountAfterAllIsHeld(isSecondHand: Bool) throws {
        let scene = try Scene(isSecondHand: isSecondHand)
        var early = Membership(scene.base + scene.additions)
        #expect(early.isMember(scene.bench.people[6]))
        early.insert([scene.removal])
        #expect(!early.isMember(scene.bench.people[6]))
        #expect(early.events.count == scene.base.count + 1 + scene.additions.count)
        early.insert([scene.answer])
        #expect(early.isMember(scene.bench.people[6]) && scene.additions.allSatisfy { early.isValid($0.id) })
        #expect(early.hash == Membership(scene.base + [scene.answer, scene.removal] + scene.additions).hash)
    }

    /// Of a former admin as many void changes are held as could count if it were still an admin.
    @Test func ofAnAdminsVoidChangesSoManyAreHeldAsCouldCount() throws {
        var bench = try MembershipBench(people: 4)
        let creation = bench.create([1, 2])
        let appointment = bench.change(.appoint, [1], by: 0, after: [creation])
        _ = bench.change(.remove, [1], by: 0, after: [appointment])
        for _ in 0..<Limits.membershipChanges + 10 { _ = bench.change(.add, [3], by: 1, after: [appointment]) }
        for _ in 0..<Limits.membershipVoid + 10 { _ = bench.change(.dismiss, [2], by: 1, after: [appointment]) }
        for _ in 0..<Limits.membershipVoid + 10 { _ = bench.change(.leave, [], by: 1, after: [creation]) }
        let held = 3 + Limits.membershipChanges + Limits.membershipVoid + 10 + Limits.membershipVoid
        #expect(Membership(bench.events).events.count == held)
    }

    /// A node that dropped a waiting event is told it again by nodes that hold it, because their hashes differ.
    @Test func whatWasDroppedAndCountsAfterAllComesBack() throws {
        var bench = try MembershipBench(people: 4)
        let creation = bench.create([1])
        let appointment = bench.change(.appoint, [1], by: 0, after: [creation])
        var additions: [StoredEvent] = []
        for _ in 0..<(Limits.membershipWaiting + 16) {
            additions.append(bench.change(.add, [3], by: 1, after: [appointment]))
        }
        var early = Membership(additions)
        #expect(early.events.count == Limits.membershipWaiting)
        early.insert([creation, appointment])
        let late = Membership([creation, appointment] + additions)
        #expect(additions.allSatisfy { late.isValid($0.id) })
        #expect(early.hash != late.hash && early.members == late.members)
        early.insert(late.events)
        #expect(early.hash == late.hash && additions.allSatisfy { early.isValid($0.id) })
    }

    /// Nodes receive the events in different orders, each event once, and then tell each other what they hold.
    @Test(arguments: 1...8 as ClosedRange<UInt64>)
    func nodesThatHeardInOtherOrdersComeToHoldTheSame(seed: UInt64) throws {
        let scene = try Scene()
        var random = SeededGenerator(seed: seed)
        var nodes: [Membership] = []
        for _ in 0..<3 {
            var rest = scene.bench.events.shuffled(using: &random)[...]
            var node = Membership()
            while !rest.isEmpty {
                let portion = rest.prefix(1 + Int(random.below(30)))
                node.insert(Array(portion))
                rest = rest.dropFirst(portion.count)
            }
            nodes.append(node)
        }
        var rounds = 0
        while Set(nodes.map(\.hash)).count > 1, rounds < 4 {
            rounds += 1
            for teller in nodes.indices {
                for hearer in nodes.indices where nodes[hearer].hash != nodes[teller].hash {
                    nodes[hearer].insert(nodes[teller].events)
                }
            }
        }
        #expect(rounds < 4, "seed \(seed)")
        let whole = Membership(scene.bench.events)
        for node in nodes {
            #expect(node.members == whole.members && node.names == whole.names, "seed \(seed)")
            #expect(!node.isValid(scene.removal.id) && node.isValid(scene.answer.id), "seed \(seed)")
        }
    }
}
