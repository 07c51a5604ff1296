import ParlanceCore
import ParlanceWire
import Testing

/// What is held of a group's membership events when more come than are held (groups.md, "What is held").
@Suite struct MembershipHeldTests {
    /// Person 5 makes more changes than are held of an author's void ones. They count, but for whoever holds a removal by
    /// person 4 and not yet the one of person 4 by its senior, person 1. Person 2 floods the group with departures.
    private struct Scene {
        var bench: MembershipBench
        let base: [StoredEvent]
        let additions: [StoredEvent]
        let removal: StoredEvent
        let answer: StoredEvent
        let flood: [StoredEvent]

        init() throws {
            bench = try MembershipBench(people: 8)
            let creation = bench.create([1, 2, 3, 4, 5])
            let senior = bench.change(.appoint, [1], by: 0, after: [creation])
            let middle = bench.change(.appoint, [4], by: 0, after: [senior])
            let junior = bench.change(.appoint, [5], by: 0, after: [middle])
            base = [creation, senior, middle, junior]
            var additions: [StoredEvent] = []
            for _ in 0..<(Limits.membershipVoid + 16) {
                additions.append(bench.change(.add, [6], by: 5, after: [junior]))
            }
            self.additions = additions
            removal = bench.change(.remove, [5], by: 4, after: [junior])
            answer = bench.change(.remove, [4], by: 1, after: [junior])
            var flood: [StoredEvent] = []
            for _ in 0..<(Limits.membershipVoid + 40) {
                flood.append(bench.change(.leave, [], by: 2, after: [creation]))
            }
            self.flood = flood
        }
    }

    /// Who dropped something that counts after all is told it by whoever holds it: their hashes differ.
    @Test func whatWasDroppedAndCountsAfterAllComesBack() throws {
        let scene = try Scene()
        var early = Membership(scene.base + [scene.removal])
        early.insert(scene.additions)
        #expect(early.events.count == scene.base.count + 1 + Limits.membershipVoid)
        #expect(!early.isMember(scene.bench.people[6]))
        early.insert([scene.answer])
        #expect(early.isMember(scene.bench.people[6]))
        let late = Membership(scene.base + [scene.answer, scene.removal] + scene.additions)
        #expect(scene.additions.allSatisfy { late.isValid($0.id) })
        #expect(early.hash != late.hash && early.members == late.members)
        early.insert(late.events)
        #expect(early.hash == late.hash && scene.additions.allSatisfy { early.isValid($0.id) })
    }

    /// Nodes hear all in other orders, each event once, and then tell each other what they hold.
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
