import ParlanceCore
import ParlanceWire

/// Some logs in two conversations, written at random: texts, withdrawals, dependencies across logs, and what only a
/// hostile or newer author writes.
struct Scenario {
    let conversations: [ConversationRecord]
    private(set) var writers: [LogWriter]

    init(me: LogID, _ random: inout SplitMix, events count: Int) {
        let peers = (0..<2).map { _ in PeerID(value: random.bytes32()) }
        conversations = peers.map {
            ConversationRecord(id: ConversationID(direct: me.author, $0), kind: .direct($0))
        }
        writers = []
        for (conversation, peer) in zip(conversations, peers) {
            // Two replicas of the peer's, one of one's own and an older one of one's own.
            let logs = [
                me, LogID(author: me.author, replica: random.replica()), LogID(author: peer, replica: random.replica()),
                LogID(author: peer, replica: random.replica()),
            ]
            writers += logs.map { LogWriter(conversation.id, $0, time: UInt64.random(in: 1...1 << 40, using: &random)) }
        }
        for _ in 0..<count { write(&random) }
    }

    private mutating func write(_ random: inout SplitMix) {
        let index = Int.random(in: 0..<writers.count, using: &random)
        let after = dependencies(for: index, &random)
        let number = writers[index].events.count
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<60: writers[index].say("text \(index) \(number)", after: after, signed: random.chance(70))
        case 60..<72:
            let target = UInt64.random(in: 0...UInt64(number) + 1, using: &random)
            writers[index].withdraw(target, after: after)
        case 72..<80: writers[index].append(.message, body: nil, after: after)
        case 80..<85: writers[index].append(.link, body: [], after: after, signed: false)
        case 85..<88: writers[index].append(.unknown(77), body: [1, 2, 3], after: after)
        case 88..<91: writers[index].say("  \n ", after: after)
        case 91..<94: writers[index].append(.message, body: [0xFF, 0xFF], after: after)
        case 94..<96: writers[index].append(.withdraw, body: nil, after: after)
        default:
            // A time that is not above its predecessor's: void.
            var body = WireMessageBody()
            body.text = "void"
            writers[index].append(.message, body: body.encodedBytes(), after: after, advance: 0)
        }
    }

    private func dependencies(for index: Int, _ random: inout SplitMix) -> [EventReference] {
        guard random.chance(40) else { return [] }
        let others = writers.indices.filter { $0 != index && writers[$0].conversation == writers[index].conversation }
        var found: [EventReference] = []
        for other in others where random.chance(50) {
            let held = UInt64(writers[other].events.count)
            guard held > 0 else { continue }
            let sequence = random.chance(50) ? held : UInt64.random(in: 1...held, using: &random)
            if let reference = writers[other].reference(to: sequence) { found.append(reference) }
        }
        if random.chance(1), let last = found.popLast() {
            // Names an event that is not the one at that place, or a log nobody has.
            let log = random.chance(50) ? last.log : LogID(author: last.log.author, replica: random.replica())
            found.append(EventReference(log: log, sequence: last.sequence, id: EventID(value: random.bytes32())))
        }
        return found
    }

    /// All events, each log in its order, the logs mixed at random.
    func shuffled(_ random: inout SplitMix) -> [StoredEvent] {
        var rest = writers.map { $0.events[...] }
        var mixed: [StoredEvent] = []
        while true {
            let open = rest.indices.filter { !rest[$0].isEmpty }
            guard let index = open.randomElement(using: &random) else { return mixed }
            // In runs, so that sometimes a log comes whole before what it depends on.
            for _ in 0..<Int.random(in: 1...12, using: &random) {
                guard let event = rest[index].popFirst() else { break }
                mixed.append(event)
            }
        }
    }
}
