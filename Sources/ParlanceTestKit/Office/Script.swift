import ParlanceCore

/// Everything that happens in a run, written from the seed before the run begins: a failing run is shortened by leaving
/// out acts.
package struct Script: Sendable {
    package struct Settings: Sendable {
        package var nodes: ClosedRange<Int>
        package var minutes: ClosedRange<Int>
        /// One in this many seeds has many more nodes, and one in this many has a workspace; 0 for none.
        package var crowdOnceIn: Int64 = 0
        package var workspaceOnceIn: Int64 = 0
        /// How many of the nodes are hostile members; at least two are not.
        package var hostile = 0

        package init(nodes: ClosedRange<Int> = 3...7, minutes: ClosedRange<Int> = 60...120) {
            self.nodes = nodes
            self.minutes = minutes
        }
    }

    package let seed: UInt64
    package let nodes: Int
    /// Milliseconds of virtual time until the faults stop.
    package let length: Int64
    /// A node that does not keep to the protocol.
    package let garbler: Int?
    /// Whether everybody accepts everybody in the end; otherwise what is refused stays refused.
    package let makesPeace: Bool
    /// The initial members of the workspace; if empty, there is none.
    package let workspace: Set<Int>
    /// Whether that workspace has a charter.
    package let hasCharter: Bool
    /// A node whose program is older than the others', and one whose program is newer.
    package let older: Int?
    package let newer: Int?
    /// The initial error of each clock, in milliseconds.
    package let skew: [Int64]
    /// The islands between which only sticks go until the end; `nil` if there are none.
    package let islands: [Int]?
    /// A node that gives wrong bytes of files to others.
    package let liar: Int?
    /// A node whose conversations take few bytes of one author in a day, until the end.
    package let scant: (node: Int, bytes: UInt64)?
    /// The nodes whose owners send what their engines never would.
    package let hostile: Set<Int>
    package let acts: [Act]

    /// Ten years, in milliseconds.
    static let longestSkew: Int64 = 315_360_000_000

    package init(seed: UInt64, _ settings: Settings = Settings()) {
        var random = SeededGenerator(seed: seed ^ 0x5EED_0FF1_CE00_0000)
        self.seed = seed
        // More authors than an event can name, for a short time.
        let isCrowd = Self.draws(settings.crowdOnceIn, &random)
        let usual = Int64(settings.nodes.lowerBound) + random.below(Int64(settings.nodes.count))
        let count = isCrowd ? 34 + random.below(4) : usual
        nodes = Int(count)
        let minutes = isCrowd ? 4 : Int64(settings.minutes.lowerBound) + random.below(Int64(settings.minutes.count))
        length = minutes * 60_000
        garbler = random.below(8) == 0 && count > 3 ? Int(count) - 1 : nil
        makesPeace = random.below(4) != 0
        skew = (0..<count).map { _ in Self.drawSkew(&random) }
        let outside = random.below(2) == 0 ? 5 : count + 1
        let isClosed = Self.draws(settings.workspaceOnceIn, &random)
        let inside = (0..<Int(count)).filter { _ in random.below(outside) != 1 }
        workspace = isClosed ? Set(inside) : []
        // Drawn apart, so that it changes no other act.
        var ofCharter = SeededGenerator(seed: seed ^ 0xC4A2_7E25_0000_0000)
        hasCharter = isClosed && ofCharter.below(2) == 0
        let other = Int(random.below(count))
        (older, newer) = [(nil, nil), (nil, nil), (other, nil), (nil, other)][Int(random.below(4))]
        let roll: [Int64] = isCrowd ? [95_000, 125_000, 160_000] : []
        let first =
            Self.acquaintance(count, &random)
            + roll.map { Act(time: $0, kind: .rollCall, node: 0, other: 1, salt: random.next()) }
            + Self.merged(
                Self.day(count, length, hasWorkspace: !workspace.isEmpty, &random),
                Self.desks(count, length, seed)
            )
        let rounds = Self.rounds(count, length, seed)
        islands = rounds.islands
        let scarcity = Self.scarcity(count, length, seed)
        scant = scarcity.scant
        let filing = Self.filing(count, length, seed)
        liar = filing.liar
        let usualAndOld = Self.merged(
            Self.merged(first, Self.tidying(count, length, seed)),
            Self.clearing(count, length, seed)
        )
        let rare = Self.merged(scarcity.acts, Self.portraits(count, length, seed))
        let hostility = Self.hostility(settings.hostile, of: count, besides: garbler, length, seed)
        hostile = hostility.hostile
        let others = Self.merged(Self.merged(Self.merged(usualAndOld, rounds.acts), filing.acts), rare)
        acts = Self.merged(others, hostility.acts)
    }

    /// What desktops and screens see of their users. It is drawn apart, so that it changes no other act.
    private static func desks(_ count: Int64, _ length: Int64, _ seed: UInt64) -> [Act] {
        var random = SeededGenerator(seed: seed ^ 0x0DE5_C0DE_5C0D_E5C0)
        var acts: [Act] = []
        var time: Int64 = 80_000
        while true {
            time += 1 + random.below(960_000 / count)
            guard time < length else { return acts }
            let node = Int(random.below(count))
            let other = (node + 1) % Int(count)
            acts.append(Act(time: time, kind: .userSeen, node: node, other: other, salt: random.next()))
        }
    }

    /// In one run of five, a node takes so little of one author that people use it up, and its user allows more now and
    /// then. It is drawn apart, so that it changes no other run.
    private static func scarcity(
        _ count: Int64,
        _ length: Int64,
        _ seed: UInt64
    ) -> (scant: (node: Int, bytes: UInt64)?, acts: [Act]) {
        var random = SeededGenerator(seed: seed ^ 0x5CA9_7B17_E500_0000)
        guard draws(5, &random) else { return (nil, []) }
        let node = Int(random.below(count))
        let bytes = UInt64(2_000 + random.below(30_000))
        var acts: [Act] = []
        var time: Int64 = 200_000
        while true {
            time += 1 + random.below(1_200_000)
            guard time < length else { return ((node, bytes), acts) }
            let other = Int(random.below(count))
            acts.append(Act(time: time, kind: .allow, node: node, other: other, salt: random.next()))
        }
    }

    /// In one run of five, people choose a picture of themselves, or remove it. It is drawn apart, so that it changes no
    /// other run.
    private static func portraits(_ count: Int64, _ length: Int64, _ seed: UInt64) -> [Act] {
        var random = SeededGenerator(seed: seed ^ 0xFACE_0FFA_CE00_0000)
        guard draws(5, &random) else { return [] }
        var acts: [Act] = []
        var time: Int64 = 50_000
        while true {
            time += 1 + random.below(2_400_000 / count)
            guard time < length else { return acts }
            let node = Int(random.below(count))
            let other = (node + 1) % Int(count)
            acts.append(Act(time: time, kind: .choosePicture, node: node, other: other, salt: random.next()))
        }
    }

    /// In one run of five, people have old texts removed, and nights pass in which texts become old. It is drawn apart, so
    /// that it changes no other run.
    private static func tidying(_ count: Int64, _ length: Int64, _ seed: UInt64) -> [Act] {
        var random = SeededGenerator(seed: seed ^ 0x0A6E_D7E8_7500_0000)
        guard draws(5, &random) else { return [] }
        var acts: [Act] = []
        var time: Int64 = 100_000
        while true {
            time += 1 + random.below(900_000 / count)
            guard time < length else { return acts }
            let kind: Act.Kind = random.below(3 * count) == 0 ? .night : .retain
            let node = Int(random.below(count))
            acts.append(Act(time: time, kind: kind, node: node, other: (node + 1) % Int(count), salt: random.next()))
        }
    }

    /// In one run of five, people clear, delete and hide conversations. It is drawn apart, so that it changes no other run.
    private static func clearing(_ count: Int64, _ length: Int64, _ seed: UInt64) -> [Act] {
        var random = SeededGenerator(seed: seed ^ 0xC1EA_5ED0_0F00_0000)
        guard draws(5, &random) else { return [] }
        var acts: [Act] = []
        var time: Int64 = 100_000
        while true {
            time += 1 + random.below(1_200_000 / count)
            guard time < length else { return acts }
            let node = Int(random.below(count))
            acts.append(Act(time: time, kind: .clear, node: node, other: (node + 1) % Int(count), salt: random.next()))
        }
    }

    /// In one run of five, people carry sticks; in half of these, islands have no other connection, from the beginning or
    /// once people have met. It is drawn apart, so that it changes no other run.
    private static func rounds(_ count: Int64, _ length: Int64, _ seed: UInt64) -> (islands: [Int]?, acts: [Act]) {
        var random = SeededGenerator(seed: seed ^ 0x571C_4B1D_6E00_0000)
        guard draws(5, &random) else { return (nil, []) }
        let islands = random.below(2) == 0 ? (0..<count).map { _ in Int(random.below(3)) } : nil
        var acts: [Act] = []
        if islands != nil {
            let time = random.below(2) == 0 ? 0 : 60_000 + random.below(120_000)
            acts.append(Act(time: time, kind: .goToIslands, node: 0, other: 0, salt: 0))
        }
        let kinds: [Act.Kind] = [.carryOut, .carryOut, .carryOut, .carryIn, .carryIn, .carryIn, .carryIn, .tamper]
        var time: Int64 = 30_000
        while true {
            time += 1 + random.below(180_000 / count)
            guard time < length else { return (islands, acts) }
            let kind = kinds[Int(random.below(Int64(kinds.count)))]
            let node = Int(random.below(count))
            acts.append(Act(time: time, kind: kind, node: node, other: (node + 1) % Int(count), salt: random.next()))
        }
    }

    /// In one run of five, people send files, and fetch, pause, cancel and retry them; in half of these, somebody gives
    /// others wrong bytes. It is drawn apart, so that it changes no other run.
    private static func filing(_ count: Int64, _ length: Int64, _ seed: UInt64) -> (liar: Int?, acts: [Act]) {
        var random = SeededGenerator(seed: seed ^ 0xF11E_5000_0000_0000)
        guard draws(5, &random) else { return (nil, []) }
        let liar = random.below(2) == 0 ? Int(random.below(count)) : nil
        var acts: [Act] = []
        var time: Int64 = 90_000
        while true {
            time += 1 + random.below(600_000 / count)
            guard time < length else { return (liar, acts) }
            let kind: Act.Kind = random.below(2) == 0 ? .sendFile : .wishFile
            let node = random.below(count)
            let other = (node + 1 + random.below(count - 1)) % count
            acts.append(Act(time: time, kind: kind, node: Int(node), other: Int(other), salt: random.next()))
        }
    }

    /// Both lists in the order of time.
    static func merged(_ first: [Act], _ second: [Act]) -> [Act] {
        var (acts, rest) = ([Act](), second[...])
        for act in first {
            while let next = rest.first, next.time < act.time { acts.append(rest.removeFirst()) }
            acts.append(act)
        }
        return acts + rest
    }

    private static func draws(_ onceIn: Int64, _ random: inout SeededGenerator) -> Bool {
        let drawn = random.below(max(1, onceIn))
        return onceIn > 0 && drawn == 0
    }

    static func drawSkew(_ random: inout SeededGenerator) -> Int64 {
        switch random.below(4) {
        case 0: random.below(2 * longestSkew) - longestSkew
        case 1: random.below(2) == 0 ? longestSkew : -longestSkew
        case 2: random.below(20_000) - 10_000
        default: 0
        }
    }

    /// Most people meet in the first minutes.
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

    /// Busy and quiet hours, each with more or fewer faults.
    private static func day(
        _ count: Int64,
        _ length: Int64,
        hasWorkspace: Bool,
        _ random: inout SeededGenerator
    ) -> [Act] {
        var acts: [Act] = []
        var time: Int64 = 80_000
        let kinds = Act.Kind.allCases.filter { $0.weight > 0 && (hasWorkspace || !$0.isOfWorkspaces) }
        var spell = Spell(of: kinds, &random)
        while true {
            if time > spell.end { spell = Spell(of: kinds, from: time, &random) }
            time += 1 + random.below(2 * spell.gap)
            guard time < length else { return acts }
            let kind = spell.draw(&random)
            let node = random.below(count)
            let other = (node + 1 + random.below(count - 1)) % count
            acts.append(Act(time: time, kind: kind, node: Int(node), other: Int(other), salt: random.next()))
        }
    }

    /// A period with constant rates.
    private struct Spell {
        let end: Int64
        let gap: Int64
        private let kinds: [(kind: Act.Kind, through: Int64)]

        init(of all: [Act.Kind], from start: Int64 = 0, _ random: inout SeededGenerator) {
            end = start + 60_000 + random.below(900_000)
            gap = [1_600, 5_200, 5_200, 15_000, 15_000, 50_000][Int(random.below(6))]
            let trouble = [0, 1, 1, 1, 3][Int(random.below(5))]
            var through: Int64 = 0
            var kinds: [(Act.Kind, Int64)] = []
            for kind in all {
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
