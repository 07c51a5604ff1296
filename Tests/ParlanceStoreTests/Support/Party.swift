import Foundation
import ParlanceCore
import ParlanceHistory
import ParlanceRecords
import ParlanceStore
import ParlanceWire

/// A store with one group: its owner, Ada, has created it, and Bob and Eve are members.
struct Party {
    let test: TestStore
    let group: ConversationID
    var ada: LogWriter
    var bob: LogWriter
    var eve: LogWriter
    /// A member only if a test adds him.
    var zoe: LogWriter
    let creation: StoredEvent

    init(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        test = try TestStore(&random)
        let bobsLog = LogID(author: PeerID(value: random.bytes32()), replica: random.replica())
        let evesLog = LogID(author: PeerID(value: random.bytes32()), replica: random.replica())
        let body = LogWriter.creation("Party", nonce: random.bytes(16), members: [bobsLog.author, evesLog.author])
        group = ConversationID(creator: test.me, creation: body)
        ada = LogWriter(group, test.log)
        bob = LogWriter(group, bobsLog)
        eve = LogWriter(group, evesLog)
        zoe = LogWriter(group, LogID(author: PeerID(value: random.bytes32()), replica: random.replica()))
        creation = ada.create(body)
        var batch = PersistBatch(id: BatchID(1))
        batch.conversations = [ConversationRecord(id: group, kind: .group)]
        _ = try test.store.persist(batch)
    }

    func history() throws -> [ShownMessage] { try test.store.history(group, limit: 1000) }

    /// The lines that people see.
    func lines() throws -> [String] { try history().map(\.line) }

    func message(_ event: StoredEvent) throws -> ShownMessage? {
        try test.store.message(event.reference, in: group)
    }

    var summary: ConversationSummary? { get throws { try test.store.conversations().first { $0.record.id == group } } }

    func fill(_ events: [StoredEvent]) throws -> PersistReceipt {
        var batch = PersistBatch(id: BatchID(3))
        batch.bodies = events.compactMap(\.found)
        return try test.store.persist(batch)
    }
}

extension ShownMessage {
    /// The line without the names of people.
    var line: String {
        switch content {
        case .text(let text): text
        case .note(let note):
            switch note {
            case .created(let title, _): "* created \(title)"
            case .renamed(let title): "* title \(title)"
            case .topic(let topic): "* topic \(topic)"
            case .lifetime(let seconds): "* lifetime \(seconds)"
            case .added: "* added"
            case .forked: "* forked"
            case .removed: "* removed"
            case .left: "* left"
            case .appointed: "* appointed"
            case .dismissed: "* dismissed"
            }
        case .rich(let rich):
            if rich.deletion != nil {
                "(deleted)"
            } else {
                ([rich.text] + rich.reactions.map { "\($0.emoji)\($0.members.count)" }).joined(separator: " ")
            }
        }
    }
}
