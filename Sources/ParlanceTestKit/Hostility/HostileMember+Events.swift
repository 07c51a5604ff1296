import Foundation
import ParlanceCore
import ParlanceHistory
import ParlanceRecords
import ParlanceWire

// Runs of events, forks and their proofs.
extension HostileMember {
    func framesOfEvents(_ mischief: Mischief, at target: Int) -> [WireFrame.OneOf_Kind] {
        let aim = aim(at: target, inGroup: false)
        let key = anyCopy(in: aim.place)
        switch mischief {
        case .largeTexts:
            // Most of it goes to one place, so that the quota there is used up.
            let aim = Aim(target: target, place: favourite(of: target), membership: nil)
            let key = LogKey(aim.place, copy(0))
            for _ in 0..<(4 + random.below(12)) where largeBytes < Self.mostLargeBytes {
                let filling = String(repeating: "x", count: Limits.textBytes - 64 - Int(random.below(8_000)))
                largeBytes += filling.utf8.count
                write(.message, text(nextText() + filling), in: key)
            }
            return runs(of: key, for: target)
        case .manyTexts: for _ in 0..<(1 + random.below(40)) { write(.message, text(nextText()), in: key) }
        case .farTimes:
            let times: [UInt64] = [.max, .max - 1, 0, 1, 1 << 63, UInt64(world.instant(of: node).wall) << 15]
            write(.message, text(nextText()), in: LogKey(aim.place, copy(Self.late)), time: pick(times))
            return runs(of: LogKey(aim.place, copy(Self.late)), for: target)
        case .madeUpDependencies:
            let unknown = (0..<(1 + random.below(Int64(Limits.dependencies)))).map { _ in
                EventReference(
                    log: LogID(
                        author: pick(people) ?? nobody(),
                        replica: ReplicaID(bytes(ReplicaID.count)) ?? own.replica
                    ),
                    sequence: 1 + UInt64(random.below(1_000)),
                    id: EventID(bytes(Bytes32.count)) ?? EventID(value: .zero)
                )
            }
            write(.message, text(nextText()), in: LogKey(aim.place, copy(Self.waiting)), dependencies: unknown)
            return runs(of: LogKey(aim.place, copy(Self.waiting)), for: target)
        case .oddEvents: for _ in 0..<(1 + random.below(6)) { writeOddEvent(in: key) }
        case .deletionsOfOthers, .editsOfOthers, .reactionsToOthers: writeAboutOthers(mischief, aim, in: key)
        case .withdrawals:
            var body = WireWithdrawBody()
            body.sequence = UInt64(1 + random.below(4))
            write(.withdraw, body.encodedBytes(), in: key)
        case .repeatedRun:
            let chain = chains[key] ?? []
            return chain.isEmpty
                ? [] : [run(chain.prefix(16), in: key.conversation), run(chain.prefix(16), in: key.conversation)]
        default: return framesOfFalseEvents(mischief, key, target)
        }
        return runs(of: key, for: target)
    }

    private var people: [PeerID] { world.nodes.map(\.identity) }

    /// The conversation into which it writes most.
    private func favourite(of target: Int) -> ConversationID {
        let disk = world.nodes[target].disk
        let group = disk.groups.first { disk.memberships[$0]?.isMember(identity) == true }
        return group ?? ConversationID(direct: identity, world.nodes[target].identity)
    }

    /// An event that is void by itself, or of a kind that nobody knows.
    private func writeOddEvent(in key: LogKey) {
        switch random.below(7) {
        case 0: write(.message, text("  \n"), in: key)
        case 1: write(.message, bytes(40), in: key)
        case 2: write(.unknown(60 + Int(random.below(9))), bytes(10), in: key)
        case 3: write(.title, bytes(300), in: key)
        case 4: write(.lifetime, bytes(8), in: key)
        case 5: write(.members, bytes(60), in: key)
        default:
            var body = WireMessageBody()
            body.text = nextText()
            body.mentions = (0..<(Limits.mentions + 1)).map { _ in Data(repeating: 1, count: 32) }
            write(.message, body.encodedBytes(), in: key)
        }
    }

    /// Deletes, edits or reacts to what others wrote.
    private func writeAboutOthers(_ mischief: Mischief, _ aim: Aim, in key: LogKey) {
        for _ in 0..<(1 + random.below(4)) {
            guard let found = pick(others(in: aim)) else { return }
            switch mischief {
            case .deletionsOfOthers: write(.delete, [], in: key, target: reference(found))
            case .editsOfOthers: write(.edit, text(nextText()), in: key, target: reference(found))
            default:
                var body = WireReactionBody()
                body.emoji = pick(["👍", "x", "\u{7}", String(repeating: "!", count: 40)]) ?? ""
                write(.reaction, body.encodedBytes(), in: key, target: reference(found))
            }
        }
    }

