import ParlanceAudit
import ParlanceCore
import ParlanceHistory
import ParlanceRecords
import ParlanceWire

// Checks what is removed (events.md, "Removed by age" and "Cleared"): only what is old or was cleared, and what this node
// has read or everybody else has received; for good; and soon.
extension Checker {
    /// What one node has removed, and what it is to remove.
    struct Floors {
        /// Through where the texts of each log are removed, and the events up to there.
        private(set) var heights: [LogKey: UInt64] = [:]
        private(set) var below: Set<EventID> = []
        /// The same for all stores that the node has had.
        private(set) var ever: Set<EventID> = []
        /// How old texts may become in each conversation, and since when that is so.
        private(set) var periods: [ConversationID: (length: Int64, since: Int64)] = [:]
        /// What was agreed on how long messages stay, in milliseconds, with the world's time since when the node has known it
        /// in this process.
        private(set) var agreed: [ConversationID: (length: Int64?, since: Int64)] = [:]
        /// When the node knew each agreement for the first time, in any process.
        private(set) var firstAgreed: [ConversationID: [Int64: Int64]] = [:]
        /// When the process began, when a batch last failed, and when a text last arrived late.
        private(set) var started: Int64 = 0
        var failed: Int64 = 0
        private(set) var filled: Int64 = 0
        /// When the user first set a preference soon after the start: a sweep may have come then, and the next one an hour
        /// later.
        private(set) var setEarly: Int64?
        /// What the user has cleared, deleted and hidden.
        var clearing = Clearing()

        mutating func begin(_ disk: SimulatedDisk, at now: Int64) {
            rise(to: disk.heights, disk.belowFloors)
            (started, failed, filled, periods, setEarly) = (now, now, now, [:], nil)
            let preferences = disk.snapshot.preferences
            for record in preferences { note(record, at: now) }
            clearing.begin(preferences, at: now)
            agreed = [:]
            noteAgreements(disk, at: now)
        }

        mutating func noteAgreements(_ disk: SimulatedDisk, at now: Int64) {
            for (place, terms) in disk.lifetimes {
                let length = PlainHistory.agreement(terms, isGroup: disk.memberships[place] != nil)
                if let length, firstAgreed[place]?[length] == nil { firstAgreed[place, default: [:]][length] = now }
                guard let known = agreed[place], known.length == length else {
                    agreed[place] = (length, now)
                    continue
                }
            }
        }

        mutating func rise(to heights: [LogKey: UInt64], _ below: Set<EventID>) {
            (self.heights, self.below) = (heights, below)
            ever.formUnion(below)
        }

        mutating func note(_ batch: PersistBatch, at now: Int64) {
            for record in batch.preferences { note(record, at: now) }
            if !batch.preferences.isEmpty, now < started + Limits.retentionDelayMilliseconds {
                setEarly = setEarly ?? now
            }
            clearing.note(batch, at: now)
            if !batch.bodies.isEmpty { filled = now }
        }

        private mutating func note(_ record: PreferenceRecord, at now: Int64) {
            guard periods[record.conversation]?.length != record.preference.retention else { return }
            periods[record.conversation] = record.preference.retention.map { ($0, now) }
        }
    }

    /// Whether some node has removed the text of an event because of its age.
    func isRemoved(_ id: EventID) -> Bool { watches.contains { $0.floors.ever.contains(id) } }

    /// Whether a node that has the text of a message gives it to another. What was removed by some nodes comes only from
    /// those that are linked and have it still.
    func gives(_ holder: Int, _ message: AcceptedMessage, to node: Int) -> Bool {
        guard isRemoved(message.id), holder != node else { return true }
        let place = message.key.conversation
        guard world.canReach(holder, node) else { return false }
        return world.nodes[node].disk.memberships[place] == nil
            ? isMutual(holder, node) : areFellows(holder, node, place)
    }

    /// Through where the members of a group may have removed texts that two of them can get only from others.
    func floors(of group: ConversationID, among circle: [Int], between a: Int, _ b: Int) -> [LogID: UInt64] {
        if areFellows(a, b, group) && world.canReach(a, b) { return [:] }
        var found: [LogID: UInt64] = [:]
        for node in circle {
            for (key, height) in watches[node].floors.heights where key.conversation == group {
                found[key.log] = max(found[key.log] ?? 0, height)
            }
        }
        return found
    }

    // What is removed.

