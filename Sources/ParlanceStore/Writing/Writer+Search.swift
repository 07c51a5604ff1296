import CParlanceSystem
import GRDB
import GRDBSQLite
import ParlanceCore
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
            if let entry = try searchEntry(place, next.log.conversationRow, next.message.flags, db) {
                try insert(entry, as: number, db)
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

    /// A message as the index has it.
    struct SearchEntry {
        let place: Place
        let time: Int64
        let text: String
        /// What the column `place` contains.
        let whereabouts: String
    }

    /// - Returns: `nil` if the message has no text.
    private func searchEntry(_ place: Place, _ conversation: Int64, _ flags: MessageTable.Flags, _ db: Database) throws
        -> SearchEntry?
    {
        guard let event = try events.find(log: place.log, sequence: place.sequence)?.event,
            let text = try MessageReader.searchedText(of: event, flags: flags, place, db)
        else { return nil }
        return searchEntry(place, event, conversation, text)
    }

    func searchEntry(_ place: Place, _ event: StoredEvent, _ conversation: Int64, _ text: String) -> SearchEntry {
        let author = SearchTables.place(ofAuthor: event.header.log.author)
        return SearchEntry(
            place: place,
            time: event.writtenTime.searched,
            text: text,
            whereabouts: "\(author) \(SearchTables.place(ofConversation: conversation))"
        )
    }

    /// Takes a message into the index.
    func insert(_ entry: SearchEntry, as number: Int64, _ db: Database) throws {
        let shard = SearchTables.shard(of: number)
        try prepareShard(shard, at: entry.time, db)
        let sql = "INSERT OR REPLACE INTO search_message VALUES (?, ?, ?, ?)"
        try db.prepared(sql, number, entry.place.log, entry.place.sequence, entry.time).run()
        try change(entry, number, "(rowid, words, place) VALUES (?, ?, ?)", "(rowid, parts) VALUES (?, ?)", db)
    }

    /// Removes the words of a message from the index.
    ///
    /// - Parameter entry: with the text that the index has.
    func removeWords(_ entry: SearchEntry, of number: Int64, _ db: Database) throws {
        let shard = SearchTables.shard(of: number)
        let (words, parts) = (SearchTables.words(shard), SearchTables.parts(shard))
        try change(
            entry,
            number,
            "(\(words), rowid, words, place) VALUES ('delete', ?, ?, ?)",
            "(\(parts), rowid, parts) VALUES ('delete', ?, ?)",
            db
        )
    }

    private func change(
        _ entry: SearchEntry,
        _ number: Int64,
        _ words: String,
        _ parts: String,
        _ db: Database
    ) throws {
        let shard = SearchTables.shard(of: number)
        let text = SearchText(entry.text)
        let (first, second) = (SearchTables.words(shard), SearchTables.parts(shard))
        let whereabouts = BoundText(entry.whereabouts.utf8)
        try db.prepared("INSERT INTO \(first) \(words)", number, BoundText(text.folded), whereabouts).run()
        try db.prepared("INSERT INTO \(second) \(parts)", number, BoundText(text.parts)).run()
    }

    /// Creates the tables of a shard if they are not there, and includes a time in it.
    private func prepareShard(_ shard: Int64, at time: Int64, _ db: Database) throws {
        var known = try search.shards ?? Set(SearchTables.shards(db).map(\.number))
        if known.insert(shard).inserted {
            for sql in SearchTables.createShard(shard) { try db.execute(sql: sql) }
            // The shard before it is complete: write it anew, as one piece.
            try db.execute(sql: "UPDATE search_shard SET purge = 1 WHERE shard = ?", arguments: [shard - 1])
            search.mayPurge = true
            try db.execute(sql: "INSERT INTO search_shard VALUES (?, 0, ?, ?)", arguments: [shard, time, time])
        }
        search.shards = known
        let sql = """
            UPDATE search_shard SET earliest = min(earliest, ?2), latest = max(latest, ?2)
            WHERE shard = ?1 AND (earliest > ?2 OR latest < ?2)
            """
        try db.prepared(sql, shard, time).run()
    }
}
