import ParlanceCore

/// What is to happen in a whole run, written from the seed before anything happens: a failing run is made short by
/// leaving acts out.
package struct Script: Sendable {
    package struct Settings: Sendable {
        package var nodes: ClosedRange<Int>
        package var minutes: ClosedRange<Int>

        package init(nodes: ClosedRange<Int> = 3...7, minutes: ClosedRange<Int> = 60...120) {
            self.nodes = nodes
            self.minutes = minutes
        }
    }

    package let seed: UInt64
    package let nodes: Int
    /// Milliseconds of virtual time until the faults stop.
    package let length: Int64
    /// One who does not keep to the protocol.
    package let garbler: Int?
    /// Whether everybody accepts everybody in the end, or what is refused stays refused.
    package let makesPeace: Bool
    /// How far each clock is off at the beginning, in milliseconds.
    package let skew: [Int64]
    package let acts: [Act]

    /// Ten years, in milliseconds.
    static let longestSkew: Int64 = 315_360_000_000

    package init(seed: UInt64, _ settings: Settings = Settings()) {
        var random = SeededGenerator(seed: seed ^ 0x5EED_0FF1_CE00_0000)
        self.seed = seed
        let count = Int64(settings.nodes.lowerBound) + random.below(Int64(settings.nodes.count))
        nodes = Int(count)
        length = (Int64(settings.minutes.lowerBound) + random.below(Int64(settings.minutes.count))) * 60_000
        garbler = random.below(8) == 0 && count > 3 ? Int(count) - 1 : nil
        makesPeace = random.below(4) != 0
        skew = (0..<count).map { _ in Self.drawSkew(&random) }
        acts = Self.acquaintance(count, &random) + Self.day(count, length, &random)
    }

    static func drawSkew(_ random: inout SeededGenerator) -> Int64 {
        switch random.below(4) {
        case 0: random.below(2 * longestSkew) - longestSkew
        case 1: random.below(2) == 0 ? longestSkew : -longestSkew
        case 2: random.below(20_000) - 10_000
        default: 0
        }
    }

    /// Most people get to know each other in the first minutes.
    private static func acquaintance(_ count: Int64, _ random: inout SeededGenerator) -> [Act] {
        var acts: [Act] = []
        for node in 0..<Int(count) {
            for other in 0..<Int(count) where other != node && random.below(5) != 0 {
                let time = 20_000 + random.below(60_000)
                acts.append(Act(time: time, kind: .accept, node: node, other: other, salt: random.next()))
            }
        }
        return acts.sorted { $0.time < $1.time }
    }

    /// Busy hours and quiet ones, each with more or fewer faults.
    private static func day(_ count: Int64, _ length: Int64, _ random: inout SeededGenerator) -> [Act] {
        var acts: [Act] = []
        var time: Int64 = 80_000
        var spell = Spell(&random)
        while true {
            if time > spell.end { spell = Spell(from: time, &random) }
            time += 1 + random.below(2 * spell.gap)
            guard time < length else { return acts }
            let kind = spell.draw(&random)
            let node = random.below(count)
            let other = (node + 1 + random.below(count - 1)) % count
            acts.append(Act(time: time, kind: kind, node: Int(node), other: Int(other), salt: random.next()))
        }
    }

    /// A time of even temper.
    private struct Spell {
        let end: Int64
        let gap: Int64
        private let kinds: [(kind: Act.Kind, through: Int64)]

        init(from start: Int64 = 0, _ random: inout SeededGenerator) {
            end = start + 60_000 + random.below(900_000)
            gap = [1_600, 5_200, 5_200, 15_000, 15_000, 50_000][Int(random.below(6))]
            let trouble = [0, 1, 1, 1, 3][Int(random.below(5))]
            var through: Int64 = 0
            var kinds: [(Act.Kind, Int64)] = []
            for kind in Act.Kind.allCases where kind.weight > 0 {
                through += kind.weight * Int64(kind.isPeoples ? 1 : trouble)
                kinds.append((kind, through))
            }
            self.kinds = kinds
        }

        func draw(_ random: inout SeededGenerator) -> Act.Kind {
            let number = random.below(kinds.last?.through ?? 1)
            return kinds.first { number < $0.through }?.kind ?? .send
        }
    }
}
