import ParlanceCore
import ParlanceHistory
import ParlanceWire

/// The rows of a store in memory, for the rules to read and write. It knows no rule.
///
/// A log's row number is its place in `keys`, counted from 1; a conversation's is its place in `conversations`.
final class MemoryTables {
    var rows: MemoryRows

    init(_ rows: MemoryRows) { self.rows = rows }

    private func key(_ log: Int64) -> LogKey { rows.keys[Int(log) - 1] }

    private func id(_ conversationRow: Int64) -> ConversationID { rows.conversations[Int(conversationRow) - 1].id }

    private func log(_ row: Int64) -> SimulatedDisk.Log? { rows.logs[key(row)] }

    private func about(_ place: Place, _ kind: EventKind) -> [AboutRow] {
        (rows.about[place] ?? [:]).values.filter { $0.kind == kind }
            .sorted { ($0.effective, $0.event) < ($1.effective, $1.event) }
    }

    private func event(_ row: AboutRow) -> About {
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
                applied: log.applied.sequence
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

    // Events.

    func insert(_ event: StoredEvent, log: Int64, effective: UInt64?) throws {
        rows.logs[key(log)]?.events.append(event)
        if let effective { rows.logs[key(log)]?.effective.append(effective) }
    }

    func setEffective(_ effective: UInt64, log: Int64, sequence: UInt64) throws {
        invariant(
            self.log(log).map { $0.index(of: sequence) == $0.effective.count } == true,
            "events of a log are applied in order"
        )
        rows.logs[key(log)]?.effective.append(effective)
    }

    private func change(_ log: Int64, _ sequence: UInt64, _ change: (inout StoredEvent) -> Void) {
        let key = key(log)
        guard let index = rows.logs[key]?.index(of: sequence) else { return }
        change(&rows.logs[key]!.events[index])
    }

    func setSignature(_ signature: [UInt8], log: Int64, sequence: UInt64) throws {
        change(log, sequence) { $0.signature = signature }
    }

    func setBody(_ body: [UInt8], log: Int64, sequence: UInt64) throws { change(log, sequence) { $0.body = body } }

    func dropBody(log: Int64, sequence: UInt64) throws { change(log, sequence) { $0.body = nil } }

    func moveEvents(from log: Int64, to other: Int64, after sequence: UInt64) throws {
        let (key, name) = (key(log), key(other))
        guard var from = rows.logs[key], let index = from.index(of: sequence + 1) else { return }
        rows.logs[name]?.events = from.events[index...].map { event in
            var moved = event
            moved.branch = name.log
            return moved
        }
        rows.logs[name]?.effective = Array(from.effective.dropFirst(index))
        from.events.removeSubrange(index...)
        from.effective = Array(from.effective.prefix(index))
        rows.logs[key] = from
    }

    func deleteProjections(conversationRow: Int64?) throws {
        let keys = try logs(conversationRow: conversationRow)
        for key in keys {
            rows.logs[key]?.effective = []
            rows.logs[key]?.missing = []
        }
        let numbers = Set(keys.compactMap { rows.logs[$0]?.row })
        rows.about = rows.about.filter { !numbers.contains($0.key.log) }
        rows.withdrawals = rows.withdrawals.filter { !numbers.contains($0.key.log) }
        rows.missing = rows.missing.filter { !numbers.contains($0.key.log) }
        rows.waits = rows.waits.filter { !numbers.contains($0.key) }
        guard let conversationRow else {
            (rows.lines, rows.labels, rows.lifetimes) = ([:], [:], [:])
            return
        }
        (rows.lines[conversationRow], rows.labels[conversationRow], rows.lifetimes[conversationRow]) = (nil, nil, nil)
    }

    // Withheld texts.

    func keepWithheld(_ place: Place, since: Int64) throws {
        guard let event = try event(log: place.log, sequence: place.sequence)?.event, let body = event.body else {
            return
        }
        rows.withheld[event.id] = SimulatedDisk.Withheld(body: body, since: since)
    }

    private func eventID(_ place: Place) throws -> EventID? {
        try event(log: place.log, sequence: place.sequence)?.event.id
    }

    func takeWithheld(_ place: Place) throws -> [UInt8]? {
        try eventID(place).flatMap { rows.withheld.removeValue(forKey: $0)?.body }
    }

    func deleteWithheld(_ place: Place) throws -> Bool {
        try eventID(place).flatMap { rows.withheld.removeValue(forKey: $0) } != nil
    }

    func expireWithheld(since moment: Int64) throws -> Bool {
        let old = rows.withheld.filter { $0.value.since <= moment }.keys
        for id in old { rows.withheld[id] = nil }
        rows.expired.formUnion(old)
        return !old.isEmpty
    }

    func withheld(log: Int64) throws -> [UInt64] {
        (self.log(log)?.events ?? []).filter { rows.withheld[$0.id] != nil }.map(\.header.sequence)
    }

    func hasWithheld() throws -> Bool { !rows.withheld.isEmpty }

    func noteDroppedText() {}

    // Lines.

    func insertLine(_ id: EventID, effective: UInt64, entry: LogProgress, sequence: UInt64, flags: LineFlags) throws {
        invariant(rows.lines[entry.conversationRow]?[id] == nil, "an event has one line")
        rows.lines[entry.conversationRow, default: [:]][id] = MemoryRows.Line(
            place: Place(log: entry.row, sequence: sequence),
            effective: effective,
            flags: flags
        )
    }

    func setFlags(_ flags: LineFlags, of id: EventID, effective: UInt64, entry: LogProgress) throws {
        rows.lines[entry.conversationRow]?[id]?.flags = flags
    }

    func deleteLine(_ id: EventID, effective: UInt64, entry: LogProgress) throws {
        rows.lines[entry.conversationRow]?[id] = nil
    }

    func linePlace(of id: EventID, effective: UInt64, conversationRow: Int64) throws -> Place? {
        rows.lines[conversationRow]?[id].flatMap { $0.effective == effective ? $0.place : nil }
    }

    func lines(conversationRow: Int64) throws -> [Line] {
        try (rows.lines[conversationRow] ?? [:]).sorted { ($0.value.effective, $0.key) < ($1.value.effective, $1.key) }
            .compactMap { id, line in
                let (log, sequence) = (line.place.log, line.place.sequence)
                return try event(log: log, sequence: sequence).map {
                    Line(id: id, event: $0.event, effective: line.effective, flags: line.flags, log: log)
                }
            }
    }

    func unread(in entry: LogProgress) throws -> (count: Int, mentions: Int) {
        let unread = (rows.lines[entry.conversationRow] ?? [:]).values.filter { line in
            line.place.log == entry.row && line.place.sequence > entry.readThrough
                && line.flags.isDisjoint(with: [.note, .deleted])
        }
        return (unread.count, unread.count { $0.flags.contains(.mention) })
    }

    func saveAbout(_ row: AboutRow) throws { rows.about[row.target, default: [:]][row.event] = row }

    func deletion(of place: Place, by author: PeerID) throws -> About? {
        about(place, .delete).first { $0.state == .valid && key($0.by.log).log.author == author }.map { event($0) }
    }

    func answers(to place: Place, last count: Int) throws -> [Place] { about(place, .message).suffix(count).map(\.by) }

    func holdWithdrawal(log: Int64, sequence: UInt64) throws {
        let place = Place(log: log, sequence: sequence)
        if rows.withdrawals[place] == nil { rows.withdrawals[place] = .held }
    }

    func countWithdrawal(log: Int64, sequence: UInt64) throws {
        let place = Place(log: log, sequence: sequence)
        if rows.withdrawals[place] != nil { rows.withdrawals[place] = .counts }
    }

    func insertFiles(_ files: [FileMention], log: Int64, sequence: UInt64) throws {}

    func deleteFiles(log: Int64, sequence: UInt64) throws {}

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

/// The rows themselves: a value, so a backup is a copy.
struct MemoryRows: Sendable {
    struct Line: Sendable {
        let place: Place
        let effective: UInt64
        var flags: LineFlags
    }

    struct Label: Sendable {
        let kind: EventKind
        let effective: UInt64
        let text: String
    }

    struct Said: Sendable {
        let isOwn: Bool
        let lifetime: Lifetime
    }

    struct Missing: Sendable {
        let target: EventID?
        var isExcused: Bool
    }

    struct Awaited: Sendable {
        let log: LogID
        let sequence: UInt64
    }

    var conversations: [ConversationRecord] = []
    var logs: [LogKey: SimulatedDisk.Log] = [:]
    /// The logs in the order of creation.
    var keys: [LogKey] = []
    var branches: [BranchRecord] = []
    /// Events that are not awaited any more.
    var givenUp: [ConversationID: Set<EventID>] = [:]
    /// The membership events of groups in the order of arrival, by the row of the conversation.
    var membership: [Int64: [StoredEvent]] = [:]
    var watermarks: [WatermarkRecord.Key: WatermarkRecord] = [:]
    /// Everything that is shown, by the row of the conversation.
    var lines: [Int64: [EventID: Line]] = [:]
    /// What is about messages, by their places.
    var about: [Place: [EventID: AboutRow]] = [:]
    var withdrawals: [Place: Withdrawal] = [:]
    var labels: [Int64: [EventID: Label]] = [:]
    var lifetimes: [Int64: [EventID: Said]] = [:]
    var missing: [Place: Missing] = [:]
    /// What logs wait for, by the row of the log that waits.
    var waits: [Int64: Awaited] = [:]
    /// Texts of messages that were deleted by somebody other than their author, and texts of their edits.
    var withheld: [EventID: SimulatedDisk.Withheld] = [:]
    /// Events whose texts were kept apart for the whole time and dropped then.
    var expired: Set<EventID> = []
}
