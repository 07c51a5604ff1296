import GRDB
import ParlanceHistory
import ParlanceRecords
import ParlanceWire

/// The rows that the rules read, over one connection.
protocol StoreReading: HistoryReading {
    var db: Database { get }
}

/// The rows that a reader sees.
struct ReaderTables: StoreReading {
    let db: Database

    init(_ db: Database) { self.db = db }
}

extension StoreReading {
    func branches(conversationRow: Int64) throws -> ForkTree {
        try BranchTable.branches(conversationRow: conversationRow, db)
    }

    func givenUp(conversationRow: Int64) throws -> Set<EventID> {
        try GivenUpTable.all(conversationRow: conversationRow, db)
    }

    func membership(conversationRow: Int64) throws -> [StoredEvent] {
        try MembershipTable.events(conversationRow: conversationRow, db)
    }

    func logRow(of log: LogID, conversationRow: Int64) throws -> Int64? {
        try LogTable.row(of: log, conversationRow: conversationRow, db)
    }

    func waitingLogs(conversationRow: Int64) throws -> [WaitingLog] {
        try LogTable.waiting(conversationRow: conversationRow, db)
    }

    func event(log: Int64, sequence: UInt64) throws -> HeldEvent? {
        try EventTable.find(log: log, sequence: sequence, db)
    }

    func firstEvent(
        log: Int64,
        after: UInt64,
        through: UInt64,
        where fits: (EventHeader) throws -> Bool
    ) throws -> UInt64? {
        try EventTable.first(log: log, after: after, through: through, db, where: fits)
    }

    func flags(of id: EventID, effective: UInt64, conversationRow: Int64) throws -> LineFlags? {
        try MessageTable.flags(id, effective: effective, conversationRow: conversationRow, db)
    }

    func edits(of place: Place) throws -> [About] { try AnnotationTable.edits(of: place, db) }

    func lastEdit(of place: Place) throws -> About? { try AnnotationTable.lastEdit(of: place, db) }

    func deletion(of place: Place) throws -> About? { try AnnotationTable.deletion(of: place, db) }

    func reactions(to place: Place) throws -> [AboutReaction] { try AnnotationTable.reactions(to: place, db) }

    func lastLabel(_ kind: EventKind, conversationRow: Int64) throws -> String? {
        try LabelTable.last(kind, conversationRow, db)
    }

    func lastLifetime(isOwn: Bool, conversationRow: Int64) throws -> Lifetime? {
        try LifetimeTable.last(isOwn: isOwn, conversationRow, db)
    }

    func withdrawal(log: Int64, sequence: UInt64) throws -> Withdrawal? {
        try WithdrawalTable.state(log: log, sequence: sequence, db)
    }
}
