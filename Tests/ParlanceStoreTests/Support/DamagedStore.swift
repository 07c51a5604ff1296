import GRDB
import GRDBSQLite
import ParlanceCore
import ParlanceRecords
import ParlanceWire

@testable import ParlanceStore

/// Asks a store every question and writes to it.
struct DamagedStore {
    let test: TestStore
    let scenario: Scenario
    private(set) var errors: [StoreError] = []
    /// The statements that a question has left among their rows.
    private(set) var left: [String] = []
    private var store: Store?

    init(_ test: TestStore, _ scenario: Scenario) {
        (self.test, self.scenario) = (test, scenario)
    }

    @discardableResult
    private mutating func ask<Value>(_ body: () throws(StoreError) -> Value) -> Value? {
        defer { left += store.map { (try? $0.busyStatements()) ?? ["unknown"] } ?? [] }
        do {
            return try body()
        } catch {
            errors.append(error)
            return nil
        }
    }

    /// - Returns: the errors that it reported.
    mutating func use(_ folder: String) -> [StoreError] {
        let test = test
        let opened = ask { () throws(StoreError) in
            try Store.open(
                at: folder,
                identity: test.me,
                newReplica: test.otherReplica,
                profile: ProfileRecord(name: "Ada"),
                isSameCopy: { _ in true }
            )
        }
        guard let store = opened else { return errors }
        self.store = store
        defer { store.close() }
        ask { () throws(StoreError) in try store.snapshot() }
        ask { () throws(StoreError) in try store.conversations() }
        ask { () throws(StoreError) in try store.filesNamed() }
        ask { () throws(StoreError) in try store.messagesWithFiles(limit: 20) }
        ask { () throws(StoreError) in try store.usage() }
        ask { () throws(StoreError) in try store.search(SearchRequest(terms: [], limit: 50, at: 0)) }
        for conversation in scenario.conversations { read(conversation.id, store) }
        for writer in scenario.writers { read(writer, store) }
        ask { () throws(StoreError) in try store.beginEpoch() }
        write(store)
        ask { () throws(StoreError) in try store.rebuildProjections() }
        ask { () throws(StoreError) in try store.maintain() }
        ask { () throws(StoreError) in try store.snapshot() }
        return errors
    }

    private mutating func read(_ conversation: ConversationID, _ store: Store) {
        let logs = Set(scenario.writers.map(\.log))
        ask { () throws(StoreError) in try store.messageCount(in: conversation) }
        ask { () throws(StoreError) in try store.firstUnread(in: conversation) }
        ask { () throws(StoreError) in try store.newestMessage(byOwner: false, in: [conversation], at: 0) }
        ask { () throws(StoreError) in try store.newestWithdrawn(in: [conversation], at: 0) }
        ask { () throws(StoreError) in try store.page(of: conversation, after: nil, limit: 20) }
        ask { () throws(StoreError) in try store.waitingMessages(of: logs, in: conversation) }
        let lines = ask { () throws(StoreError) in try store.history(conversation, limit: 200) } ?? []
        for line in lines.suffix(20) {
            ask { () throws(StoreError) in try store.page(of: conversation, around: line.id, limit: 5) }
            ask { () throws(StoreError) in try store.positions(through: line.id, in: conversation) }
            ask { () throws(StoreError) in try store.source(of: line.reference, in: conversation) }
            ask { () throws(StoreError) in try store.versions(of: line.reference, in: conversation) }
            ask { () throws(StoreError) in try store.findMessages(idPrefix: String(line.id.text.prefix(8))) }
        }
    }

    private mutating func read(_ writer: LogWriter, _ store: Store) {
        let (conversation, log) = (writer.conversation, writer.log)
        let request = ReadRequest(conversation: conversation, log: log, from: 1, through: .max, byteLimit: 1 << 20)
        ask { () throws(StoreError) in try store.events(request) }
        ask { () throws(StoreError) in try store.ownMessages(conversation, log: log, after: 0, limit: 50) }
        ask { () throws(StoreError) in try store.waitingCounts(conversation, log: log, after: [0, 2]) }
        ask { () throws(StoreError) in try store.ownChanges(conversation, log: log, after: 0, limit: 50) }
    }

    /// Continues the logs.
    private mutating func write(_ store: Store) {
        for var writer in scenario.writers {
            var batch = PersistBatch(id: BatchID(2))
            batch.events = [writer.say("after the damage")]
            if let last = writer.reference(to: UInt64(writer.events.count - 1)) {
                batch.events.append(writer.edit(last, "edited", after: [last]))
            }
            ask { () throws(StoreError) in try store.persist(batch) }
        }
    }
}

extension Store {
    /// The statements that are among their rows, of the connection that writes and of the one that a single reader uses.
    func busyStatements() throws -> [String] {
        try pool.unsafeRead { $0.busyStatements } + pool.writeWithoutTransaction { $0.busyStatements }
    }
}

extension Database {
    var busyStatements: [String] {
        var found: [String] = []
        var next = sqlite3_next_stmt(sqliteConnection, nil)
        while let statement = next {
            if sqlite3_stmt_busy(statement) != 0 { found.append(String(cString: sqlite3_sql(statement))) }
            next = sqlite3_next_stmt(sqliteConnection, statement)
        }
        return found
    }
}
