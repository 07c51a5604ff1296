import CParlanceSystem
import GRDB
import GRDBSQLite
import ParlanceCore
import ParlanceHistory
import ParlanceWire

/// When to take messages into the index for searching.
package enum SearchIndexing {
    /// Events not in the index from which on a step is due. Fewer are searched as they are: a step for each message would
    /// write more than the message itself.
    package static let dueEvents = 1024
    /// Messages of a step, which takes some 30 ms.
    static let stepMessages = 1024
    /// Events of one log that a step looks through: most of them may be reactions.
    static let stepEvents: UInt64 = 4096
    /// The least messages that a step reads of each log, so that those of many logs come in order.
    static let leastMessages = 4
}

// Taking messages into the index, behind the other projections.
extension Writer {
    /// Does the next step of work on the index, if any is due.
    ///
    /// - Parameter least: the least events that are worth a step.
    /// - Returns: whether more may be due.
    func searchStep(from least: Int, _ db: Database) throws -> Bool {
        if search.mayPurge, try purgeSearch(db) { return true }
        if let pending = search.pending, pending < least { return false }
        let logs = try SearchedLog.all(db).filter { $0.pending > 0 }
        let pending = logs.reduce(0) { $0 + Int(clamping: $1.pending) }
        search.pending = pending
        guard pending > 0, pending >= least else {
            // Pages of the index stay in the cache otherwise, and in the heap, and the next steps may be far off.
            if search.hasStepped {
                sqlite3_db_release_memory(db.sqliteConnection)
                parlance_return_memory()
            }
            search.hasStepped = false
            return false
        }
        search.hasStepped = true
        try transaction(db) { _ in try index(logs, db) }
        return true
    }

    /// A message to take into the index.
    private struct Next {
        let log: SearchedLog
        let message: SearchedLog.Message
    }

    /// Takes the earliest messages that are not in the index into it, across logs in the order shown.
    private func index(_ logs: [SearchedLog], _ db: Database) throws {
        let share = max(SearchIndexing.leastMessages, SearchIndexing.stepMessages / logs.count)
        var found: [Next] = []
        // What comes after the end of a share may come before messages of other logs.
        var horizon = UInt64.max
        var ends: [Int64: UInt64] = [:]
        for log in logs {
            let through = min(log.applied, log.indexed + SearchIndexing.stepEvents)
            let messages = try log.messages(after: log.indexed, through: through, limit: share, db)
            if messages.count == share, let last = messages.last { horizon = min(horizon, last.effective) }
            ends[log.row] = messages.count == share ? messages.last?.sequence : through
            found += messages.map { Next(log: log, message: $0) }
        }
        found.sort { ($0.message.effective, $0.log.row) < ($1.message.effective, $1.log.row) }
        var number = try Int64.fetchOne(db, sql: "SELECT max(number) FROM search_message") ?? 0
        var done: [Int64: UInt64] = [:]
        var isOpen: Set<Int64> = []
        for (count, next) in found.enumerated() {
            let log = next.log.row
            guard count < SearchIndexing.stepMessages, next.message.effective <= horizon else {
                isOpen.insert(log)
                continue
            }
            number += 1
            let place = Place(log: log, sequence: next.message.sequence)
            if let entry = try tables.searchEntry(place, next.log.conversationRow, next.message.flags) {
                try tables.insert(entry, as: number)
            }
            done[log] = next.message.sequence
        }
        for log in logs {
            guard let end = isOpen.contains(log.row) ? done[log.row] : ends[log.row] else { continue }
            try setIndexed(log.row, end, db)
        }
    }

    private func setIndexed(_ log: Int64, _ sequence: UInt64, _ db: Database) throws {
        try db.prepared("INSERT OR REPLACE INTO search_log VALUES (?, ?)", log, sequence).run()
        search.advance(log, to: sequence)
        search.pending = nil
    }

    /// Writes a shard anew that holds words of texts that are gone, and empties the write-ahead log.
    ///
    /// - Returns: whether there was one.
    func purgeSearch(_ db: Database) throws -> Bool {
        let next = try Int64.fetchOne(db, sql: "SELECT min(shard) FROM search_shard WHERE purge <> 0")
        search.mayPurge = next != nil
        guard let shard = next else { return false }
        try transaction(db) { _ in
            for table in [SearchTables.words(shard), SearchTables.parts(shard)] {
                try db.execute(sql: "INSERT INTO \(table) (\(table)) VALUES ('optimize')")
            }
            try db.execute(sql: "UPDATE search_shard SET purge = 0 WHERE shard = ?", arguments: [shard])
        }
        tables.holdsDroppedTexts = true
        try checkpointIfDue(db)
        return true
    }
}
