import ParlanceCore
import ParlanceWire

// Faults, and their repair after a while.
extension Office {
    func goWrong(_ act: Act, _ node: Int, _ other: Int, _ random: inout SeededGenerator) {
        switch act.kind {
        case .loseLink, .lossyNetwork, .slowNetwork, .dyingHandshakes, .partition, .deafness, .duplicateLink,
            .stripBodies, .networkChange, .sighting, .sightingLost, .rotateApart:
            troubleNetwork(act, node, other, &random)
        case .crash, .losePower, .stop, .clockJump, .backUp, .restore, .rollBack:
            troubleMachine(act, node, &random)
        case .slowDisk, .failDisk, .breakDisk, .fullDisk, .emptyReads, .failReads, .someRoom, .quickDisk:
            troubleDisk(act, node, &random)
        case .clockTrip, .clockBack, .vanish, .lookForCouriers, .manyRestores, .restoreAgain, .laterKind, .night,
            .clone,
            .otherCopy:
            troubleAtLength(act, node, &random)
        case .stillness: beStill()
        case .tamper: tamper(&random)
        case .misbehave: misbehave(node, other, salt: act.salt)
        case .goToIslands: goToIslands()
        case .restart: if !world.nodes[node].isUp { start(node) }
        case .heal:
            if isOver("partition") {
                happen("the network is whole", "heal") { world.network.part = world.network.part.map { _ in 0 } }
            }
        case .answerRoll:
            guard world.nodes[node].isUp, !world.nodes[node].isStopping else { return }
            doInGroups(.sendGroup, node, node, &random)
        case .typeElsewhere:
            let groups = world.nodes[node].disk.groups.sorted()
            guard world.nodes[node].isUp, !world.nodes[node].isStopping, !groups.isEmpty else { return }
            give(.typing(who: groups[Int(random.below(Int64(groups.count)))].text), to: node)
        case .hear: world.network.deaf = []
        case .calm: if isOver("network") { world.network.calm() }
        case .restoreNow: restore(node, isUnseen: false)
        case .rollBackNow: restore(node, isUnseen: true)
        default: break
        }
    }

    func happen(_ what: String, _ kind: String, _ body: () -> Void) {
        happened(what, kind: kind)
        body()
    }

    func follow(_ kind: Act.Kind, _ node: Int, after delay: Int64, salt: UInt64 = 0) {
        let time = world.now - 1_000 + max(1, delay)
        followups.add(Act(time: time, kind: kind, node: node, other: node, salt: salt), at: time)
    }

    private func last(_ what: String, _ duration: Int64) {
        lasting[what] = max(lasting[what] ?? 0, world.now + duration)
    }

    private func isOver(_ what: String) -> Bool { (lasting[what] ?? 0) <= world.now }

    private func troubleNetwork(_ act: Act, _ node: Int, _ other: Int, _ random: inout SeededGenerator) {
        let (a, b) = (world.nodes[node].name, world.nodes[other].name)
        let duration = 1_000 + random.below(random.below(3) == 0 ? 600_000 : 60_000)
        switch act.kind {
        case .loseLink: happen("the link \(a)-\(b) is lost", "link lost") { world.loseLinks(node, other) }
        case .lossyNetwork, .slowNetwork, .dyingHandshakes, .stripBodies:
            last("network", duration)
            follow(.calm, node, after: duration)
            happened("\(act.kind.rawValue) for \(duration) ms", kind: act.kind.rawValue)
            switch act.kind {
            case .lossyNetwork: world.network.cutOnceIn = 5 + random.below(200)
            case .slowNetwork: world.network.slowest = 100 + random.below(8_000)
            case .dyingHandshakes: world.network.handshakeDiesOnceIn = 1 + random.below(4)
            default: world.network.stripOnceIn = 1 + random.below(4)
            }
        case .partition: partition(duration, &random)
        case .deafness:
            follow(.hear, node, after: duration)
            happened("\(a) cannot dial \(b)", kind: "asymmetric partition")
            world.network.deaf.insert(SimulatedNetwork.Direction(from: node, to: other))
        case .duplicateLink: happen("\(a) dials \(b) once more", "duplicate link") { world.duplicateLink(node, other) }
        case .rotateApart: rotateApart(duration, &random)
        case .networkChange:
            happen("\(a)'s network changes", "network change") { world.tell(.networkChanged, to: node) }
        case .sighting:
            guard world.nodes[other].isUp, node != other else { return }
            happen("\(a) sees \(b)", "sighting") { world.tell(.sighted(sighting(of: other)), to: node) }
        case .sightingLost:
            let instance = sighting(of: other).instance
            happen("\(a) sees \(b) no more", "sighting lost") { world.tell(.sightLost(instance: instance), to: node) }
        default: break
        }
    }