    /// Events that break a rule of the chain or of signatures; they become part of no log.
    private func framesOfFalseEvents(_ mischief: Mischief, _ key: LogKey, _ target: Int) -> [WireFrame.OneOf_Kind] {
        let end = world.nodes[target].disk.position(of: key)
        let random32 = EventID(bytes(Bytes32.count)) ?? EventID(value: .zero)
        var event = self.event(after: end, of: key, .message, text(nextText()))
        switch mischief {
        case .wrongSignature: event.signature = bytes(64)
        case .unsignedRun: event.signature = nil
        case .wrongPredecessor:
            let wrong = LogPosition(sequence: max(1, end.sequence), head: random32)
            event = self.event(after: wrong, of: key, .message, text(nextText()))
        case .gapInSequence:
            let far = LogPosition(sequence: end.sequence + 1 + UInt64(random.below(1_000_000)), head: random32)
            event = self.event(after: far, of: key, .message, text(nextText()))
        case .forgedAuthor:
            // In the name of somebody else, with its own signature.
            guard let victim = pick(world.nodes.filter { $0.number != node && $0.number != target }) else { return [] }
            let log = LogKey(key.conversation, LogID(author: victim.identity, replica: victim.replica))
            let position = world.nodes[target].disk.position(of: log)
            event = self.event(after: position, of: log, .message, text(nextText()))
        default: return framesOfForks(mischief, key, target)
        }
        return [run([event], in: key.conversation)]
    }

    // Forks.

    private func framesOfForks(_ mischief: Mischief, _ key: LogKey, _ target: Int) -> [WireFrame.OneOf_Kind] {
        let disk = world.nodes[target].disk
        switch mischief {
        case .fork, .forkOfOwnLog:
            var key = key
            if mischief == .forkOfOwnLog {
                guard ownForks < Self.mostOwnForks else { return [] }
                ownForks += 1
                key = LogKey(key.conversation, LogID(author: identity, replica: own.replica))
            }
            guard let events = disk.logs[key]?.events, !events.isEmpty else { return [] }
            return [run(branch(beside: events, of: key), in: key.conversation)]
        case .forkOfBranch:
            let branches = disk.branches.filter { $0.conversation == key.conversation && $0.log.author == identity }
            guard let branch = pick(branches), let events = disk.logs[LogKey(key.conversation, branch.log)]?.events,
                let first = events.first, chains[LogKey(key.conversation, first.header.log)] != nil
            else { return [] }
            return [
                run(self.branch(beside: events, of: LogKey(key.conversation, first.header.log)), in: key.conversation)
            ]
        default: return proofs(mischief, key, disk)
        }
    }

    /// One to three events that begin beside one of the last of the given.
    private func branch(beside events: [StoredEvent], of key: LogKey) -> [StoredEvent] {
        let index = events.count - 1 - Int(random.below(min(3, Int64(events.count))))
        let beside = events[index]
        let before =
            beside.header.previous.map { LogPosition(sequence: beside.header.sequence - 1, head: $0) } ?? .start
        var made: [StoredEvent] = []
        for _ in 0...random.below(3) {
            made.append(event(after: made.last?.position ?? before, of: key, .message, text(nextText())))
        }
        return made
    }

    private func proofs(_ mischief: Mischief, _ key: LogKey, _ disk: SimulatedDisk) -> [WireFrame.OneOf_Kind] {
        // A log apart is forked again and again.
        let key = LogKey(key.conversation, copy(Self.forked))
        guard let events = disk.logs[key]?.events, let last = events.last else {
            write(.message, text(nextText()), in: key)
            return runs(of: key, for: indexOf(disk))
        }
        let before = last.header.previous.map { LogPosition(sequence: last.header.sequence - 1, head: $0) } ?? .start
        let count = mischief == .manyForkProofs ? 20 : 1
        return (0..<count).map { _ in
            var other = event(after: before, of: key, .message, text(nextText()))
            if mischief == .falseForkProof { other.signature = bytes(64) }
            return proof([last, other], of: key)
        }
    }

    private func indexOf(_ disk: SimulatedDisk) -> Int {
        world.nodes.firstIndex { $0.identity == disk.identity } ?? 0
    }

    private func proof(_ firsts: [StoredEvent], of key: LogKey) -> WireFrame.OneOf_Kind {
        var frame = WireFork()
        frame.conversation = Data(key.conversation.bytes)
        frame.log = key.log.wire
        frame.branches = firsts.map { event in
            var branch = WireFork.Branch()
            var wire = event.wire
            wire.clearBody()
            branch.events = [wire]
            return branch
        }
        return .fork(frame)
    }
}
