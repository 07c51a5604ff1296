import ParlanceCore
import ParlanceRecords
import ParlanceStore
import ParlanceWire

/// A store with one direct conversation, and a writer for each side.
struct Office {
    let test: TestStore
    let conversation: ConversationRecord
    var mine: LogWriter
    var theirs: LogWriter

    init(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        test = try TestStore(&random)
        let peer = PeerID(value: random.bytes32())
        conversation = ConversationRecord(id: ConversationID(direct: test.me, peer), kind: .direct(peer))
        mine = LogWriter(conversation.id, test.log)
        theirs = LogWriter(conversation.id, LogID(author: peer, replica: random.replica()))
        try test.persist(conversations: [conversation], [])
    }

    func texts(before: EventID? = nil, limit: Int = 10_000) throws -> [String] {
        try test.store.history(conversation.id, before: before, limit: limit).map(\.text)
    }
}