    func checkFloors(_ batch: PersistBatch, _ node: Int) {
        let before = watches[node].floors
        watches[node].floors.noteAgreements(world.nodes[node].disk, at: world.now)
        defer {
            watches[node].floors.note(batch, at: world.now)
            for record in batch.preferences { noteApplied(in: record.conversation, node) }
        }
        guard !batch.retention.isEmpty || !before.below.isEmpty else { return }
        let disk = world.nodes[node].disk
        let heights = disk.heights
        guard heights != before.heights || !batch.branches.isEmpty else { return }
        let below = disk.belowFloors
        watches[node].floors.rise(to: heights, below)
        if !before.below.isSubset(of: below) {
            return violate("\(name(node)) forgets that it has removed texts because of their age")
        }
        let inOrder = heights.sorted { ($0.key.conversation, $0.key.log) < ($1.key.conversation, $1.key.log) }
        for (key, height) in inOrder {
            let events = disk.logs[key]?.events.prefix { $0.header.sequence <= height } ?? []
            for event in events where !before.below.contains(event.id) {
                guard violation == nil else { return }
                let rows = batch.retention.filter { $0.conversation == key.conversation && $0.log == key.log }
                guard let row = rows.max(by: { $0.cleared < $1.cleared }) else {
                    return violate("\(name(node)) removes texts of \(key.log.short) and was not told to")
                }
                checkRemoval(of: event, key, row, batch, node)
            }
        }
    }

    private func checkRemoval(
        of event: StoredEvent,
        _ key: LogKey,
        _ row: RetainedLog,
        _ batch: PersistBatch,
        _ node: Int
    ) {
        let what = "\(event.header.sequence) of \(key.log.short)"
        let isCleared = event.header.sequence <= row.cleared
        if isCleared { checkCleared(event, node) } else { checkAge(of: event, key, row, batch, node) }
        let disk = world.nodes[node].disk
        if disk.logs[key].map({ event.header.sequence > $0.applied.sequence }) ?? true {
            violate("\(name(node)) removes \(what) before it is applied")
        }
        guard violation == nil else { return }
        if key.log.author == world.nodes[node].identity {
            checkReceived(event, key, node, isCleared: isCleared)
        } else if !isCleared {
            let isRead = disk.watermarks.values.contains { mark in
                mark.key.conversation == key.conversation && mark.key.log == key.log && mark.key.level == .read
                    && mark.key.member == world.nodes[node].identity && mark.position.sequence >= event.header.sequence
            }
            if !isRead { violate("\(name(node)) removes \(what), which nobody has read") }
        }
        checkText(of: event, key, row, node)
    }

    /// The event is old, and the user or the members want old texts removed.
    private func checkAge(
        of event: StoredEvent,
        _ key: LogKey,
        _ row: RetainedLog,
        _ batch: PersistBatch,
        _ node: Int
    ) {
        let what = "\(event.header.sequence) of \(key.log.short)"
        guard let age = row.age else { return violate("\(name(node)) removes \(what), which is not cleared") }
        let set = batch.preferences.filter { $0.conversation == key.conversation }.map(\.preference.retention)
        let periods = set + [watches[node].floors.periods[key.conversation]?.length]
        // By a clock that was not changed, an agreement has been known for its whole time.
        let known = watches[node].floors.firstAgreed[key.conversation]?[age]
        let isAgreed = known.map { clockSet(node) >= $0 || world.now - $0 >= age - Self.sweeping }
        if !periods.contains(age), isAgreed != true {
            violate("\(name(node)) removes \(what) after \(age) ms, which nobody set")
        }
        let (claimed, day) = (event.header.written, Int64(86_400_000))
        let shown = event.arrived != nil && claimed - max(0, row.wall) > day ? event.arrived ?? 0 : claimed
        if row.wall - shown <= age { violate("\(name(node)) removes \(what), which is \(row.wall - shown) ms old") }
        if world.now - clockSet(node) > day / 24, abs(row.wall - world.instant(of: node).wall) > day / 24 {
            violate("\(name(node)) removes \(what) by another clock than its own")
        }
    }

    /// Every recipient has received what an author removes; if there is none any more, somebody who was one has. Who is no
    /// member any more may clear the rest, since nobody gets it from there.
    private func checkReceived(_ event: StoredEvent, _ key: LogKey, _ node: Int, isCleared: Bool) {
        let others = world.nodes.indices.filter { $0 != node && isHonest($0) }
        let lacking = others.filter { !hasHeld(event.header.sequence, of: key, $0, by: node) }
        let disk = world.nodes[node].disk
        let present: [Int]
        if let membership = disk.memberships[key.conversation] {
            let isIn = membership.isMember(world.nodes[node].identity)
            present = world.nodes.indices.filter { $0 != node && isIn && membership.isMember(world.nodes[$0].identity) }
            if !isIn, isCleared { return }
            if present.isEmpty, lacking == others, membership.everMembers.count > 1, isAllHonest {
                return violate("\(name(node)) removes what it wrote in \(key.conversation), which nobody else has had")
            }
        } else {
            present = others.filter { key.conversation == conversation(node, $0) }
        }
        let own = LogID(author: world.nodes[node].identity, replica: world.nodes[node].replica)
        for peer in lacking where present.contains(peer) {
            // What was written before somebody joined is not for them.
            if key.log == own, event.header.sequence <= disk.joined(world.nodes[peer].identity, key.conversation) {
                continue
            }
            return violate(
                "\(name(node)) removes \(event.header.sequence) of \(key.log.short) in \(key.conversation), which "
                    + "\(name(peer)) has never had"
            )
        }
    }

