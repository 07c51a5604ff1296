import Foundation
import GRDB
import ParlanceCore
import ParlanceRecords
import ParlanceStore
import ParlanceWire

extension TestStore {
    /// Takes everything into the index, and writes anew what holds words of deleted texts.
    func index() throws {
        while try store.searchStep(from: 1) {}
    }

    /// The messages whose indexed words begin with a text, read from the tables as a crash now would leave them: the
    /// words themselves, and the parts of words.
    func indexedWords(_ beginning: String) throws -> [String] {
        try index()
        let copy = folder + "/copy"
        defer { try? FileManager.default.removeItem(atPath: copy) }
        try copyFiles(to: copy)
        let queue = try DatabaseQueue(path: copy + "/store.sqlite")
        defer { try? queue.close() }
        return try queue.write { db in
            var found: [String] = []
            let sql = "SELECT name FROM sqlite_schema WHERE sql LIKE '%USING fts5%' ORDER BY name"
            for table in try String.fetchAll(db, sql: sql) {
                try db.execute(
                    sql: "CREATE VIRTUAL TABLE temp.\(table)_words USING fts5vocab(main, '\(table)', 'instance')"
                )
                let words = SearchText(beginning)
                let word = words.words.first.map { String(decoding: words.bytes(of: $0), as: UTF8.self) } ?? ""
                found += try String.fetchAll(
                    db,
                    sql: "SELECT term || ' ' || doc FROM temp.\(table)_words WHERE substr(term, 1, ?) = ?",
                    arguments: [word.unicodeScalars.count, word]
                )
            }
            return Set(found).sorted()
        }
    }
}

extension Store {
    func search(_ typed: String, _ change: (inout SearchRequest) -> Void = { _ in }) throws -> SearchResults {
        var request = SearchRequest(terms: try SearchQuery(parsing: typed).terms, limit: 50, at: 1_800_000_000_000)
        change(&request)
        return try search(request)
    }
}

extension Office {
    func found(_ typed: String) throws -> [String] { try test.store.search(typed).found.map(\.message.text) }
}

extension Party {
    func found(_ typed: String) throws -> [String] { try test.store.search(typed).found.map(\.message.text) }
}

extension LogWriter {
    mutating func sayMany(_ count: Int) -> [StoredEvent] { (0..<count).map { say("usual message \($0)") } }
}
