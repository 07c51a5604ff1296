import ParlanceAudit
import ParlanceCore
import ParlanceRecords
import ParlanceWire

// Checks that a message that waits for something that has not come is shown after a minute, at its position.
extension Checker {
    /// Notes since when a log waits: it has an event that is held and cannot be applied.
    func noteWaiting(_ batch: PersistBatch, _ node: Int) {
        let disk = world.nodes[node].disk
        let touched = Set(
            batch.events.map(\.header.conversation) + batch.branches.map(\.conversation)
                + batch.givenUp.map(\.conversation)
        )
        guard !touched.isEmpty else { return }
        checkGivenUp(batch, node)
        let before = watches[node].waitsSince
        for (key, log) in disk.logs where touched.contains(key.conversation) {
            if log.effective.count == log.events.count {
                watches[node].waitsSince[key] = nil
            } else if watches[node].waitsSince[key] == nil {
                // What a branch took of its log may have waited there.
                let parent = log.parent.flatMap { before[LogKey(key.conversation, $0)] }
                watches[node].waitsSince[key] = parent ?? world.now
            }
        }
    }

    /// Only what somebody wrote of whom a log forks into so many branches is not awaited (events.md, "Given up").
    private func checkGivenUp(_ batch: PersistBatch, _ node: Int) {
        for row in batch.givenUp {
            for author in row.authors {
                let all = world.nodes[node].disk.branches.filter {
                    $0.conversation == row.conversation && $0.log.author == author
                }
                let most = all.map { branch in all.count { $0.isRival(of: branch) } }.max() ?? 0
                if most >= Limits.branchesPerLog { continue }
                return violate("\(name(node)) gives up what \(author) wrote, of whom it knows \(most) branches")
            }
        }
    }

    func checkWaiting() {
        for node in world.nodes.indices where violation == nil {
            guard let engine = world.nodes[node].engine, engine.isSettled, !watches[node].waitsSince.isEmpty else {
                continue
            }
            for (key, since) in watches[node].waitsSince where world.now - since > Self.provisional {
                if engine.overdueLogs(of: key.conversation).contains(key.log) { continue }
                return violate("\(name(node)) does not show what waits in \(key.log.short) for \(world.now - since) ms")
            }
            for group in Set(watches[node].waitsSince.keys.map(\.conversation)) {
                for log in engine.overdueLogs(of: group) {
                    let since = watches[node].waitsSince[LogKey(group, log)] ?? world.now
                    if world.now - since >= 59_000 { continue }
                    return violate("\(name(node)) shows what has waited in \(log.short) for \(world.now - since) ms")
                }
            }
        }
    }

    /// A node that starts shows at once what was waiting before.
    func restartWaiting(_ node: Int) {
        watches[node].waitsSince = [:]
        for (key, log) in world.nodes[node].disk.logs where log.effective.count < log.events.count {
            watches[node].waitsSince[key] = world.now - 120_000
        }
    }

    /// A minute, and the time that an engine may take to learn that something is durable.
    private static let provisional: Int64 = 66_000

    /// The real store agrees on what waits, on what is unread, and on all versions.
    func checkStore(_ plain: PlainHistory, _ node: Int) {
        guard let real = world.nodes[node].real, violation == nil else { return }
        var plain = plain
        do {
            let logs = Set(plain.logs)
            let found = try real.waiting(of: logs, in: plain.conversation)
            let disk = world.nodes[node].disk
            let wanted = plain.waiting(of: logs).filter { message in
                message.sequence > disk.logs[LogKey(plain.conversation, message.log)]?.cleared ?? 0
            }
            if found.map(\.id) != wanted.map(\.id) || found.map(\.effective) != wanted.map(\.effective)
                || found.map(\.text) != wanted.map(\.text) || !found.allSatisfy(\.isProvisional)
            {
                return violate(
                    "\(name(node)) shows \(found.map { ($0.effective, $0.text) }) as waiting, not "
                        + "\(wanted.map { ($0.effective, $0.text) })"
                )
            }
            let unread = unread(plain, node)
            let counted = try real.unread(in: plain.conversation)
            if counted.unread != unread.unread || counted.mentions != unread.mentions {
                return violate("\(name(node)) counts \(counted) as unread in \(plain.conversation), not \(unread)")
            }
            try checkLists(real, plain.lines, plain.conversation, node)
            for (line, texts) in plain.versions.prefix(20) {
                let told = try real.versions(of: line.reference, in: plain.conversation)
                if told != texts { return violate("\(name(node)) tells versions \(told), not \(texts)") }
            }
        } catch { violate("\(name(node))'s store failed: \(error)") }
    }

    /// Only messages that the node wrote and has not deleted may wait; the conversation with the latest message comes
    /// first.
    private func checkLists(
        _ real: any RealDisk,
        _ lines: [ShownMessage],
        _ conversation: ConversationID,
        _ node: Int
    ) throws {
        let log = LogID(author: world.nodes[node].identity, replica: world.nodes[node].replica)
        let own = lines.filter { $0.log == log && $0.note == nil && $0.rich?.deletion == nil }.sorted {
            $0.sequence < $1.sequence
        }
        let found = try real.own(in: log, of: conversation)
        if found.map(\.id) != own.map(\.id) {
            return violate("\(name(node)) lists \(found.count) own messages in \(conversation), not \(own.count)")
        }
        let disk = world.nodes[node].disk
        let last = disk.conversations.compactMap { record -> (ShownMessage, ConversationID)? in
            let shown = disk.history(of: record.id)
            return (shown.last { $0.note == nil } ?? shown.last).map { ($0, record.id) }
        }
        let inOrder = last.sorted { ($0.0.effective, $0.0.id) > ($1.0.effective, $1.0.id) }.map(\.1)
        if try Array(real.conversations().prefix(inOrder.count)) != inOrder {
            violate("\(name(node)) lists its conversations in another order than that of their last messages")
        }
    }

    /// Messages of others beyond what the user has read of their logs.
    private func unread(_ plain: PlainHistory, _ node: Int) -> (unread: Int, mentions: Int) {
        let own = world.nodes[node].identity
        var read: [LogID: UInt64] = [:]
        for mark in world.nodes[node].disk.watermarks.values
        where mark.key.conversation == plain.conversation && mark.key.member == own && mark.key.level == .read {
            read[mark.key.log] = max(read[mark.key.log] ?? 0, mark.position.sequence)
        }
        let lines = plain.lines.filter { line in
            line.note == nil && line.rich?.deletion == nil && line.log.author != own
                && line.sequence > read[line.log] ?? 0
        }
        return (lines.count, lines.count { $0.rich?.mentions.contains(own) == true })
    }
}
