import ParlanceHistory
import ParlanceRecords
import ParlanceWire

// Events, withheld texts and lines.
extension MemoryTables {
    // Events.

    func insert(_ event: StoredEvent, log: Int64, effective: UInt64?) throws {
        invariant(
            self.log(log).map { event.header.sequence == $0.base.sequence + UInt64($0.events.count) + 1 } == true,
            "events of a log are inserted in order"
        )
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
        if var event = rows.logs[key]?.events[index] {
            change(&event)
            rows.logs[key]?.events[index] = event
        }
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
}
