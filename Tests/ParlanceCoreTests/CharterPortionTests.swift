import Foundation
import ParlanceCore
import ParlanceHistory
import ParlanceRecords
import ParlanceTestKit
import ParlanceWire
import Testing

/// Where an author exceeds its shares, what is held depends on the portions in which events arrive; what counts may not
/// (charter.md, "What is held").
@Suite struct CharterPortionTests {
    private static var small: CharterBounds {
        var bounds = CharterBounds()
        (bounds.changes, bounds.rotations, bounds.policies, bounds.links) = (6, 4, 3, 4)
        (bounds.voidSeen, bounds.void, bounds.events, bounds.seen) = (200, 92, 400, 800)
        return bounds
    }

    /// Three admins who write what counts for them, each on its own node, and a fourth, the most junior, who writes
    /// anything, to anybody.
    private struct Scene {
        static let honest = 3
        static let rogue = 3
        var writer: CharterWriter
        var nodes: [Charter]
        /// What the rogue can name.
        var known: [StoredEvent]
        /// What the others wrote while it counted.
        var owed: [EventID] = []
        var random: SeededGenerator

        init(seed: UInt64) throws {
            writer = try CharterWriter(people: 7)
            random = SeededGenerator(seed: seed)
            let base = writer.change(.appoint, [1, 2, Self.rogue], by: 0, after: [writer.create()])
            known = [base]
            nodes = (0..<Self.honest).map { [writer] _ in writer.charter(CharterPortionTests.small) }
        }

        mutating func below(_ bound: Int) -> Int { Int(random.below(Int64(bound))) }

        mutating func write(_ action: WireMemberAction, _ who: [Int], by person: Int, after: [EventID]) -> StoredEvent {
            var details = WireCharterDetails()
            (details.number, details.keyHash) = (1, .init(CharterWriter.key(UInt8(below(250))).bytes))
            (details.name, details.value) = ("retention", "7d")
            let bytes = action == .rotate || action == .policy ? details.encodedBytes() : []
            return writer.change(action, who.map { writer.people[$0] }, by: person, after: after, bytes)
        }

        /// Somebody honest names the last events that count for it.
        mutating func writeHonestly() {
            let author = below(Self.honest)
            let action = [WireMemberAction.admit, .exclude, .readmit, .policy][below(4)]
            let who = action == .policy ? [] : [4 + below(3)]
            let event = write(action, who, by: author, after: nodes[author].frontier)
            nodes[author].insert([event])
            if nodes[author].counts(event.id) { owed.append(event.id) }
            known.append(event)
        }

        /// The rogue writes a few events and shows them to one node, in one portion or in several.
        mutating func writeRoguishly() {
            let target = below(Self.honest)
            var portion: [StoredEvent] = []
            for _ in 0..<(1 + below(12)) {
                let action = [WireMemberAction.admit, .dismiss, .policy, .link, .rotate, .exclude][below(6)]
                let who = [.admit, .dismiss, .exclude].contains(action) ? [4 + below(3)] : []
                let names = Set((0...below(2)).map { _ in known[known.count - 1 - below(min(known.count, 20))].id })
                let event = write(action, who, by: Self.rogue, after: names.sorted())
                known.append(event)
                portion.append(event)
            }
            for part in below(2) == 0 ? [portion] : portion.map({ [$0] }) { nodes[target].insert(part) }
        }

        /// The creator takes back everything that the rogue did, or appoints it again.
        mutating func judgeTheRogue() {
            let rogue = writer.people[Self.rogue]
            let event: StoredEvent
            if nodes[0].isAdmin(rogue) {
                event = write(.exclude, [Self.rogue], by: 0, after: [writer.events[1].id])
                nodes[0].insert([event])
            } else {
                let back = write(.readmit, [Self.rogue], by: 0, after: nodes[0].frontier)
                nodes[0].insert([back])
                event = write(.appoint, [Self.rogue], by: 0, after: [back.id])
                nodes[0].insert([event])
            }
            known.append(event)
        }

        /// Two nodes tell each other everything that they hold.
        mutating func exchange(_ a: Int, _ b: Int) {
            let (ours, theirs) = (nodes[a].events, nodes[b].events)
            nodes[a].insert(theirs)
            nodes[b].insert(ours)
        }
    }

    /// Whatever the rogue shows to whom, all who told each other everything come to the same, and what the others wrote
    /// while it counted goes on counting.
    @Test func allWhoToldEachOtherAgree() throws {
        let first = UInt64.random(in: 0 ... .max)
        print("seed \(first)")
        var exceeded = 0
        for seed in (0..<8).map({ first &+ $0 }) {
            var scene = try Scene(seed: seed)
            for _ in 0..<40 {
                switch scene.below(8) {
                case 0, 1, 2: scene.writeRoguishly()
                case 3, 4, 5: scene.writeHonestly()
                case 6: if scene.below(6) == 0 { scene.judgeTheRogue() }
                default: scene.exchange(scene.below(3), scene.below(3))
                }
            }
            for _ in 0..<2 { for (a, b) in [(0, 1), (1, 2), (0, 2)] { scene.exchange(a, b) } }
            #expect(Set(scene.nodes.map { CharterOrderTests.verdict($0) }).count == 1, "seed \(seed)")
            #expect(scene.owed.allSatisfy { scene.nodes[0].counts($0) }, "seed \(seed)")
            if scene.nodes[0].events.count < scene.writer.events.count { exceeded += 1 }
        }
        #expect(exceeded > 0, "seed \(first): nothing was dropped")
    }

    /// Events that arrived in two random orders, in random portions: after an exchange both nodes hold and say the same.
    @Test func anExchangeMakesUpForThePortions() throws {
        let first = UInt64.random(in: 0 ... .max)
        print("seed \(first)")
        var bounds = Self.small
        (bounds.changes, bounds.rotations, bounds.void) = (4, 3, 12)
        var apart = 0
        for seed in (0..<40).map({ first &+ $0 }) {
            var fuzzer = try CharterFuzzer(people: 6, changes: 60, seed: seed)
            var (one, two) = (fuzzer.arrived(bounds), fuzzer.arrived(bounds))
            if one.hash != two.hash { apart += 1 }
            let (ours, theirs) = (one.events, two.events)
            one.insert(theirs)
            two.insert(ours)
            #expect(CharterOrderTests.verdict(one) == CharterOrderTests.verdict(two), "seed \(seed)")
        }
        #expect(apart > 0, "seed \(first): portions made no difference")
    }
}
