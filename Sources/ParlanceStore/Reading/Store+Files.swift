import GRDB
package import ParlanceRecords
package import ParlanceWire

// The files that messages name which are shown and not deleted.
extension Store {
    /// Whether a message that is shown in the conversation names the file.
    package func names(_ file: FileID, in conversation: ConversationID) throws(StoreError) -> Bool {
        try read { db in
            guard let row = try ConversationTable.row(of: conversation, db) else { return false }
            let sql = """
                SELECT 1 FROM file_mention JOIN log ON log.id = file_mention.log
                WHERE file = ? AND log.conversation = ? LIMIT 1
                """
            return try db.prepared(sql, file, row).exists()
        }
    }

    /// The messages with files, the newest first.
    ///
    /// - Parameter conversation: `nil` for all.
    package func messagesWithFiles(
        in conversation: ConversationID? = nil,
        limit: Int
    ) throws(StoreError) -> [ShownMessage] {
        try read { db in
            var row: Int64?
            if let conversation {
                row = try ConversationTable.row(of: conversation, db)
                if row == nil { return [] }
            }
            let sql = Self.messages(where: "(?1 IS NULL OR log.conversation = ?1)") + " LIMIT ?2"
            return try ShownMessage.all(db.prepared(sql, row, max(0, limit)), db)
        }
    }

    /// The messages that name a file whose ID in text form begins with a prefix (in either case, at least 4 characters),
    /// the newest first.
    package func messagesWithFiles(idPrefix typed: String, limit: Int = 100) throws(StoreError) -> [ShownMessage] {
        guard let range = Self.range(ofPrefix: typed, as: FileID.self) else { return [] }
        return try read { db in
            let sql = Self.messages(where: "file BETWEEN ?1 AND ?2") + " LIMIT ?3"
            return try ShownMessage.all(db.prepared(sql, range.lowerBound, range.upperBound, max(0, limit)), db)
        }
    }

    private static func messages(where condition: String) -> String {
        """
        SELECT \(ShownMessage.columns) FROM
        (SELECT DISTINCT file_mention.log AS row, file_mention.sequence AS number FROM file_mention JOIN log ON log.id = file_mention.log
        WHERE \(condition)) AS named
        CROSS JOIN event ON event.log = named.row AND event.sequence = named.number
        CROSS JOIN log ON log.id = named.row
        CROSS JOIN message ON message.conversation = log.conversation AND message.effective = event.effective
        AND message.id = event.id
        ORDER BY message.effective DESC, message.id DESC
        """
    }

    /// The files that messages name which are shown.
    package func filesNamed() throws(StoreError) -> NamedFiles {
        try read { db in
            let sql = """
                SELECT file, max(log.author = ?) FROM file_mention JOIN log ON log.id = file_mention.log GROUP BY file
                """
            var named = NamedFiles()
            try db.prepared(sql, identity).each { row in
                guard let file = FileID(row.view(0)) else { throw StoreError.damaged("file_mention row") }
                named.all.insert(file)
                if row.integer(1) != 0 { named.own.insert(file) }
            }
            return named
        }
    }
}