    private func sighting(of node: Int) -> Sighting {
        let peer = world.nodes[node]
        return Sighting(
            instance: "\(peer.name)-\(peer.life)",
            peerPrefix: String(peer.identity.text.prefix(8)),
            workspaceTags: peer.keys.map(\.tag),
            endpoints: [peer.endpoint]
        )
    }

    func partition(_ duration: Int64, _ random: inout SeededGenerator) {
        guard script.islands == nil else { return }
        let part = world.nodes.map { _ in Int(random.below(2)) }
        let styles = SimulatedNetwork.Style.allCases
        let style = styles[Int(random.below(Int64(styles.count)))]
        last("partition", duration)
        follow(.heal, 0, after: duration)
        happened("partition \(part), \(style.rawValue), for \(duration) ms", kind: "partition, \(style.rawValue)")
        world.partition(part, style, until: world.now + duration)
    }

    private func troubleMachine(_ act: Act, _ node: Int, _ random: inout SeededGenerator) {
        let (machine, name) = (world.nodes[node], world.nodes[node].name)
        let away = 100 + random.below([3_000, 30_000, 300_000][Int(random.below(3))])
        switch act.kind {
        case .crash, .losePower:
            guard machine.isUp else { return }
            happened("\(name) crashes for \(away) ms", kind: act.kind == .crash ? "crash" : "power lost")
            world.crash(node, isSynced: random.below(3) == 0, isPowerLost: act.kind == .losePower)
            follow(.restart, node, after: away)
        case .stop:
            guard machine.isUp else { return }
            happen("\(name) stops for \(away) ms", "stop") { world.stop(node) }
            follow(.restart, node, after: 10_000 + away)
        case .clockJump:
            world.skew[node] = Script.drawSkew(&random)
            happened("\(name)'s clock is off by \(world.skew[node]) ms", kind: "clock jump")
        case .backUp:
            let asFile = act.salt % 2 == 0
            happen("\(name) is backed up\(asFile ? " to a file" : "")", asFile ? "backup to a file" : "backup") {
                world.backUp(node, asFile: asFile)
            }
        case .restore:
            happened("\(name) goes down to be restored", kind: "restore")
            world.crash(node)
            follow(.restoreNow, node, after: 5_000 + random.below(20_000))
        case .rollBack:
            guard machine.backup != nil else { return }
            happened("\(name) goes down to be rolled back", kind: "roll back")
            world.crash(node)
            follow(.rollBackNow, node, after: 5_000 + random.below(20_000))
        default: break
        }
    }

    private func troubleDisk(_ act: Act, _ node: Int, _ random: inout SeededGenerator) {
        let (machine, name) = (world.nodes[node], world.nodes[node].name)
        let duration = 100 + random.below([3_000, 30_000, 300_000][Int(random.below(3))])
        switch act.kind {
        case .slowDisk:
            machine.trouble.slowest = 50 + random.below(5_000)
            follow(.quickDisk, node, after: duration)
            happened("\(name)'s disk is slow", kind: "slow disk")
        case .quickDisk: machine.trouble.slowest = DiskTrouble().slowest
        case .failDisk:
            machine.trouble.failures = 1 + Int(random.below(3))
            // Sometimes its user changes a setting just then.
            if machine.isUp, !machine.isStopping, random.below(4) == 0 {
                setPreference(for: identity(act.other % world.nodes.count), node, &random)
            }
        case .breakDisk:
            machine.trouble.breaks = true
            follow(.restart, node, after: 10_000 + duration)
        case .fullDisk:
            let duration = min(duration, 60_000)
            machine.trouble.room = Int(random.below(4_000))
            happened("\(name)'s disk fills up", kind: "disk fills up")
            // Somebody frees a little space several times, and at last enough.
            for part in 0..<random.below(4) {
                follow(.someRoom, node, after: duration * part / 4, salt: UInt64(1 + random.below(6_000)))
            }
            follow(.someRoom, node, after: duration)
        case .someRoom: machine.trouble.room = act.salt == 0 ? nil : machine.trouble.room.map { $0 + Int(act.salt) }
        case .failReads:
            // Sometimes more than a link keeps for another attempt.
            let count = random.below(8) == 0 ? random.below(200) : random.below(6)
            machine.trouble.failedReads = 1 + Int(count)
        default: machine.trouble.emptyReads = 1 + Int(random.below(3))
        }
    }

    func restore(_ node: Int, isUnseen: Bool) {
        // Another fault's repair may have started it in the meantime.
        world.crash(node)
        world.restore(node, isUnseen: isUnseen)
        checker.restored(node)
        let what = isUnseen ? "rolled back" : "restored"
        happened("\(world.nodes[node].name) is \(what)", kind: what)
        start(node)
    }
}
