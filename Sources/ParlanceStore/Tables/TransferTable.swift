import Foundation
import GRDB
import ParlanceCore
import ParlanceWire

/// What was decided about the files that others sent.
enum TransferTable {
    static let create = """
        CREATE TABLE transfer (
            file BLOB PRIMARY KEY NOT NULL,
            conversation INTEGER NOT NULL REFERENCES conversation (id),
            size INTEGER NOT NULL,
            state INTEGER NOT NULL,
            trouble INTEGER,
            needed INTEGER,
            free INTEGER,
            code INTEGER,
            tries INTEGER NOT NULL,
            by_hand INTEGER NOT NULL,
            since INTEGER NOT NULL
        )
        """

    /// The numbers of the states; they never change.
    private enum State: Int {
        case wanted, paused, done, cancelled, failed, removed
    }

    /// Notes of every file that was here that it is not here any more.
    static let removingAll =
        "UPDATE transfer SET state = \(State.removed.rawValue) WHERE state = \(State.done.rawValue)"

    /// The numbers of what made a transfer fail; they never change.
    private enum Trouble: Int {
        case full, disk, peers
    }

    static func save(_ record: TransferRecord, conversationRow: Int64, _ db: Database) throws {
        let state: State
        var trouble: Trouble?
        var (needed, free): (Int64?, Int64?) = (nil, nil)
        var code: Int32?
        switch record.state {
        case .wanted: state = .wanted
        case .paused: state = .paused
        case .done: state = .done
        case .removed: state = .removed
        case .cancelled: state = .cancelled
        case .failed(let reason):
            state = .failed
            switch reason {
            case .full(let bytes, let left):
                (trouble, needed, free) = (.full, Int64(clamping: bytes), Int64(clamping: left))
            case .disk(let number): (trouble, code) = (.disk, number)
            case .peers: trouble = .peers
            }
        }
        try db.execute(
            sql: "INSERT OR REPLACE INTO transfer VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            arguments: [
                record.file.data, conversationRow, Int64(clamping: record.size), state.rawValue, trouble?.rawValue,
                needed,
                free, code, Int(record.tries), record.isByHand, record.since,
            ]
        )
    }

    /// Of those that are settled the newest `Limits.finishedTransfers`, and all others; the newest first.
    static func all(_ db: Database) throws -> [TransferRecord] {
        let rows = """
            SELECT transfer.*, conversation.name FROM transfer JOIN conversation
            ON conversation.id = transfer.conversation
            """
        let settled = [State.done, .removed, .cancelled].map { "\($0.rawValue)" }.joined(separator: ", ")
        let open = try Row.fetchAll(db, sql: rows + " WHERE state NOT IN (\(settled))")
        let done = try Row.fetchAll(
            db,
            sql: rows + " WHERE state IN (\(settled)) ORDER BY since DESC, file DESC LIMIT ?",
            arguments: [Limits.finishedTransfers]
        )
        return try (open + done).map(record).sorted { ($0.since, $0.file) > ($1.since, $1.file) }
    }

    private static func record(_ row: Row) throws -> TransferRecord {
        guard let file = FileID(try row.value("file") as Data),
            let conversation = ConversationID(try row.value("name") as Data),
            let size = UInt64(exactly: try row.value("size") as Int64), size <= Limits.fileBytes,
            let tries = UInt8(exactly: try row.value("tries") as Int64),
            let state = State(rawValue: try row.value("state"))
        else { throw StoreError.damaged("transfer row") }
        return TransferRecord(
            file: file,
            conversation: conversation,
            size: size,
            state: try self.state(state, row),
            tries: tries,
            isByHand: try row.value("by_hand"),
            since: try row.value("since")
        )
    }

    private static func state(_ state: State, _ row: Row) throws -> TransferRecord.State {
        switch state {
        case .wanted: return .wanted
        case .paused: return .paused
        case .done: return .done
        case .removed: return .removed
        case .cancelled: return .cancelled
        case .failed:
            switch Trouble(rawValue: try row.value("trouble")) {
            case .full:
                guard let needed = UInt64(exactly: try row.value("needed") as Int64),
                    let free = UInt64(exactly: try row.value("free") as Int64)
                else { throw StoreError.damaged("transfer row") }
                return .failed(.full(needed: needed, free: free))
            case .disk: return .failed(.disk(try row.value("code")))
            case .peers: return .failed(.peers)
            case nil: throw StoreError.damaged("transfer row")
            }
        }
    }
}
