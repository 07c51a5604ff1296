import ParlanceWire

// What the store knows at start.
extension Conversations {
    init(_ snapshot: EngineSnapshot, _ turn: Turn) {
        self.init(snapshot.conversations)
        for record in snapshot.logs { self[record.conversation]?.restore(record) }
        for id in ids where self[id]?.held(of: turn.own.log) == .start { self[id]?.beginNaming() }
        for record in snapshot.watermarks { self[record.key.conversation]?.marks.restore(record) }
        restoreGroups(snapshot)
        restoreWaiting(at: turn.now.monotonic)
        restoreReceipts(turn.own)
    }

    private mutating func restoreGroups(_ snapshot: EngineSnapshot) {
        var held: [ConversationID: [StoredEvent]] = [:]
        for event in snapshot.membership { held[event.header.conversation, default: []].append(event) }
        for (id, events) in held { self[id]?.group?.restore(events) }
        applied(snapshot.appliedChanges)
        for branch in snapshot.branches { self[branch.conversation]?.restore(branch) }
        for label in snapshot.labels { self[label.conversation]?.group?.show(label) }
        for row in snapshot.recipients { self[row.conversation]?.group?.restore(row) }
    }
}