    /// The text was here, unless its author has removed it too; and no message goes back to an older text.
    private func checkText(of event: StoredEvent, _ key: LogKey, _ row: RetainedLog, _ node: Int) {
        let kind = event.header.kind
        guard kind == .message || kind == .edit else { return }
        let (disk, what) = (world.nodes[node].disk, "\(event.header.sequence) of \(key.log.short)")
        if event.body != nil || disk.withheld[event.id] != nil {
            return violate("\(name(node)) removes the text of \(what), and still has it")
        }
        let hasItsAuthor = indexes[key.log.author].map { watches[$0].floors.ever.contains(event.id) } ?? false
        if !watches[node].bodiesHeld.contains(event.id), !hasItsAuthor || event.header.sequence > row.gone,
            !plainHistory(of: key.conversation, at: node, floors: [:]).isTextGoneRightly(event.id)
        {
            return violate("\(name(node)) calls \(what) removed, whose text it never had")
        }
        guard kind == .edit, let named = event.header.target?.id, !watches[node].floors.below.contains(named),
            let target = plainHistory(of: key.conversation, at: node, floors: [:]).target(of: event.id),
            target.header.kind == .message, target.header.log.author == event.header.log.author
        else { return }
        violate("\(name(node)) removes an edit, \(what), and keeps the message")
    }

    // What is to be removed.

    /// What was old and read at the last sweep that is certain is removed.
    func checkSwept() {
        for node in world.nodes.indices where violation == nil && world.nodes[node].isUp {
            let watch = watches[node].floors
            guard !watch.periods.isEmpty || !watch.agreed.isEmpty || !watch.clearing.asked.isEmpty,
                world.nodes[node].engine?.isSettled == true,
                world.nodes[node].trouble == DiskTrouble()
            else { continue }
            checkAllCleared(node)
            for (place, period) in watch.periods {
                let first = watch.started + Limits.retentionDelayMilliseconds
                let swept = max(watch.setEarly ?? first, period.since)
                let quiet = max(watch.failed, watch.filled, watches[node].calmSince, clockSet(node))
                guard world.now > max(first, swept) + Self.sweeping,
                    quiet < max(watch.started, swept - Self.sweeping),
                    !world.nodes[node].disk.branches.contains(where: { $0.conversation == place })
                else { continue }
                checkSwept(place, olderThan: period.length, at: swept, node)
            }
            for (place, agreement) in watch.agreed {
                guard let length = agreement.length else { continue }
                // The sweep of the hour in which the agreement has been known for its whole time.
                let swept = max(watch.started, agreement.since) + length + Limits.sweepMilliseconds
                let quiet = max(watch.failed, watch.filled, watches[node].calmSince, clockSet(node))
                guard world.now > swept + Self.sweeping, quiet < max(watch.started, agreement.since - Self.sweeping),
                    !world.nodes[node].disk.branches.contains(where: { $0.conversation == place })
                else { continue }
                checkSwept(place, olderThan: length, at: swept, node)
            }
        }
    }

    private func checkSwept(_ place: ConversationID, olderThan period: Int64, at swept: Int64, _ node: Int) {
        let disk = world.nodes[node].disk
        let wall = world.instant(of: node).wall - (world.now - swept) - Self.sweeping
        for (key, mark) in watches[node].marks
        where key.conversation == place && key.level == .read && key.member == world.nodes[node].identity
            && mark.since < swept - Self.sweeping
        {
            let place = LogKey(place, key.log)
            let floor = disk.floor(of: place)
            guard let log = disk.logs[place], floor < mark.sequence, log.missing.isEmpty,
                let index = log.index(of: max(floor, log.base.sequence) + 1), index < log.effective.count
            else { continue }
            let event = log.events[index]
            guard event.header.sequence <= mark.sequence, event.header.kind != .edit,
                wall - event.writtenTime.shown(at: wall) > period
            else { continue }
            return violate(
                "\(name(node)) keeps \(event.header.sequence) of \(key.log.short) in \(place.conversation), which is old "
                    + "and read"
            )
        }
    }

    /// How long a sweep may take, in milliseconds.
    static var sweeping: Int64 { 15_000 }
}
