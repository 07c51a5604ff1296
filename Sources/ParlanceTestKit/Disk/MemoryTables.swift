import ParlanceHistory
import ParlanceRecords
import ParlanceWire

/// The rows of a store in memory, for the rules to read and write. It knows no rule.
///
/// A log's row number is its place in `keys`, counted from 1; a conversation's is its place in `conversations`.
final class MemoryTables {
    var rows: MemoryRows

    init(_ rows: MemoryRows) { self.rows = rows }

    func key(_ log: Int64) -> LogKey { rows.keys[Int(log) - 1] }

    func id(_ conversationRow: Int64) -> ConversationID { rows.conversations[Int(conversationRow) - 1].id }

    func log(_ row: Int64) -> SimulatedDisk.Log? { rows.logs[key(row)] }

    func about(_ place: Place, _ kind: EventKind) -> [AboutRow] {
        (rows.about[place] ?? [:]).values.filter { $0.kind == kind }
            .sorted { ($0.effective, $0.event) < ($1.effective, $1.event) }
    }

    func event(_ row: AboutRow) -> About {
        About(log: row.by.log, sequence: row.by.sequence, author: key(row.by.log).log.author, state: row.state)
    }
}

extension MemoryTables: HistoryReading {
    func branches(conversationRow: Int64) throws -> ForkTree {
        let id = id(conversationRow)
        let found = rows.branches.filter { $0.conversation == id }.compactMap { record in
            rows.logs[LogKey(id, record.log)].map {
                ForkTree.Branch(row: $0.row, log: record.log, parent: record.parent, base: record.base)
            }
        }
        return ForkTree(all: found.sorted { $0.row < $1.row })
    }

    func givenUp(conversationRow: Int64) throws -> Set<EventID> { rows.givenUp[id(conversationRow)] ?? [] }

    func membership(conversationRow: Int64) throws -> [StoredEvent] { rows.membership[conversationRow] ?? [] }

    func appliedMembership(conversationRow: Int64) throws -> Set<EventID> {
        let conversation = id(conversationRow)
        let held = Set((rows.membership[conversationRow] ?? []).map(\.id))
        let applied = rows.logs.filter { $0.key.conversation == conversation }.values
            .flatMap { $0.events.prefix($0.effective.count) }.map(\.id)
        return held.intersection(applied)
    }

    func logRow(of log: LogID, conversationRow: Int64) throws -> Int64? {
        rows.logs[LogKey(id(conversationRow), log)]?.row
    }

    func waitingLogs(conversationRow: Int64) throws -> [WaitingLog] {
        try logs(conversationRow: conversationRow).compactMap { key in
            guard let log = rows.logs[key], log.effective.count < log.events.count else { return nil }
            return WaitingLog(
                row: log.row,
                log: key.log,
                through: log.position.sequence,
                applied: log.applied.sequence,
                cleared: log.cleared
            )
        }
    }

    func event(log: Int64, sequence: UInt64) throws -> HeldEvent? {
        guard let log = self.log(log), let index = log.index(of: sequence) else { return nil }
        return HeldEvent(
            event: log.events[index],
            effective: index < log.effective.count ? log.effective[index] : nil
        )
    }

    func firstEvent(
        log: Int64,
        after: UInt64,
        through: UInt64,
        where fits: (EventHeader) throws -> Bool
    ) throws -> UInt64? {
        try self.log(log)?.events.map(\.header)
            .first { try $0.sequence > after && $0.sequence <= through && fits($0) }?.sequence
    }

    func flags(of id: EventID, effective: UInt64, conversationRow: Int64) throws -> LineFlags? {
        rows.lines[conversationRow]?[id].flatMap { $0.effective == effective ? $0.flags : nil }
    }

    func edits(of place: Place) throws -> [About] { about(place, .edit).map { event($0) } }

    func lastEdit(of place: Place) throws -> About? {
        about(place, .edit).last { $0.state == .valid }.map { event($0) }
    }

    func deletion(of place: Place) throws -> About? {
        about(place, .delete).first { $0.state == .valid }.map { event($0) }
    }

    func reactions(to place: Place) throws -> [AboutReaction] {
        struct Standing: Hashable {
            let log: Int64
            let emoji: [UInt8]
        }
        var last: [Standing: AboutRow] = [:]
        for row in about(place, .reaction) where row.state != .void {
            last[Standing(log: row.by.log, emoji: row.emoji ?? [])] = row
        }
        return last.map { standing, row in
            AboutReaction(
                author: key(standing.log).log.author,
                emoji: standing.emoji,
                effective: row.effective,
                id: row.event,
                isRemoved: row.state == .removed
            )
        }
    }

