import Foundation
import ParlanceCore
import ParlanceStore
import ParlanceWire
import Testing

/// A disk returns other bytes than were written: the store reports that and never ends the program.
@Suite struct DamageTests {
    enum Damage: CaseIterable {
        case zeroes, noise, otherPage, fewBytes, cut
    }

    @Test(arguments: Damage.allCases) func aDamagedStoreIsAnErrorAtMost(damage: Damage) throws {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(seed: seed)
        let test = try TestStore(&random)
        let scenario = Scenario(me: test.log, &random, events: 300)
        var batch = PersistBatch(id: BatchID(1))
        batch.conversations = scenario.conversations
        batch.events = Array(scenario.shuffled(&random))
        batch.membership = scenario.invitation
        _ = try test.store.persist(batch)
        test.store.close()
        let file = URL(fileURLWithPath: test.folder + "/store.sqlite")
        let whole = try Data(contentsOf: file)
        var noticed = 0
        for round in 0..<20 {
            let folder = test.folder + "/copy"
            defer { try? FileManager.default.removeItem(atPath: folder) }
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try whole.damaged(by: damage, &random).write(to: URL(fileURLWithPath: folder + "/store.sqlite"))
            var damaged = DamagedStore(test, scenario)
            let errors = damaged.use(folder)
            noticed += errors.isEmpty ? 0 : 1
            for error in errors {
                let codes: [StoreError.Code] = [.fatal, .foreign, .otherIdentity, .newerSchema, .cannotOpen]
                #expect(codes.contains(error.code), "seed \(seed), round \(round): \(error)")
            }
        }
        #expect(damage == .fewBytes || noticed > 5, "seed \(seed): \(noticed) damages noticed")
    }
}

/// Asks a store every question and writes to it.
private struct DamagedStore {
    let test: TestStore
    let scenario: Scenario
    private(set) var errors: [StoreError] = []

    init(_ test: TestStore, _ scenario: Scenario) {
        (self.test, self.scenario) = (test, scenario)
    }

    @discardableResult
    private mutating func ask<Value>(_ body: () throws(StoreError) -> Value) -> Value? {
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
        defer { store.close() }
        ask { () throws(StoreError) in try store.snapshot() }
        ask { () throws(StoreError) in try store.conversations() }
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
        ask { () throws(StoreError) in try store.waitingMessages(of: logs, in: conversation) }
        let lines = ask { () throws(StoreError) in try store.history(conversation, limit: 200) } ?? []
        for line in lines.suffix(20) {
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

extension Data {
    /// The bytes that a damaged disk could return.
    fileprivate func damaged(by damage: DamageTests.Damage, _ random: inout SeededGenerator) -> Data {
        let page = 4096
        var bytes = self
        func place(_ random: inout SeededGenerator) -> Int { Int.random(in: 0..<count / page, using: &random) * page }
        for _ in 0..<Int.random(in: 1...3, using: &random) {
            // At least one in ten hits the first page, without which nothing opens.
            let start = random.chance(10) ? 0 : place(&random)
            switch damage {
            case .zeroes: bytes.resetBytes(in: start..<start + page)
            case .noise: bytes.replaceSubrange(start..<start + page, with: random.bytes(page))
            case .otherPage:
                let other = place(&random)
                bytes.replaceSubrange(start..<start + page, with: self[other..<other + page])
            case .fewBytes:
                for _ in 0..<Int.random(in: 1...16, using: &random) {
                    bytes[start + Int.random(in: 0..<page, using: &random)] = UInt8.random(in: 0...255, using: &random)
                }
            case .cut: bytes = bytes.prefix(Swift.max(page, start))
            }
        }
        return bytes
    }
}
