package import ParlanceCore
import ParlanceSodium
import ParlanceWire

/// Plays one seed: people work while faults happen; then the faults stop, and the checkers check.
package final class Office {
    package let script: Script
    package let world: SimulatedWorld
    package let coverage = Coverage()
    let checker: Checker
    package let trace: Trace
    /// Called with the progress of the run, each virtual hour and when the faults stop.
    package var progressed: (RunProgress) -> Void = { _ in }

    /// How long after the last fault all nodes must agree, in milliseconds.
    static let convergence: Int64 = 90_000
    private static let auditEvery: Int64 = 60_000
    private static let tickEvery: Int64 = 5_000
    private static let progressEvery: Int64 = 3_600_000

    /// Acts that follow others automatically.
    var followups = EventQueue<Act>()
    /// The time until which faults of each kind last at least: a later fault of the kind prolongs it.
    var lasting: [String: Int64] = [:]
    /// The code by which each initial member of the workspace joins it at its first start.
    private var founding: [Int: String] = [:]
    /// What makes the next charter another one.
    var charters: UInt8 = 0
    /// The time until which nothing new happens; acts for that time are dropped or postponed.
    var stillUntil: Int64 = 0
    /// Whether a node has been restored again and again.
    var isOftenRestored = false
    /// Whether a machine has been cloned, guard and all.
    var isCloned = false
    /// The sticks that people carry, and what they do with them just now.
    var sticks = [Stick(), Stick()]
    var errands: [CommandID: Errand] = [:]
    /// What everybody has sent as a file, by its ID.
    var files: [FileID: [UInt8]] = [:]
    /// How many times all nodes slept for a day.
    var nights = 0
    /// The owners of hostile nodes.
    let hostile: [Int: HostileMember]

    /// - Parameters:
    ///   - keepsTrace: whether events are recorded, or only hashed.
    ///   - realDisk: makes the real store of a node, if it should have one.
    package init(
        _ script: Script,
        keepsTrace: Bool = false,
        realDisk: (SimulatedNode) throws -> (any RealDisk)? = { _ in nil }
    ) throws {
        self.script = script
        let names = (0..<script.nodes).map { Self.names[$0 % Self.names.count] + ($0 < 20 ? "" : "\($0)") }
        world = try SimulatedWorld(names: names, seed: script.seed)
        world.keepsNews = false
        world.skew = script.skew
        checker = Checker(world, garbler: script.garbler, hostile: script.hostile)
        var owners: [Int: HostileMember] = [:]
        for node in script.hostile { owners[node] = HostileMember(world, node) }
        hostile = owners
        trace = Trace(names: names, isKept: keepsTrace)
        // The owner of a hostile node writes into its disk what no engine writes.
        for node in world.nodes.indices where !script.hostile.contains(node) {
            world.nodes[node].real = try realDisk(world.nodes[node])
        }
        for (node, bytes) in script.scants { world.nodes[node].authorDayBytes = bytes }
        if let garbler = script.garbler { world.network.garbler = (garbler, 12) }
        world.network.older = script.older
        world.network.newer = script.newer
        world.network.liar = script.liar
        world.observer = self
    }

    private static let names = [
        "ada", "bob", "cyd", "dan", "eve", "fay", "gus", "hal", "ivy", "joe", "kim", "lea", "max", "ned", "oda", "pat",
        "quy", "rae", "sam", "tom",
    ]

    /// Plays the first acts up to a number, or the acts at the given positions.
    ///
    /// - Returns: the first fault found, or `nil`.
    package func run(acts chosen: [Int]? = nil) -> String? {
        defer { for node in world.nodes { node.real?.remove() } }
        checker.checkRules(script.seed)
        for index in world.nodes.indices {
            let due = Act(time: Int64(index) * 700, kind: .restart, node: index, other: index, salt: script.seed)
            followups.add(due, at: due.time)
        }
        var random = SeededGenerator(seed: script.seed)
        if let founder = script.workspace.min() {
            let text = newCode(by: founder, &random)
            for index in script.workspace.sorted() { founding[index] = text }
        }
        let acts = chosen.map { $0.map { script.acts[$0] } } ?? script.acts
        let end = chosen == nil ? script.length : min(script.length, (acts.last?.time ?? 0) + 120_000)
        play(acts, until: end)
        guard checker.violation == nil else { return failure }
        quieten()
        if checker.violation == nil { checker.finish() }
        if checker.violation == nil { checker.checkFiles(files) }
        return failure
    }

    private var failure: String? {
        checker.violation.map { "at \(Trace.clock(world.now)): \($0)" }
    }

    private func play(_ acts: [Act], until end: Int64) {
        var next = 0
        var audit: Int64 = 0
        var tick: Int64 = 0
        var progress = Self.progressEvery
        let start = world.now
        while checker.violation == nil {
            let act = next < acts.count ? acts[next].time : Int64.max
            let still = stillUntil > 0 ? stillUntil : Int64.max
            let time = min(act, followups.nextTime ?? .max, audit, still, tick, end)
            world.run(until: { [checker] in checker.violation != nil }, within: max(0, start + time - world.now))
            guard checker.violation == nil else { return }
            if time == end || time >= progress {
                let frames = world.framesDelivered
                progressed(RunProgress(time: time, length: end, acts: next, actsInAll: acts.count, frames: frames))
                progress += Self.progressEvery
            }
            guard time < end else { return }
            if time == tick {
                checker.tick()
                tick += Self.tickEvery
            } else if time == still {
                stillUntil = 0
                lookAround()
            } else if time == audit {
                checker.audit()
                checker.watch()
                audit += Self.auditEvery
            } else if time == act {
                if stillUntil == 0 { perform(acts[next]) }
                next += 1
            } else if let due = followups.popFirst() {
                if stillUntil == 0 { perform(due.element) } else { followups.add(due.element, at: stillUntil) }
            }
        }
    }

    /// The faults stop, nodes that are down come back, and people accept each other or not; then there is time to
    /// agree.
    private func quieten() {
        trace.add(world.now, "--- the faults stop")
        world.network.heal()
        world.network.calm()
        for index in world.nodes.indices {
            world.nodes[index].trouble = DiskTrouble()
            // A process that is about to end ends now.
            if world.nodes[index].isStopping || world.nodes[index].isDiskGone { world.crash(index) }
            if !world.nodes[index].isUp { start(index) }
        }
        setQuota(isUsual: true)
        if !script.workspace.isEmpty {
            rest(Self.convergence)
            checker.checkKeys()
        }
        if script.makesPeace {
            if !script.workspace.isEmpty {
                var random = SeededGenerator(seed: ~script.seed)
                renewWorkspace(by: 0, &random)
            }
            rest(30_000)
            for (index, node) in world.nodes.enumerated() {
                for other in world.nodes where other !== node && node.disk.peers[other.identity]?.isFriend != true {
                    let command = give(.accept(who: other.identity.text), to: index)
                    checker.expectOpinion(command, .accept, of: other.number, by: index)
                }
            }
        }
        rest(Self.convergence)
        if !script.hostile.isEmpty { changeGroups() }
        askForViews()
    }

    /// Lets the nodes that take little of an author take the usual amount, or little again.
    func setQuota(isUsual: Bool) {
        for (node, few) in script.scants {
            let bytes = isUsual ? Limits.authorDayBytes : few
            world.nodes[node].authorDayBytes = bytes
            checker.begunDay(at: node)
            if world.nodes[node].isUp { world.tell(.quotaChanged(bytes), to: node) }
        }
    }

    func rest(_ milliseconds: Int64) {
        let end = world.now + milliseconds
        repeat {
            let time = min(Self.tickEvery, end - world.now)
            world.run(until: { [checker] in checker.violation != nil }, within: time)
            checker.tick()
        } while world.now < end && checker.violation == nil
        checker.watch()
    }

    @discardableResult
    func give(_ command: Command, to index: Int) -> CommandID {
        coverage.count("command \(command.kindName)")
        let id = world.give(command, to: index)
        if command.isSetting { checker.keptDue.insert(index) }
        trace.add(world.now, "\(world.nodes[index].name) does \(command.summary)")
        return id
    }

    func start(_ index: Int) {
        trace.add(world.now, "\(world.nodes[index].name) starts")
        world.start(index)
        if let address = world.nodes[index].address { world.tell(.ownAddresses([address]), to: index) }
        if let text = founding.removeValue(forKey: index) {
            join(index, by: text, makesIt: index == script.workspace.min())
        }
    }
}

extension PeerRecord {
    /// Whether frames of conversations are exchanged with it.
    package var isFriend: Bool { trust == .accepted || trust == .verified }
}

extension Command {
    /// Whether it changes how a node trusts others, or what it says about itself.
    fileprivate var isSetting: Bool {
        switch self {
        case .accept, .decline, .block, .unblock, .verify, .forget, .setCourier, .setAlias, .setName, .setPresence,
            .setPreference, .clear, .setLifetime, .retry, .workspace:
            true
        default: false
        }
    }
}