    func lastLabel(_ kind: EventKind, conversationRow: Int64) throws -> String? {
        (rows.labels[conversationRow] ?? [:]).filter { $0.value.kind == kind }
            .max { ($0.value.effective, $0.key) < ($1.value.effective, $1.key) }?.value.text
    }

    func lastLifetime(isOwn: Bool, conversationRow: Int64) throws -> Lifetime? {
        (rows.lifetimes[conversationRow] ?? [:]).values.filter { $0.isOwn == isOwn }.map(\.lifetime)
            .max { ($0.effective, $0.id) < ($1.effective, $1.id) }
    }

    func withdrawal(log: Int64, sequence: UInt64) throws -> Withdrawal? {
        rows.withdrawals[Place(log: log, sequence: sequence)]
    }
}

// Conversations, logs and membership.
extension MemoryTables: HistoryTables {
    func conversation(_ id: ConversationID) throws -> (row: Int64, isGroup: Bool)? {
        rows.conversations.firstIndex { $0.id == id }
            .map { (Int64($0) + 1, rows.conversations[$0].kind == .group) }
    }

    func progress(of key: LogKey, conversationRow: Int64, isOwn: Bool, group: GroupState?) throws -> LogProgress? {
        guard let log = rows.logs[key] else { return nil }
        let progress = LogProgress(
            row: log.row,
            conversationRow: conversationRow,
            key: key,
            isOwn: isOwn,
            group: group
        )
        progress.position = log.position
        progress.time = log.events.last?.header.time ?? EventTime(raw: 0)
        progress.signedThrough = log.signedThrough
        progress.applied = log.applied
        if let effective = log.effective.last {
            progress.appliedEffective = effective
            progress.appliedTime = log.events[log.effective.count - 1].header.time
        }
        progress.namedThrough = log.named
        (progress.floor, progress.cleared) = (log.floor, log.cleared)
        (progress.shown, progress.unread, progress.mentions) = (log.shown, log.unread, log.mentions)
        progress.readThrough = log.readThrough
        return progress
    }

    func insertLog(_ key: LogKey, conversationRow: Int64, read: UInt64) throws {
        invariant(rows.logs[key] == nil, "a log has one row")
        rows.keys.append(key)
        var log = SimulatedDisk.Log(row: Int64(rows.keys.count))
        log.readThrough = read
        rows.logs[key] = log
    }

    func save(_ progress: LogProgress) throws {
        rows.logs[progress.key]?.named = progress.namedThrough
        rows.logs[progress.key]?.floor = progress.floor
        rows.logs[progress.key]?.cleared = progress.cleared
        rows.logs[progress.key]?.signedThrough = progress.signedThrough
        rows.logs[progress.key]?.readThrough = progress.readThrough
        rows.logs[progress.key]?.shown = progress.shown
        rows.logs[progress.key]?.unread = progress.unread
        rows.logs[progress.key]?.mentions = progress.mentions
        invariant(rows.logs[progress.key]?.applied == progress.applied, "what is applied of a log is in its rows")
        invariant(rows.logs[progress.key]?.position == progress.position, "what is held of a log is in its rows")
    }

    func logKey(of row: Int64) throws -> LogKey? { key(row) }

    func logs(conversationRow: Int64?) throws -> [LogKey] {
        guard let conversationRow else { return rows.keys }
        let conversation = id(conversationRow)
        return rows.keys.filter { $0.conversation == conversation }
    }

    func replicas(of author: PeerID, conversationRow: Int64) throws -> [ReplicaID] {
        try logs(conversationRow: conversationRow).map(\.log).filter { $0.author == author }.map(\.replica).sorted()
    }

    func insertBranch(_ record: BranchRecord, log: Int64, conversationRow: Int64) throws {
        invariant(rows.logs[key(log)]?.parent == nil, "a branch has one row")
        rows.branches.append(record)
        rows.logs[key(log)]?.base = record.base
        rows.logs[key(log)]?.parent = record.parent
    }

    func moveBranch(log: Int64, to parent: LogID) throws {
        let key = key(log)
        rows.logs[key]?.parent = parent
        for place in rows.branches.indices
        where LogKey(rows.branches[place].conversation, rows.branches[place].log) == key {
            rows.branches[place].parent = parent
        }
    }

