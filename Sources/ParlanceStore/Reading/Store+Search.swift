import GRDB
import ParlanceCore
import ParlanceHistory
import ParlanceRecords
import ParlanceWire

extension Store {
    /// The messages that fit a query: those that are shown now, by their present text, of people who are not blocked.
    package func search(_ request: SearchRequest) throws(StoreError) -> SearchResults {
        try read { db in
            var search = try Search(request, db)
            try search.readTail()
            try search.readIndex()
            return try search.results()
        }
    }
}

/// One search. The index names messages that may fit; each is read and compared as the query says, so that nothing is
/// found that is not shown.
private struct Search {
    private let request: SearchRequest
    private let db: Database
    /// The logs whose messages can be found, by row.
    private var logs: [Int64: SearchedLog] = [:]
    /// People whose messages cannot.
    private let blocked: Set<PeerID>
    private var readers: [Int64: MessageReader] = [:]
    private var matches: [Match] = []
    private var unsearched = 0
    private var isCut = false
    /// Bytes of texts that may still be read.
    private var room = 16 << 20

    private struct Match {
        let place: Place
        let id: EventID
        let effective: UInt64
        let flags: LineFlags
        let time: Int64
        let relevance: Int
    }

    init(_ request: SearchRequest, _ db: Database) throws {
        self.request = request
        self.db = db
        var rows: Set<Int64>?
        if let conversations = request.conversations {
            rows = Set(try conversations.compactMap { try ConversationTable.row(of: $0, db) })
        }
        blocked = try Self.blocked(db)
        for log in try SearchedLog.all(db)
        where rows?.contains(log.conversationRow) ?? true && request.authors?.contains(log.author) ?? true
            && !blocked.contains(log.author)
        {
            logs[log.row] = log
        }
    }

    private static func blocked(_ db: Database) throws -> Set<PeerID> {
        let peers = try db.prepared("SELECT id FROM peer WHERE trust = 'blocked'").map { PeerID($0.view(0)) }
        return Set(peers.compactMap { $0 })
    }

    /// Compares the messages that are not in the index yet.
    mutating func readTail() throws {
        let pending = logs.values.filter { $0.pending > 0 }.sorted { $0.row < $1.row }
        let count = pending.reduce(0) { $0 + Int(clamping: $1.pending) }
        guard count <= Limits.searchTailEvents else {
            unsearched = count
            return
        }
        for log in pending {
            for message in try log.messages(after: log.indexed, through: log.applied, limit: .max, db) {
                try compare(Place(log: log.row, sequence: message.sequence), log)
            }
        }
    }

    /// Compares the messages that the index names, the latest first.
    mutating func readIndex() throws {
        guard !logs.isEmpty else { return }
        let expression = Expression(request, logs.values, without: blocked)
        for shard in try SearchTables.shards(db) where request.hasTimes(from: shard.earliest, to: shard.latest) {
            try expression.statement(shard.number, db).walk { row in
                isCut = matches.count >= Limits.searchMatches || room <= 0
                if !isCut, request.hasTime(row.integer(2)), let log = logs[row.integer(0)] {
                    try compare(Place(log: log.row, sequence: row.bits(1)), log)
                }
                return !isCut
            }
            if isCut { return }
        }
    }

    private mutating func compare(_ place: Place, _ log: SearchedLog) throws {
        guard let found = try EventTable.find(log: place.log, sequence: place.sequence, db),
            let effective = found.effective,
            let flags = try reader(log).flags(of: found.event.id, effective), flags.isDisjoint(with: .withoutText),
            !request.hasFile || flags.contains(.files),
            request.hasTime(found.event.writtenTime.searched),
            let text = try MessageReader.searchedText(of: found.event, flags: flags, place, ReaderTables(db))
        else { return }
        room -= text.utf8.count
        guard let match = SearchMatch(request.terms, in: text) else { return }
        matches.append(
            Match(
                place: place,
                id: found.event.id,
                effective: effective,
                flags: flags,
                time: found.event.writtenTime.shown(at: request.wall),
                relevance: match.relevance
            )
        )
    }

    private mutating func reader(_ log: SearchedLog) throws -> MessageReader {
        if let known = readers[log.conversationRow] { return known }
        let reader = try MessageReader(ReaderTables(db), conversation: log.conversationRow)
        readers[log.conversationRow] = reader
        return reader
    }

    /// The page of the best matches.
    mutating func results() throws -> SearchResults {
        var results = SearchResults(
            count: min(matches.count, Limits.searchMatches),
            isCut: isCut,
            unsearched: unsearched
        )
        let isRanked = request.order == .relevance
        matches.sort { one, other in
            if isRanked, one.relevance != other.relevance { return one.relevance > other.relevance }
            return (one.time, one.id) > (other.time, other.id)
        }
        for match in matches.prefix(Limits.searchMatches).dropFirst(max(0, request.offset)).prefix(
            max(0, request.limit)
        ) {
            guard let log = logs[match.place.log],
                let found = try EventTable.find(log: match.place.log, sequence: match.place.sequence, db)
            else { continue }
            let message = try reader(log).line(
                found.event,
                id: match.id,
                flags: match.flags,
                effective: match.effective,
                log: log.row
            )
            let text = MessageText(message.text, files: message.rich?.files ?? []).searched
            let ranges = SearchMatch(request.terms, in: text)?.ranges ?? []
            results.found.append(
                SearchResults.Found(message: message, excerpt: SearchExcerpt(of: text, marking: ranges))
            )
        }
        return results
    }
}

