import GRDB
import ParlanceCore
import ParlanceHistory
import ParlanceLetters
import ParlanceRecords
import ParlanceWire

// Changes of messages that are in the index already: edits, deletions, withdrawals, and new verdicts.
extension StoreTables {
    /// Remembers the text that the index has of a message, before the message changes.
    func willChange(_ entry: LogProgress, _ sequence: UInt64) throws {
        let indexed = try search.indexed ?? indexedLogs()
        search.indexed = indexed
        guard sequence <= indexed[entry.row] ?? 0 else { return }
        let place = Place(log: entry.row, sequence: sequence)
        searched[place] = (entry, try searchedText(entry, sequence))
    }

    private func indexedLogs() throws -> [Int64: UInt64] {
        var found: [Int64: UInt64] = [:]
        try db.prepared("SELECT log, indexed FROM search_log").each { found[$0.integer(0)] = $0.bits(1) }
        return found
    }

    /// The text of a message that search finds; `nil` if it is not shown or has none.
    private func searchedText(_ entry: LogProgress, _ sequence: UInt64) throws -> String? {
        guard let found = try event(log: entry.row, sequence: sequence), let effective = found.effective,
            let flags = try flags(of: found.event.id, effective: effective, conversationRow: entry.conversationRow),
            flags.isDisjoint(with: .withoutText)
        else { return nil }
        return try MessageReader.searchedText(
            of: found.event,
            flags: flags,
            Place(log: entry.row, sequence: sequence),
            self
        )
    }

    /// Brings the index to the present texts of the messages that were touched.
    func haveChanged() throws {
        defer { searched = [:] }
        let places = searched.keys.sorted { ($0.log, $0.sequence) < ($1.log, $1.sequence) }
        for place in places {
            guard let (entry, before) = searched[place] else { continue }
            let now = try searchedText(entry, place.sequence)
            // Compare bytes: texts that are canonically equal may have other words.
            guard before.map({ Array($0.utf8) }) != now.map({ Array($0.utf8) }) else { continue }
            try reindex(place, entry, from: before, to: now)
        }
    }

    private func reindex(_ place: Place, _ entry: LogProgress, from before: String?, to now: String?)
        throws
    {
        guard let event = try event(log: entry.row, sequence: place.sequence)?.event else { return }
        let number = try searchNumber(of: place)
        if let number, let before {
            try removeWords(searchEntry(place, event, entry.conversationRow, before), of: number)
        }
        if let now {
            let last = try Int64.fetchOne(db, sql: "SELECT max(number) FROM search_message") ?? 0
            try insert(searchEntry(place, event, entry.conversationRow, now), as: number ?? last + 1)
        } else if let number {
            try remove(number)
        }
    }

    /// The number of a message in the index.
    private func searchNumber(of place: Place) throws -> Int64? {
        let sql = "SELECT number FROM search_message WHERE log = ? AND sequence = ?"
        return try db.prepared(sql, place.log, place.sequence).first { $0.integer(0) }
    }

    /// Removes a message whose words were removed. They leave the file when its shard is written anew.
    private func remove(_ number: Int64) throws {
        try db.execute(sql: "DELETE FROM search_message WHERE number = ?", arguments: [number])
        try db.execute(
            sql: "UPDATE search_shard SET purge = 1 WHERE shard = ?",
            arguments: [SearchTables.shard(of: number)]
        )
        search.mayPurge = true
    }
}

// Words in the index.
extension StoreTables {
    /// A message as the index has it.
    struct SearchEntry {
        let place: Place
        let time: Int64
        let text: String
        /// What the column `place` contains.
        let whereabouts: String
    }

    /// - Returns: `nil` if the message has no text.
    func searchEntry(_ place: Place, _ conversation: Int64, _ flags: LineFlags) throws
        -> SearchEntry?
    {
        guard let event = try event(log: place.log, sequence: place.sequence)?.event,
            let text = try MessageReader.searchedText(of: event, flags: flags, place, self)
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
    func insert(_ entry: SearchEntry, as number: Int64) throws {
        let shard = SearchTables.shard(of: number)
        try prepareShard(shard, at: entry.time)
        let sql = "INSERT OR REPLACE INTO search_message VALUES (?, ?, ?, ?)"
        try db.prepared(sql, number, entry.place.log, entry.place.sequence, entry.time).run()
        try change(entry, number, "(rowid, words, place) VALUES (?, ?, ?)", "(rowid, parts) VALUES (?, ?)")
    }

    /// Removes the words of a message from the index.
    ///
    /// - Parameter entry: with the text that the index has.
    private func removeWords(_ entry: SearchEntry, of number: Int64) throws {
        let shard = SearchTables.shard(of: number)
        let (words, parts) = (SearchTables.words(shard), SearchTables.parts(shard))
        try change(
            entry,
            number,
            "(\(words), rowid, words, place) VALUES ('delete', ?, ?, ?)",
            "(\(parts), rowid, parts) VALUES ('delete', ?, ?)"
        )
    }

    private func change(
        _ entry: SearchEntry,
        _ number: Int64,
        _ words: String,
        _ parts: String
    ) throws {
        let shard = SearchTables.shard(of: number)
        let text = SearchText(entry.text)
        let (first, second) = (SearchTables.words(shard), SearchTables.parts(shard))
        let whereabouts = BoundText(entry.whereabouts.utf8)
        try db.prepared("INSERT INTO \(first) \(words)", number, BoundText(text.folded), whereabouts).run()
        try db.prepared("INSERT INTO \(second) \(parts)", number, BoundText(text.parts)).run()
    }

    /// Creates the tables of a shard if they are not there, and includes a time in it.
    private func prepareShard(_ shard: Int64, at time: Int64) throws {
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

// Dropping parts of the index.
extension StoreTables {
    /// Takes a conversation out of the index, before its logs are divided. It comes back like new messages.
    func willDivide(_ id: ConversationID) throws {
        guard let row = try ConversationTable.row(of: id, db) else { return }
        for log in try SearchedLog.all(db) where log.conversationRow == row {
            guard let key = try LogTable.key(of: log.row, db),
                let entry = try progress(of: key, conversationRow: row, isOwn: log.author == identity, group: nil)
            else {
                // What cannot be taken out alone goes with the whole index, which comes back step by step: otherwise the
                // search would still find words of messages that have moved to a branch.
                return try dropSearch()
            }
            let sql = "SELECT sequence FROM search_message WHERE log = \(log.row)"
            for sequence in try Int64.fetchAll(db, sql: sql).map({ UInt64(bitPattern: $0) }) {
                let text = try searchedText(entry, sequence)
                try reindex(Place(log: log.row, sequence: sequence), entry, from: text, to: nil)
            }
            try db.execute(sql: "DELETE FROM search_log WHERE log = ?", arguments: [log.row])
            search.indexed?[log.row] = nil
        }
        search.pending = nil
    }

    /// Drops the whole index. It comes back step by step.
    func dropSearch() throws {
        for shard in try SearchTables.shards(db) {
            for table in [SearchTables.words(shard.number), SearchTables.parts(shard.number)] {
                try db.execute(sql: "DROP TABLE \(table)")
            }
        }
        try db.execute(sql: "DELETE FROM search_shard; DELETE FROM search_message; DELETE FROM search_log")
        search.forget()
    }
}