    func insertGivenUp(_ event: EventID, conversationRow: Int64) throws {
        rows.givenUp[id(conversationRow), default: []].insert(event)
    }

    func save(_ watermark: WatermarkRecord, conversationRow: Int64) throws {
        rows.watermarks[watermark.key] = watermark.position.sequence > 0 ? watermark : nil
    }

    func readThrough(_ log: LogID, member: PeerID, conversationRow: Int64) throws -> UInt64 {
        let conversation = id(conversationRow)
        let reads = rows.watermarks.values.filter { mark in
            mark.key.conversation == conversation && mark.key.log == log && mark.key.level == .read
                && mark.key.member == member
        }
        return reads.map(\.position.sequence).max() ?? 0
    }

    func insertMembership(_ event: StoredEvent, conversationRow: Int64) throws {
        guard rows.membership[conversationRow]?.contains(where: { $0.id == event.id }) != true else { return }
        rows.membership[conversationRow, default: []].append(event)
    }

    func deleteMembership(_ id: EventID, conversationRow: Int64) throws {
        rows.membership[conversationRow]?.removeAll { $0.id == id }
    }

    // Notes.

    func saveLabel(_ text: String, _ event: StoredEvent, effective: UInt64, conversationRow: Int64) throws {
        rows.labels[conversationRow, default: [:]][event.id] = MemoryRows.Label(
            kind: event.header.kind,
            effective: effective,
            text: text
        )
    }

    func deleteLabel(_ event: StoredEvent, effective: UInt64, conversationRow: Int64) throws {
        rows.labels[conversationRow]?[event.id] = nil
    }

    func saveLifetime(_ seconds: UInt64, _ event: StoredEvent, effective: UInt64, _ entry: LogProgress) throws {
        rows.lifetimes[entry.conversationRow, default: [:]][event.id] = MemoryRows.Said(
            isOwn: entry.isOwn,
            lifetime: Lifetime(seconds: seconds, effective: effective, id: event.id)
        )
    }

    func deleteLifetime(_ event: StoredEvent, effective: UInt64, _ entry: LogProgress) throws {
        rows.lifetimes[entry.conversationRow]?[event.id] = nil
    }

    // Missing texts.

    func missing(log: Int64) throws -> [UInt64] { self.log(log)?.missing ?? [] }

    func isMissing(log: Int64, sequence: UInt64) throws -> Bool {
        rows.missing[Place(log: log, sequence: sequence)]?.isExcused == false
    }

    private func noteMissing(_ log: Int64) {
        let missing = rows.missing.filter { $0.key.log == log && !$0.value.isExcused }.map(\.key.sequence).sorted()
        rows.logs[key(log)]?.missing = missing
    }

    func insertMissing(log: Int64, sequence: UInt64, target: EventID?, isExcused: Bool) throws {
        let place = Place(log: log, sequence: sequence)
        guard rows.missing[place] == nil else { return }
        rows.missing[place] = MemoryRows.Missing(target: target, isExcused: isExcused)
        noteMissing(log)
    }

    func deleteMissing(log: Int64, sequence: UInt64) throws {
        guard rows.missing.removeValue(forKey: Place(log: log, sequence: sequence)) != nil else { return }
        noteMissing(log)
    }

    func setExcused(_ isExcused: Bool, log: Int64, sequence: UInt64) throws {
        rows.missing[Place(log: log, sequence: sequence)]?.isExcused = isExcused
        noteMissing(log)
    }

    func missingEdits(of target: EventID) throws -> [MissingEdit] {
        rows.missing.filter { $0.value.target == target }
            .map { MissingEdit(log: $0.key.log, sequence: $0.key.sequence, isExcused: $0.value.isExcused) }
            .sorted { ($0.log, $0.sequence) < ($1.log, $1.sequence) }
    }

    // Waiting.

    func insertWait(log: Int64, awaited: LogID, sequence: UInt64) throws {
        invariant(rows.waits[log] == nil, "a log waits for one event")
        rows.waits[log] = MemoryRows.Awaited(log: awaited, sequence: sequence)
    }

    func deleteWait(log: Int64) throws { rows.waits[log] = nil }

    func waits() throws -> [Wait] {
        rows.waits.sorted { $0.key < $1.key }
            .map { Wait(waiter: key($0.key), awaited: $0.value.log, sequence: $0.value.sequence) }
    }

    // No index for searching is kept.

    func willChange(_ entry: LogProgress, _ sequence: UInt64) throws {}

    func haveChanged() throws {}

    func willDivide(_ conversation: ConversationID) throws {}
}
