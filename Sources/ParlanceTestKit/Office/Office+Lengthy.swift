import ParlanceCore
import ParlanceRecords
import ParlanceWire

// Faults in several steps.
extension Office {
    func troubleAtLength(_ act: Act, _ node: Int, _ random: inout SeededGenerator) {
        switch act.kind {
        case .clockTrip: tripClock(node, &random)
        case .clockBack: turnClockBack(node, &random)
        case .vanish: vanish(node, &random)
        case .lookForCouriers: lookForCouriers(of: node, left: act.salt)
        case .manyRestores:
            // It leaves logs that everybody must keep, so it happens at most once, and not in every run.
            guard act.salt % 4 == 0, !isOftenRestored else { return }
            isOftenRestored = true
            happened("\(world.nodes[node].name) is restored again and again", kind: "many restores")
            follow(.restoreAgain, node, after: 1, salt: UInt64(Limits.copiesPerMember) + 2)
        case .restoreAgain: restoreAgain(node, left: act.salt)
        case .clone:
            // It forks logs that everybody must keep, so it happens at most once, and not in every run.
            guard act.salt % 4 == 0, !isCloned, world.nodes[node].isUp else { return }
            isCloned = true
            happened("\(world.nodes[node].name)'s machine is cloned", kind: "clone")
            world.backUp(node)
            follow(.otherCopy, node, after: 10_000 + random.below(60_000), salt: Self.turnsOfCopies)
        case .otherCopy: letOtherCopyRun(node, left: act.salt, &random)
        case .laterKind: writeLaterKind(node, &random)
        case .night: passNight()
        default: break
        }
    }

    /// A clock is a week or a year off, often at a start; then it is corrected, and couriers are needed.
    private func tripClock(_ node: Int, _ random: inout SeededGenerator) {
        let days = [1, 8, 40, 366][Int(random.below(4))] * (random.below(3) == 0 ? -1 : 1)
        world.skew[node] = Int64(days) * 86_400_000
        happened(
            "\(world.nodes[node].name)'s clock is \(days) days off",
            kind: days > 0 ? "clock ahead" : "clock behind"
        )
        if random.below(3) != 0, world.nodes[node].isUp {
            world.crash(node)
            follow(.restart, node, after: 100 + random.below(5_000))
        }
        follow(.clockBack, node, after: 20_000 + random.below(60_000), salt: random.next())
    }

    /// The clocks of three nodes are right again, and each carries for the others.
    private func turnClockBack(_ node: Int, _ random: inout SeededGenerator) {
        let three = three(from: node)
        for one in three { world.skew[one] = random.below(2_000) }
        happened("the clock of \(world.nodes[node].name) is right again", kind: "clock right again")
        for one in three where world.nodes[one].isUp {
            for other in three where other != one {
                give(.setCourier(who: identity(other), true), to: one)
                // The next link exchanges the keys of this day.
                world.loseLinks(one, other)
            }
        }
        follow(.vanish, node, after: 20_000, salt: random.next())
    }

    /// Somebody is away for a while, and others write to them.
    private func vanish(_ node: Int, _ random: inout SeededGenerator) {
        let could = checker.couldCarry(node, among: three(from: node))
        world.crash(node)
        follow(.restart, node, after: 30_000 + random.below(60_000))
        for step in 1...2 {
            let other = (node + step) % world.nodes.count
            guard other != node, world.nodes[other].isUp, !world.nodes[other].isStopping else { continue }
            write(1 + random.below(3), from: other, to: node, identity(node))
        }
        let life = UInt64(world.nodes[node].life)
        if could { follow(.lookForCouriers, node, after: 15_000, salt: life) }
    }

    private func three(from node: Int) -> [Int] {
        (0..<3).map { (node + $0) % world.nodes.count }
    }

    /// Couriers hold what was written to somebody who is still away, and its author sees that.
    private func lookForCouriers(of node: Int, left life: UInt64) {
        let three = three(from: node)
        guard !world.nodes[node].isUp, world.nodes[node].life == life,
            checker.couldCarry(node, among: three, isAway: true)
        else { return }
        for other in three.dropFirst() { give(.listDeliveries, to: other) }
        rest(0)
        happened("\(world.nodes[node].name) is away and has couriers", kind: "couriers looked for")
        for other in three.dropFirst() { checker.checkCarried(for: node, by: other) }
    }

    /// One more copy that the guard detects; it has time to write a word to everybody.
    private func restoreAgain(_ node: Int, left: UInt64) {
        if left % 4 != 0 { world.backUp(node) }
        restore(node, isUnseen: false)
        for other in world.nodes.indices where other != node {
            write(1, from: node, to: other, identity(other))
        }
        if left > 0 { follow(.restoreAgain, node, after: 9_000, salt: left - 1) }
    }

    /// Two copies of one machine write the same logs and do not know of each other. Here they run alternately: each
    /// goes on with what it had, as two do that run at the same time and meet other people.
    private func letOtherCopyRun(_ node: Int, left: UInt64, _ random: inout SeededGenerator) {
        world.crash(node)
        guard world.swapCopies(node) else { return start(node) }
        checker.restored(node)
        happened("the other copy of \(world.nodes[node].name) runs", kind: "other copy runs")
        start(node)
        if left > 0 { follow(.otherCopy, node, after: 5_000 + random.below(60_000), salt: left - 1) }
    }

    /// A later version of the program ran here for a moment: it has left an event of a kind that nobody else knows.
    private func writeLaterKind(_ node: Int, _ random: inout SeededGenerator) {
        let machine = world.nodes[node]
        let conversations = machine.disk.conversations
        guard !conversations.isEmpty, !machine.isStopping, machine.renewed == nil else { return }
        let conversation = conversations[Int(random.below(Int64(conversations.count)))].id
        world.crash(node)
        if world.writeLaterKind(in: conversation, of: node) {
            happened("\(machine.name) was a later version for a moment", kind: "event of a later kind")
        }
        follow(.restart, node, after: 100 + random.below(5_000))
    }

    /// All machines sleep for a day and an hour: only their clocks go on.
    private func passNight() {
        guard nights < Self.mostNights else { return }
        nights += 1
        happened("a night passes", kind: "night")
        world.cutAll()
        for index in world.skew.indices { world.skew[index] += 25 * 3_600_000 }
    }

    private static let mostNights = 40
    private static let turnsOfCopies: UInt64 = 4
}
