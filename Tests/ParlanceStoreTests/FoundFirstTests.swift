import Foundation
import ParlanceCore
import ParlanceRecords
import ParlanceStore
import ParlanceWire
import Testing

/// What a search finds first, and in which scripts, by the tables in `Fixtures/search`.
@Suite struct FoundFirstTests {
    private static func table(_ name: String, columns: Int) throws -> [[String]] {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Fixtures/search/\(name).tsv")
        return try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map { line in
            let fields = line.split(separator: "\t").map(String.init)
            try #require(fields.count == columns, "\(name): \(line)")
            return fields
        }
    }

    /// A group and a direct conversation of Ada, Bob and Eve, with a message each hour.
    private struct Ship {
        var party: Party
        var keys: [EventID: String] = [:]
        private var direct: [String: LogWriter] = [:]
        private let office: ConversationID

        init() throws {
            party = try Party(seed: 421)
            let bob = party.bob.log
            office = ConversationID(direct: party.test.me, bob.author)
            try party.test.persist(
                conversations: [ConversationRecord(id: office, kind: .direct(bob.author))],
                [party.creation]
            )
            direct = ["ada": LogWriter(office, party.test.log), "bob": LogWriter(office, bob)]
            let messages = try FoundFirstTests.table("messages", columns: 4)
            for (hour, message) in messages.enumerated() {
                let time = (1_760_000_400_000 + UInt64(hour) * 3_600_000) << 16
                let event = try say(message[3], by: message[1], in: message[2], at: time)
                keys[event.id] = message[0]
                try party.test.persist([event])
            }
        }

        private mutating func say(_ text: String, by author: String, in place: String, at time: UInt64) throws
            -> StoredEvent
        {
            if place == "direct" {
                var log = try #require(direct[author])
                defer { direct[author] = log }
                return Self.say(text, &log, time, after: [])
            }
            let known = [party.creation.reference]
            switch author {
            case "ada": return Self.say(text, &party.ada, time, after: [])
            case "bob": return Self.say(text, &party.bob, time, after: known)
            default: return Self.say(text, &party.eve, time, after: known)
            }
        }

        private static func say(_ text: String, _ log: inout LogWriter, _ time: UInt64, after: [EventReference])
            -> StoredEvent
        {
            log.time = time
            return log.say(text, after: after)
        }

        /// The keys of the messages that a query finds, the best first.
        func found(_ typed: String) throws -> [String] {
            let query = try SearchQuery(parsing: typed)
            var request = SearchRequest(terms: query.terms, limit: 50, at: 1_800_000_000_000)
            let people = ["ada": party.test.me, "bob": party.bob.log.author, "eve": party.eve.log.author]
            if !query.from.isEmpty { request.authors = Set(query.from.compactMap { people[$0] }) }
            if !query.within.isEmpty { request.conversations = [query.within == ["direct"] ? office : party.group] }
            return try party.test.store.search(request).found.map { keys[$0.message.id] ?? "?" }
        }
    }

    @Test func theExpectedMessageIsFoundFirst() throws {
        let ship = try Ship()
        let queries = try Self.table("queries", columns: 2)
        #expect(queries.count >= 100)
        for isIndexed in [false, true] {
            if isIndexed { try ship.party.test.index() }
            for query in queries {
                let found = try ship.found(query[0])
                #expect(found.first ?? "-" == query[1], "\(query[0]) (indexed: \(isIndexed)) found \(found)")
            }
        }
    }

    /// One sentence in each script, of which a word finds exactly it.
    @Test func everyScriptIsFoundByAWord() throws {
        var office = try Office(seed: 422)
        let scripts = try Self.table("scripts", columns: 3)
        #expect(scripts.count >= 50)
        try office.test.persist(scripts.map { office.theirs.say($0[1]) })
        for _ in 0...1 {
            for script in scripts {
                #expect(try office.found(script[2]) == [script[1]], "\(script[0])")
                let excerpt = try office.test.store.search(script[2]).found.first?.excerpt
                let scalars = Array((excerpt?.text ?? "").unicodeScalars)
                let marked = excerpt?.marks.map { String(String.UnicodeScalarView(scalars[$0])) } ?? []
                #expect(
                    marked.map { SearchText($0).folded } == [SearchText(script[2]).folded],
                    "\(script[0]): \(marked)"
                )
            }
            try office.test.index()
        }
    }
}
