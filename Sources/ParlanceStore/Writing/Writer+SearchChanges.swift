import GRDB
import ParlanceCore
import ParlanceWire

// Changes of messages that are in the index already: edits, deletions, withdrawals, and new verdicts.
extension Writer {
    /// Remembers the text that the index has of a message, before the message changes.
    func rememberSearched(_ entry: LogEntry, _ sequence: UInt64, _ outcome: inout Outcome, _ db: Database) throws {
        let indexed = try search.indexed ?? indexedLogs(db)
        search.indexed = indexed
        guard sequence <= indexed[entry.row] ?? 0 else { return }
        let place = Place(log: entry.row, sequence: sequence)
        outcome.searched[place] = (entry, try searchedText(entry, sequence, db))
    }

    private func indexedLogs(_ db: Database) throws -> [Int64: UInt64] {
        var found: [Int64: UInt64] = [:]
        try db.prepared("SELECT log, indexed FROM search_log").each { found[$0.integer(0)] = $0.bits(1) }
        return found
    }

    /// The text of a message that search finds; `nil` if it is not shown or has none.
    private func searchedText(_ entry: LogEntry, _ sequence: UInt64, _ db: Database) throws -> String? {
        guard let found = try held(sequence, entry), let effective = found.effective,
            let flags = try messages.flags(found.event.id, effective: effective, entry: entry),
            flags.isDisjoint(with: .withoutText)
        else { return nil }
        return try MessageReader.searchedText(
            of: found.event,
            flags: flags,
            Place(log: entry.row, sequence: sequence),
            db
        )
    }

    /// Brings the index to the present texts of the messages that were touched.
    func settleSearch(_ outcome: Outcome, _ db: Database) throws {
        let places = outcome.searched.keys.sorted { ($0.log, $0.sequence) < ($1.log, $1.sequence) }
        for place in places {
            guard let (entry, before) = outcome.searched[place] else { continue }
            let now = try searchedText(entry, place.sequence, db)
            // Compare bytes: texts that are canonically equal may have other words.
            guard before.map({ Array($0.utf8) }) != now.map({ Array($0.utf8) }) else { continue }
            try reindex(place, entry, from: before, to: now, db)
        }
    }

    private func reindex(_ place: Place, _ entry: LogEntry, from before: String?, to now: String?, _ db: Database)
        throws
    {
        guard let event = try held(place.sequence, entry)?.event else { return }
        let number = try searchNumber(of: place, db)
        if let number, let before {
            try removeWords(searchEntry(place, event, entry.conversationRow, before), of: number, db)
        }
        if let now {
            let last = try Int64.fetchOne(db, sql: "SELECT max(number) FROM search_message") ?? 0
            try insert(searchEntry(place, event, entry.conversationRow, now), as: number ?? last + 1, db)
        } else if let number {
            try remove(number, db)
        }
    }

    /// The number of a message in the index.
    private func searchNumber(of place: Place, _ db: Database) throws -> Int64? {
        let sql = "SELECT number FROM search_message WHERE log = ? AND sequence = ?"
        return try db.prepared(sql, place.log, place.sequence).first { $0.integer(0) }
    }

    /// Removes a message whose words were removed. They leave the file when its shard is written anew.
    private func remove(_ number: Int64, _ db: Database) throws {
        try db.execute(sql: "DELETE FROM search_message WHERE number = ?", arguments: [number])
        try db.execute(
            sql: "UPDATE search_shard SET purge = 1 WHERE shard = ?",
            arguments: [SearchTables.shard(of: number)]
        )
        search.mayPurge = true
    }
}

// Dropping parts of the index.
extension Writer {
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
        holdsDroppedTexts = true
        try checkpointIfDue(db)
        return true
    }

    /// Takes a conversation out of the index, before its logs are divided. It comes back like new messages.
    func leaveSearch(_ id: ConversationID, _ db: Database) throws {
        let row = try conversationRow(id, db)
        for log in try SearchedLog.all(db) where log.conversationRow == row {
            guard let key = try LogTable.key(of: log.row, db), let entry = try existingEntry(key, db) else { continue }
            let sql = "SELECT sequence FROM search_message WHERE log = \(log.row)"
            for sequence in try Int64.fetchAll(db, sql: sql).map({ UInt64(bitPattern: $0) }) {
                let text = try searchedText(entry, sequence, db)
                try reindex(Place(log: log.row, sequence: sequence), entry, from: text, to: nil, db)
            }
            try db.execute(sql: "DELETE FROM search_log WHERE log = ?", arguments: [log.row])
            search.indexed?[log.row] = nil
        }
        search.pending = nil
    }

    /// Drops the whole index. It comes back step by step.
    func dropSearch(_ db: Database) throws {
        for shard in try SearchTables.shards(db) {
            for table in [SearchTables.words(shard.number), SearchTables.parts(shard.number)] {
                try db.execute(sql: "DROP TABLE \(table)")
            }
        }
        try db.execute(sql: "DELETE FROM search_shard; DELETE FROM search_message; DELETE FROM search_log")
        search.forget()
    }
}
