package import ParlanceCore
package import ParlanceHistory
package import ParlanceRecords
package import ParlanceWire

/// A store in memory: the rules are those of every store (`History`), and the rows are values.
///
/// A batch is there as a whole or not at all. A backup is a copy, and the simulator's questions (how far a log is durable,
/// what is shown) need no reading. The real store, if it takes part, is compared with it batch by batch.
package struct SimulatedDisk: Sendable {
    struct Log: Sendable {
        /// The number of its row.
        let row: Int64
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
        /// The messages that are shown, those of them that are not read, and those of these that mention the owner.
        var shown = 0
        var unread = 0
        var mentions = 0
        /// The owner's read mark.
        var readThrough: UInt64 = 0

        init(row: Int64) { self.row = row }

        var position: LogPosition { events.last?.position ?? base }

        /// The index of the event with a sequence; `nil` if it is not here.
        func index(of sequence: UInt64) -> Int? {
            guard sequence > base.sequence, sequence - base.sequence <= UInt64(events.count) else { return nil }
            return Int(sequence - base.sequence) - 1
        }

        var applied: LogPosition { effective.isEmpty ? base : events[effective.count - 1].position }
    }

    let identity: PeerID
    private var rows = MemoryRows()
    /// The rules, with their memory of these rows; shared with copies, so only valid if its version is this disk's.
    private var machine: Machine?
    private var version = 0
    private(set) var profile: ProfileRecord
    package private(set) var workspace: Workspace?
    package private(set) var prekeys: [PrekeyID: OwnPrekey] = [:]
    private(set) var ran: Int64 = 0
    package private(set) var envelopes: [EnvelopeID: StoredEnvelope] = [:]
    package private(set) var peers: [PeerID: PeerRecord] = [:]
    private var preferences: [ConversationID: Preference] = [:]
    package private(set) var pictures: [PeerID: SignedPicture] = [:]
    package private(set) var transfers: [FileID: TransferRecord] = [:]
    package private(set) var memberships: [ConversationID: Membership] = [:]
    private var recipients: [RecipientKey: RecipientRecord] = [:]
    package private(set) var epoch: UInt64 = 0

    /// For reading.
    var allRows: MemoryRows { rows }
    package var conversations: [ConversationRecord] { rows.conversations }
    var logs: [LogKey: Log] { rows.logs }
    package var watermarks: [WatermarkRecord.Key: WatermarkRecord] { rows.watermarks }
    var branches: [BranchRecord] { rows.branches }
    package var givenUp: [ConversationID: Set<EventID>] { rows.givenUp }
    package var withheld: [EventID: Withheld] { rows.withheld }
    package var expired: Set<EventID> { rows.expired }

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

    /// Writes a batch.
    ///
    /// - Throws: that the batch contradicts what is stored, or that the rows contradict each other; nothing is written then.
    @discardableResult
    package mutating func persist(_ batch: PersistBatch) throws -> PersistReceipt {
        let receipt = try apply(batch)
        if batch.replica != nil {
            renew()
            epoch = 1
        }
        for row in batch.peers { peers[row.id] = row }
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
        return receipt
    }

    private mutating func apply(_ batch: PersistBatch) throws -> PersistReceipt {
        let machine = try ownMachine()
        let before = rows
        for record in batch.conversations where !rows.conversations.contains(where: { $0.id == record.id }) {
            rows.conversations.append(record)
        }
        machine.tables.rows = rows
        rows = MemoryRows()
        do {
            var outcome = Outcome()
            let receipt = try machine.history.apply(batch, &outcome)
            try machine.history.save(outcome)
            for record in machine.tables.rows.conversations where record.kind == .group {
                memberships[record.id] = try machine.history.membership(of: record.id)
            }
            rows = machine.tables.rows
            machine.tables.rows = MemoryRows()
            version += 1
            machine.version = version
            return receipt
        } catch {
            rows = before
            self.machine = nil
            throw error
        }
    }

    /// The rules, with a memory of these very rows.
    private mutating func ownMachine() throws -> Machine {
        if let machine, machine.version == version { return machine }
        let made = try Machine(rows, identity: identity, version: version)
        machine = made
        return made
    }

    /// - SeeAlso: `SimulatedDisk.machine`. One thread at a time uses a disk and its copies.
    private final class Machine: @unchecked Sendable {
        let tables: MemoryTables
        let history: History
        var version: Int

        init(_ rows: MemoryRows, identity: PeerID, version: Int) throws {
            tables = MemoryTables(rows)
            history = try History(tables, identity: identity)
            self.version = version
        }
    }

    /// Takes from another disk what no event tells: which texts were removed, and what is not awaited any more. Everything
    /// that is shown is made again.
    mutating func adoptFloors(of other: SimulatedDisk) throws {
        rows.givenUp = other.givenUp
        for (key, log) in other.logs {
            rows.logs[key]?.floor = log.floor
            rows.logs[key]?.cleared = log.cleared
        }
        machine = nil
        let machine = try ownMachine()
        var outcome = Outcome()
        try machine.history.rebuild(&outcome)
        try machine.history.save(outcome)
        rows = machine.tables.rows
        self.machine = nil
    }

    /// The disk goes on as another replica.
    package mutating func renew() {
        epoch = 0
        for key in recipients.keys { recipients[key]?.after = 0 }
    }

    /// Leaves out what a backup file does not have: prekeys, and the files that others sent.
    mutating func becomeBackup() {
        prekeys = [:]
        for (file, record) in transfers where record.state == .done { transfers[file]?.state = .removed }
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