extension SearchRequest {
    /// Whether messages of these times may have a time of the request.
    fileprivate func hasTimes(from earliest: Int64, to latest: Int64) -> Bool {
        latest >= after ?? .min && earliest < before ?? .max
    }
}

/// What a query asks the tables of a shard.
private struct Expression {
    /// In the language of FTS5; `nil` if the table need not be asked.
    private let words: String?
    private let parts: String?
    private let hasFile: Bool

    /// Blocked people whom the tables leave out; messages of others are left out when they are named.
    private static let excluded = 64

    init(_ request: SearchRequest, _ logs: some Collection<SearchedLog>, without blocked: Set<PeerID>) {
        hasFile = request.hasFile
        var words = request.terms.filter { $0.kind != .part }.map { term in
            let forms = term.forms.map { words in
                let phrase = words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
                return "words : \"\(phrase)\"" + (term.kind == .beginning ? " *" : "")
            }
            return forms.count == 1 ? forms[0] : "(" + forms.joined(separator: " OR ") + ")"
        }
        if request.authors != nil { words.append(Self.any(Set(logs.map { SearchTables.place(ofAuthor: $0.author) }))) }
        if request.conversations != nil {
            words.append(Self.any(Set(logs.map { SearchTables.place(ofConversation: $0.conversationRow) })))
        }
        // Somebody may have been blocked for writing more than all others.
        let places = blocked.sorted().prefix(Self.excluded).map { SearchTables.place(ofAuthor: $0) }
        let rest = places.isEmpty ? "" : " NOT " + Self.any(Set(places))
        self.words = words.isEmpty ? nil : "(" + words.joined(separator: " AND ") + ")" + rest
        let parts = request.terms.filter { $0.kind == .part }.map { term in
            let forms = term.forms.compactMap { words -> String? in
                let parts = SearchText.parts(ofFolded: words[0]).split(separator: 0x20)
                guard !parts.isEmpty else { return nil }
                return "("
                    + Set(parts.map { "\"\(String(decoding: $0, as: UTF8.self))\"" }).sorted()
                    .joined(separator: " AND ") + ")"
            }
            return "(" + forms.joined(separator: " OR ") + ")"
        }
        self.parts = parts.isEmpty ? nil : parts.joined(separator: " AND ")
    }

    private static func any(_ places: Set<String>) -> String {
        "(" + places.sorted().map { "place : \"\($0)\"" }.joined(separator: " OR ") + ")"
    }

    /// The logs, sequences and times of messages that may fit, the latest number first.
    func statement(_ shard: Int64, _ db: Database) throws -> Prepared {
        let (first, last) = (shard * SearchTables.shardMessages + 1, (shard + 1) * SearchTables.shardMessages)
        let columns = "SELECT message.log, message.sequence, message.time FROM"
        let (wordTable, partTable) = (SearchTables.words(shard), SearchTables.parts(shard))
        let file = hasFile ? Self.fileCondition : ""
        switch (words, parts) {
        case (nil, nil):
            let rows =
                hasFile
                ? """
                (SELECT DISTINCT log, sequence FROM file_mention) AS file CROSS JOIN search_message AS message
                ON message.log = file.log AND message.sequence = file.sequence
                """ : "search_message AS message"
            return try db.prepared("\(columns) \(rows) WHERE number BETWEEN ? AND ? ORDER BY number DESC", first, last)
        case (let words?, nil):
            let sql = "\(columns) \(Self.joined(wordTable)) WHERE \(wordTable) MATCH ?\(file) \(Self.order)"
            return try db.prepared(sql, BoundText(words.utf8))
        case (nil, let parts?):
            let sql = "\(columns) \(Self.joined(partTable)) WHERE \(partTable) MATCH ?\(file) \(Self.order)"
            return try db.prepared(sql, BoundText(parts.utf8))
        case (let words?, let parts?):
            let sql = """
                \(columns) \(Self.joined(wordTable)) WHERE \(wordTable) MATCH ?
                AND +fts.rowid IN (SELECT rowid FROM \(partTable) WHERE \(partTable) MATCH ?)\(file) \(Self.order)
                """
            return try db.prepared(sql, BoundText(words.utf8), BoundText(parts.utf8))
        }
    }

    private static func joined(_ table: String) -> String {
        "\(table) AS fts CROSS JOIN search_message AS message ON message.number = fts.rowid"
    }

    private static let order = "ORDER BY fts.rowid DESC"

    private static let fileCondition = """
         AND EXISTS (SELECT 1 FROM file_mention AS file
        WHERE file.log = message.log AND file.sequence = message.sequence)
        """
}
