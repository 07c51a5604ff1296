import Foundation
import GRDB
import ParlanceCore
import ParlanceRecords
import ParlanceSodium
import ParlanceTestKit
import ParlanceWire
import Testing

@testable import ParlanceStore

/// A statement that is left among its rows keeps its connection in an old state of the store, and takes no new values.
@Suite struct StatementTests {
    /// What is written after a failed read is read.
    @Test func aFailedReadLeavesNoStatementAmongItsRows() throws {
        var office = try Office(seed: 211)
        var random = SeededGenerator(seed: 211)
        let (author, replica) = (office.theirs.log.author, office.theirs.log.replica)
        let unknown = LogID(author: author, replica: random.replica())
        let missing = EventReference(log: unknown, sequence: 1, id: EventID(value: random.bytes32()))
        office.theirs.say("waits", after: [missing])
        try office.test.persist(office.theirs.events)
        let (test, conversation, log) = (office.test, office.conversation.id, office.theirs.log)
        func waiting() throws -> [String] {
            try test.store.waitingMessages(of: [log], in: conversation).messages.map(\.text)
        }
        func write(replica: [UInt8]) throws {
            let sql = "UPDATE log SET replica = ? WHERE applied < sequence"
            try test.store.write { _, db in try db.execute(sql: sql, arguments: [Data(replica)]) }
        }
        #expect(try waiting() == ["waits"])
        try write(replica: [1, 2, 3])
        #expect(throws: StoreError.self) { try waiting() }
        #expect(try test.store.busyStatements() == [])
        try write(replica: replica.bytes)
        #expect(try waiting() == ["waits"])
    }

    /// Cuts the blobs of one column after the other short, and asks everything.
    @Test func whicheverColumnIsDamagedNoStatementIsLeft() throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        let test = try TestStore(&random)
        let scenario = Scenario(me: test.log, &random, events: 60)
        var batch = PersistBatch(id: BatchID(1))
        batch.conversations = scenario.conversations
        batch.events = Array(scenario.shuffled(&random))
        batch.membership = scenario.invitation
        let peer = scenario.writers[2].log.author
        var waiting = LogWriter(scenario.conversations[0].id, LogID(author: peer, replica: random.replica()))
        let unknown = LogID(author: peer, replica: random.replica())
        waiting.say("?", after: [EventReference(log: unknown, sequence: 1, id: EventID(value: random.bytes32()))])
        batch.events += waiting.events
        var charter = try CharterWriter(people: 2)
        _ = charter.create()
        let key = WorkspaceKey(secret: SecretBytes(copying: random.bytes(32)), number: 1, superseded: nil)
        batch.workspace = .set(Workspace(name: "Ship", keys: [key], charter: charter.charter))
        _ = try test.store.persist(batch)
        test.store.close()
        let (file, folder) = (test.folder + "/store.sqlite", test.folder + "/copy")
        var noticed = 0
        for (table, column) in try columns(of: file) {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(atPath: folder) }
            try FileManager.default.copyItem(atPath: file, toPath: folder + "/store.sqlite")
            let queue = try DatabaseQueue(path: folder + "/store.sqlite")
            try queue.writeWithoutTransaction { db in
                try db.execute(sql: "UPDATE OR IGNORE \(table) SET \(column) = substr(\(column), 1, 3)")
            }
            try queue.close()
            var damaged = DamagedStore(test, scenario)
            noticed += damaged.use(folder).isEmpty ? 0 : 1
            #expect(damaged.left.isEmpty, "seed \(seed), \(table).\(column)")
        }
        #expect(noticed > 10, "seed \(seed)")
    }

    /// However its rows are read, a statement is free afterwards, and gives the same again.
    @Test func everyWayOfReadingEndsAtTheStart() throws {
        var random = SeededGenerator(seed: 213)
        let test = try TestStore(&random)
        try test.store.write { _, db in
            let two = try db.prepared("SELECT 1 UNION ALL SELECT 2")
            for _ in 0..<2 {
                #expect(try two.map { $0.integer(0) } == [1, 2])
                #expect(try two.first { $0.integer(0) } == 1 && two.exists())
                var walked: [Int64] = []
                try two.walk { row in
                    walked.append(row.integer(0))
                    return false
                }
                #expect(walked == [1])
                #expect(throws: StoreError.self) { try two.first { _ -> Int? in throw StoreError.closed } }
                #expect(throws: StoreError.self) { try two.map { _ in throw StoreError.closed } }
                #expect(throws: StoreError.self) { try two.walk { _ in throw StoreError.closed } }
                #expect(throws: SQLiteFailure.self) { try two.run() }
                #expect(db.busyStatements == [])
            }
            #expect(try db.prepared("SELECT 1 WHERE 0").first { $0.integer(0) } == nil)
            #expect(try !db.prepared("SELECT 1 WHERE 0").exists())
            #expect(throws: SQLiteFailure.self) { try db.prepared("SELECT abs(?)", Int64.min).exists() }
        }
        #expect(try test.store.busyStatements() == [])
    }

    @Test func valuesComeBackAsTheyWereBound() throws {
        var random = SeededGenerator(seed: 214)
        let test = try TestStore(&random)
        let (id, replica) = (EventID(value: random.bytes32()), random.replica())
        let (text, nothing): (BoundText, PeerID?) = (BoundText("né".utf8), nil)
        try test.store.write { _, db in
            let sql = "SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, typeof(?6), typeof(?7), typeof(?9)"
            let none: [UInt8] = []
            let empty = BoundText("".utf8)
            try db.prepared(sql, UInt64.max, -2, true, id, replica, none, text, nothing, empty).each { row in
                #expect(row.bits(0) == .max && row.integer(0) == -1 && row.integer(1) == -2 && row.integer(2) == 1)
                #expect(row.bytes(3) == id.bytes && row.bytes(4) == replica.bytes && row.bytesIfAny(5) == [])
                #expect(row.text(6) == "né" && row.isNull(7) && row.bytesIfAny(7) == nil)
                #expect((8...10).map { row.text($0) } == ["blob", "text", "text"])
            }
        }
        #expect(try test.store.busyStatements() == [])
    }

    /// The columns with blobs of a store's own tables, without the index for searching.
    private func columns(of file: String) throws -> [(table: String, column: String)] {
        let queue = try DatabaseQueue(path: file)
        defer { try? queue.close() }
        return try queue.read { db in
            let sql = """
                SELECT schema.name, info.name FROM sqlite_schema AS schema, pragma_table_info(schema.name) AS info
                WHERE schema.type = 'table' AND schema.name NOT LIKE 'search%' AND info.type = 'BLOB'
                """
            return try Row.fetchAll(db, sql: sql).map { ($0[0], $0[1]) }
        }
    }
}
