package import ParlanceCore
package import ParlanceWire

/// A store in memory with the rules of the real one: a batch is there as a whole or not at all, and is projected at
/// once.
/// It is a value, so a backup is a copy, and the simulator's questions (how far a log is durable, what is shown) need
/// no reading. The real store, if it takes part, is compared with it batch by batch.
package struct SimulatedDisk: Sendable {
    struct Log: Sendable {
        /// The events that it shares with the log from which it forks, if it is a branch.
        var base: LogPosition = .start
        var parent: LogID?
        var events: [StoredEvent] = []
        /// The effective times of the applied events, in order.
        var effective: [UInt64] = []
        var named: UInt64 = 0
        /// Sequences held without a body that no event held removes, ascending.
        var missing: [UInt64] = []
        /// Through here the texts were removed, because of their age or because the user has cleared the log.
        var floor: UInt64 = 0
        /// Through here the user has cleared the log.
        var cleared: UInt64 = 0
        var signedThrough: LogPosition = .start

        var position: LogPosition { events.last?.position ?? base }

        /// The index of the event with a sequence; `nil` if it is not here.
        func index(of sequence: UInt64) -> Int? {
            guard sequence > base.sequence, sequence - base.sequence <= UInt64(events.count) else { return nil }
            return Int(sequence - base.sequence) - 1
        }

        var applied: LogPosition { effective.isEmpty ? base : events[effective.count - 1].position }
    }

    let identity: PeerID
    private(set) var profile: ProfileRecord
    package private(set) var workspace: Workspace?
    private(set) var prekeys: [PrekeyID: OwnPrekey] = [:]
    private(set) var ran: Int64 = 0
    package private(set) var envelopes: [EnvelopeID: StoredEnvelope] = [:]
    package private(set) var conversations: [ConversationRecord] = []
    var logs: [LogKey: Log] = [:]
    package private(set) var peers: [PeerID: PeerRecord] = [:]
    package private(set) var watermarks: [WatermarkRecord.Key: WatermarkRecord] = [:]
    private var preferences: [ConversationID: Preference] = [:]
    package private(set) var pictures: [PeerID: SignedPicture] = [:]
    package private(set) var transfers: [FileID: TransferRecord] = [:]
    package var memberships: [ConversationID: Membership] = [:]
    var labels: [ConversationID: GroupLabel] = [:]
    package internal(set) var lifetimes: [ConversationID: LifetimeTerms] = [:]
    private(set) var branches: [BranchRecord] = []
    /// Events that are not awaited any more.
    package internal(set) var givenUp: [ConversationID: Set<EventID>] = [:]
    private var recipients: [RecipientKey: RecipientRecord] = [:]
    /// The lines that people see, in no order.
    var shown: [ConversationID: [EventID: ShownMessage]] = [:]
    /// Which log waits for an event of which other log before its next event can be applied.
    var waiters: [LogKey: Set<LogKey>] = [:]
    package private(set) var epoch: UInt64 = 0
    /// Texts of messages that were deleted by somebody other than their author, and texts of their edits.
    package internal(set) var withheld: [EventID: Withheld] = [:]
    /// Events whose texts were kept apart for the whole time and dropped then.
    package private(set) var expired: Set<EventID> = []
    /// The time at which the last batch was closed.
    var wall: Int64 = 0

    package struct Withheld: Sendable {
        var body: [UInt8]
        var since: Int64
    }

    private struct RecipientKey: Hashable, Comparable {
        let conversation: ConversationID
        let peer: PeerID

        static func < (a: Self, b: Self) -> Bool { (a.conversation, a.peer) < (b.conversation, b.peer) }
    }

    package init(name: String, identity: PeerID) {
        self.identity = identity
        profile = ProfileRecord(name: name)
    }

    package mutating func beginEpoch() -> UInt64 {
        epoch += 1
        return epoch
    }

    /// Why a batch contradicts what is stored, if it does; the real store would refuse it.
    package func contradiction(in batch: PersistBatch) -> String? {
        var copy = self
        for record in batch.branches { copy.part(record) }
        var ends: [LogKey: LogPosition] = [:]
        let known = Set(conversations.map(\.id)).union(batch.conversations.map(\.id))
        for event in batch.events {
            let key = LogKey(event.header.conversation, event.log)
            guard known.contains(key.conversation) else { return "event of an unknown conversation" }
            let end = ends[key] ?? copy.logs[key]?.position ?? .start
            guard event.header.sequence == end.sequence + 1 else {
                return "event \(event.header.sequence) after \(end.sequence) of \(key.log)"
            }
            guard event.header.previous == (end.sequence == 0 ? nil : end.head) else {
                return "event \(event.header.sequence) of \(key.log) does not chain"
            }
            ends[key] = event.position
        }
        return nil
    }

    @discardableResult
    package mutating func persist(_ batch: PersistBatch) -> PersistReceipt {
        wall = batch.wall
        defer { dropOldTexts() }
        for record in batch.conversations where !conversations.contains(where: { $0.id == record.id }) {
            conversations.append(record)
            // A group of which no member is known yet.
            if record.kind == .group { memberships[record.id] = Membership() }
        }
        if batch.replica != nil {
            renew()
            epoch = 1
        }
        var changed = Changed(missing: logs.mapValues(\.missing))
        let isForking = forks(in: batch)
        if isForking { noteCleared(batch.retention) }
        for record in batch.branches {
            guard part(record) else { continue }
            changed.whole.insert(record.conversation)
            changed.forked.insert(record.conversation)
        }
        // A batch in which logs fork removes nothing: the next one does.
        if isForking { noteCleared(batch.retention) }
        let floors = isForking ? clearedLogs(of: batch.retention) : removeOld(batch.retention, &changed)
        take(batch.membership, &changed)
        for row in batch.givenUp { giveUp(row, &changed) }
        for event in batch.events { append(event, &changed) }
        take(batch.events.filter(\.header.kind.isMembership), &changed)
        for found in batch.bodies { fill(found, &changed) }
        for head in batch.signatures { sign(head) }
        for row in batch.named { logs[LogKey(row.conversation, row.log)]?.named = row.sequence }
        for row in batch.peers { peers[row.id] = row }
        for row in batch.watermarks { watermarks[row.key] = row.position.sequence > 0 ? row : nil }
        for row in batch.recipients { recipients[RecipientKey(conversation: row.conversation, peer: row.peer)] = row }
        profile = batch.profile ?? profile
        for row in batch.pictures { pictures[row.peer] = row.picture }
        for row in batch.transfers { transfers[row.file] = row }
        for row in batch.preferences {
            preferences[row.conversation] = row.preference == Preference() ? nil : row.preference
        }
        switch batch.workspace {
        case .set(let set): workspace = set
        case .left: workspace = nil
        case nil: break
        }
        for key in batch.prekeys { prekeys[key.id] = key }
        for id in batch.erasedPrekeys { prekeys[id] = nil }
        ran = batch.ran ?? ran
        for envelope in batch.envelopes { envelopes[envelope.record.id] = envelope }
        for id in batch.erasedEnvelopes { envelopes[id] = nil }
        return project(changed, floors)
    }

    private mutating func dropOldTexts() {
        for (id, text) in withheld where wall - text.since >= Limits.deletedTextMilliseconds {
            withheld[id] = nil
            expired.insert(id)
        }
    }

    /// The disk goes on as another replica.
    package mutating func renew() {
        epoch = 0
        for key in recipients.keys { recipients[key]?.after = 0 }
    }

    /// As in a backup file.
    mutating func forgetPrekeys() { prekeys = [:] }

    /// What a batch has changed.
    struct Changed {
        /// What was missing before.
        let missing: [LogKey: [UInt64]]
        var touched: [LogKey] = []
        /// Conversations in which everything that people see may have changed.
        var whole: Set<ConversationID> = []
        /// Conversations with new branches: the event for which a log waited may be in one of them.
        var forked: Set<ConversationID> = []
        /// Bytes of the bodies that were filled in.
        var filled: [LogKey: Int] = [:]
        /// Membership events that are held from now on and were applied before.
        var heldLate: [EventID] = []
    }

    /// Whether a batch has branches that are new, or have a new parent.
    private func forks(in batch: PersistBatch) -> Bool {
        var copy = self
        return batch.branches.contains { copy.part($0) }
    }

    /// Moves to a branch those events of the log from which it forks that belong to the branch.
    ///
    /// - Returns: whether the branch is new.
    @discardableResult
    private mutating func part(_ record: BranchRecord) -> Bool {
        let key = LogKey(record.conversation, record.log)
        let parent = LogKey(record.conversation, record.parent)
        if let place = branches.firstIndex(where: { $0.conversation == record.conversation && $0.log == record.log }) {
            // The log from which it forks has turned out to fork earlier: only the parent of the branch changes.
            let isMoved = branches[place] != record
            branches[place] = record
            logs[key]?.parent = record.parent
            return isMoved
        }
        guard logs[key] == nil else { return false }
        if !branches.contains(record) { branches.append(record) }
        var branch = Log(base: record.base, parent: record.parent, signedThrough: record.base)
        if let from = logs[parent], let index = from.index(of: record.base.sequence + 1),
            from.events[index].id == record.first
        {
            branch.events = from.events[index...].map { event in
                var moved = event
                moved.branch = record.log
                return moved
            }
            branch.effective = Array(from.effective.dropFirst(index))
            branch.missing = from.missing.filter { $0 > record.base.sequence }
            if from.signedThrough.sequence > record.base.sequence { branch.signedThrough = from.signedThrough }
            branch.named = from.named
            if from.floor > record.base.sequence { branch.floor = from.floor }
            if from.cleared > record.base.sequence { branch.cleared = from.cleared }
            logs[parent]?.floor = min(from.floor, record.base.sequence)
            logs[parent]?.cleared = min(from.cleared, record.base.sequence)
            logs[parent]?.events.removeSubrange(index...)
            logs[parent]?.effective = Array(from.effective.prefix(index))
            logs[parent]?.missing.removeAll { $0 > record.base.sequence }
            let last = index > 0 ? from.events[index - 1].position : from.base
            logs[parent]?.signedThrough = last
            logs[parent]?.named = min(from.named, record.base.sequence)
        }
        logs[key] = branch
        return true
    }

    private mutating func take(_ events: [StoredEvent], _ changed: inout Changed) {
        for event in events {
            let id = event.header.conversation
            // In a direct conversation the members never change.
            guard conversations.contains(where: { $0.id == id && $0.kind == .group }) else { continue }
            guard !memberships[id, default: Membership()].insert([event]).isEmpty else { continue }
            changed.whole.insert(id)
            if isApplied(event) { changed.heldLate.append(event.id) }
        }
    }

    private mutating func append(_ event: StoredEvent, _ changed: inout Changed) {
        let key = LogKey(event.header.conversation, event.log)
        precondition(event.header.sequence == (logs[key]?.position.sequence ?? 0) + 1, "a gap in a log")
        logs[key, default: Log()].events.append(event)
        if event.signature != nil { logs[key]?.signedThrough = event.position }
        // A branch may already hold a withdrawal of it.
        let isParted = event.header.kind == .message && branches.contains { $0.parent == key.log }
        if event.body == nil || event.header.kind == .withdraw || isParted { changed.whole.insert(key.conversation) }
        if changed.touched.last != key { changed.touched.append(key) }
    }

    private mutating func fill(_ found: FoundBody, _ changed: inout Changed) {
        let key = LogKey(found.conversation, found.log)
        guard let log = logs[key], found.sequence > log.floor, log.missing.contains(found.sequence),
            let index = log.index(of: found.sequence),
            log.events[index].body == nil, log.events[index].header.bodyHash == Bytes32(hashingBody: found.body)
        else { return }
        logs[key]?.events[index].body = found.body
        changed.filled[key, default: 0] += found.body.count
        changed.whole.insert(found.conversation)
    }

    private mutating func sign(_ head: HeadSignature) {
        let key = LogKey(head.conversation, head.log)
        guard let log = logs[key], let index = log.index(of: head.sequence) else { return }
        logs[key]?.events[index].signature = head.signature
        if head.sequence > log.signedThrough.sequence { logs[key]?.signedThrough = log.events[index].position }
    }

    package func read(_ request: ReadRequest) -> [StoredEvent] {
        guard let log = logs[LogKey(request.conversation, request.log)], let first = log.index(of: request.from),
            request.through >= request.from
        else { return [] }
        let end = log.index(of: request.through).map { $0 + 1 } ?? log.events.count
        var taken: [StoredEvent] = []
        var room = request.byteLimit
        for event in log.events[first..<end] {
            let size = event.headerBytes.count + (event.body?.count ?? 0)
            if size > room && !taken.isEmpty { break }
            taken.append(event)
            room -= min(size, room)
        }
        return taken
    }

    /// Whether an event is one of a group's membership events: those beyond the limit are ignored.
    func isChange(_ event: StoredEvent) -> Bool {
        event.header.kind.isMembership && memberships[event.header.conversation]?.contains(event.id) == true
    }

    /// The last sequence of the local log before a member joined.
    func joined(_ peer: PeerID, _ group: ConversationID) -> UInt64 {
        recipients[RecipientKey(conversation: group, peer: peer)]?.after ?? 0
    }

    /// The lines that people see of a conversation, in the order shown.
    package func history(of conversation: ConversationID) -> [ShownMessage] {
        (shown[conversation] ?? [:]).values.sorted { ($0.effective, $0.id) < ($1.effective, $1.id) }
    }

    package var snapshot: EngineSnapshot {
        var snapshot = EngineSnapshot(profile: profile)
        snapshot.ownPicture = pictures[identity]
        snapshot.pictures = pictures.filter { $0.key != identity }.sorted { $0.key < $1.key }
            .map { PictureMark(peer: $0.key, id: $0.value.id, made: $0.value.made) }
        snapshot.workspace = workspace
        snapshot.prekeys = prekeys.values.sorted { $0.id < $1.id }
        snapshot.ran = ran
        snapshot.envelopes = envelopes.values.map(\.record).sorted { $0.id < $1.id }
        snapshot.conversations = conversations
        snapshot.peers = peers.values.sorted { $0.id < $1.id }
        snapshot.transfers = transfers.values.sorted { ($0.since, $0.file) > ($1.since, $1.file) }
        snapshot.offers = offers
        snapshot.preferences = preferences.sorted { $0.key < $1.key }.map {
            PreferenceRecord(conversation: $0.key, preference: $0.value)
        }
        snapshot.watermarks = watermarks.values.sorted { $0.key < $1.key }
        snapshot.membership = memberships.sorted { $0.key < $1.key }.flatMap(\.value.events)
        snapshot.appliedChanges = logs.values.flatMap { $0.events.prefix($0.effective.count) }
            .filter { isChange($0) }.map(\.id).sorted()
        snapshot.labels = groups.sorted().map { label(of: $0) }
        snapshot.lifetimes = lifetimes.values.filter { $0.own != nil || $0.others != nil }
            .sorted { $0.conversation < $1.conversation }
        snapshot.recipients = recipients.sorted { $0.key < $1.key }.map(\.value)
        snapshot.branches = branches
        snapshot.logs = logs.sorted { ($0.key.conversation, $0.key.log) < ($1.key.conversation, $1.key.log) }
            .compactMap { key, log in
                guard log.position.sequence > 0 else { return nil }
                return LogRecord(
                    conversation: key.conversation,
                    log: key.log,
                    position: log.position,
                    time: log.events.last?.header.time ?? EventTime(raw: 0),
                    signedThrough: log.signedThrough,
                    applied: log.applied,
                    namedThrough: log.named,
                    missingBodies: log.missing,
                    floor: log.floor,
                    cleared: log.cleared
                )
            }
        return snapshot
    }
}
