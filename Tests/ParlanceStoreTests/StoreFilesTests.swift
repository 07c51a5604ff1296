import Foundation
import GRDB
import GRDBSQLite
import Testing

@testable import ParlanceStore

/// How SQLite reaches the files of a store.
@Suite struct StoreFilesTests {
    @Test func newStoresHaveSmallPages() throws {
        let office = try Office(seed: 10)
        #expect(try office.test.store.write { _, db in try Int.fetchOne(db, sql: "PRAGMA page_size") } == 2048)
    }

    /// SQLite would count its memory under one lock for all connections.
    @Test func theMemoryOfSQLiteIsNotCounted() throws {
        let office = try Office(seed: 13)
        #expect(try office.test.store.write { _, db in try Int.fetchOne(db, sql: "SELECT count(*) FROM event") } == 0)
        #expect(sqlite3_memory_used() == 0)
    }

    /// store.md, "For backups".
    @Test func anotherProgramCopiesAStoreThatIsOpen() throws {
        var office = try Office(seed: 11)
        try office.test.persist([office.mine.say("one"), office.mine.say("two")])
        let backup = Process()
        backup.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        let script = "import sqlite3; sqlite3.connect('store.sqlite').execute(\"VACUUM INTO 'copy.sqlite'\")"
        backup.arguments = ["python3", "-c", script]
        backup.currentDirectoryURL = URL(fileURLWithPath: office.test.folder)
        try backup.run()
        backup.waitUntilExit()
        #expect(backup.terminationStatus == 0)
        let copy = try DatabaseQueue(path: office.test.folder + "/copy.sqlite")
        #expect(try copy.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM message") } == 2)
        try office.test.persist([office.mine.say("three")])
    }

    /// A transaction that does not fit into SQLite's cache is written in part before its end, and written over there. Once
    /// another connection sees it, a crash must not lose it, whatever is synced.
    @Test(arguments: ["OFF", "NORMAL", "FULL"])
    func aLargeTransactionIsInTheLogBeforeOthersSeeIt(_ synchronous: String) throws {
        let test = try Office(seed: 12).test
        let path = test.folder + "/large.sqlite"
        let connection = try DatabaseQueue(path: path)
        try connection.writeWithoutTransaction { db in
            for pragma in [
                "page_size = 2048", "journal_mode = WAL", "synchronous = \(synchronous)", "cache_size = 10",
                "wal_autocheckpoint = 0",
            ] {
                _ = try Row.fetchAll(db, sql: "PRAGMA \(pragma)")
            }
            try db.execute(sql: "CREATE TABLE line (number INTEGER PRIMARY KEY, text TEXT)")
        }
        for round in 1...3 {
            try connection.write { db in
                for number in 0..<200 {
                    let text = String(repeating: "x", count: 500)
                    try db.execute(sql: "INSERT INTO line (text) VALUES (?)", arguments: ["\(number) \(text)"])
                }
                // These pages have been written in part already.
                try db.execute(sql: "UPDATE line SET text = 'again \(round)' WHERE number <= 20")
            }
            #expect(try Self.lines(afterACrashOf: path) == (200 * round, 20, "ok"))
            try connection.write { db in try db.execute(sql: "UPDATE line SET text = 'once' WHERE number = 21") }
            #expect(try Self.lines(afterACrashOf: path) == (200 * round, 20, "ok"))
        }
    }

    /// What another process finds in the files as they are now.
    private static func lines(afterACrashOf path: String) throws -> (Int?, Int?, String?) {
        let copy = path + ".copy"
        for suffix in ["", "-wal"] {
            try? FileManager.default.removeItem(atPath: copy + suffix)
            try FileManager.default.copyItem(atPath: path + suffix, toPath: copy + suffix)
        }
        try? FileManager.default.removeItem(atPath: copy + "-shm")
        let connection = try DatabaseQueue(path: copy)
        return try connection.read { db in
            (
                try Int.fetchOne(db, sql: "SELECT count(*) FROM line"),
                try Int.fetchOne(db, sql: "SELECT count(*) FROM line WHERE text LIKE 'again%'"),
                try String.fetchOne(db, sql: "PRAGMA integrity_check")
            )
        }
    }
}
