import ParlanceRecords
import ParlanceWire

// Restoring what the store knows at the start.
extension Conversations {
    init(_ snapshot: EngineSnapshot, _ turn: inout Turn) {
        self.init(snapshot.conversations)
        for record in snapshot.logs { change(record.conversation) { $0.restore(record) } }
        for id in ids where self[id]?.held(of: turn.own.log) == .start { change(id) { $0.beginNaming() } }
        for record in snapshot.watermarks { change(record.key.conversation) { $0.marks.restore(record) } }
        restoreGroups(snapshot)
        restoreWaiting(&turn)
        restoreReceipts(turn.own)
    }

    private mutating func restoreGroups(_ snapshot: EngineSnapshot) {
        var held: [ConversationID: [StoredEvent]] = [:]
        for event in snapshot.membership { held[event.header.conversation, default: []].append(event) }
        for (id, events) in held { changeMembers(id) { $0.group?.restore(events) } }
        applied(snapshot.appliedChanges)
        for branch in snapshot.branches { change(branch.conversation) { $0.restore(branch) } }
        for label in snapshot.labels { change(label.conversation) { $0.group?.show(label) } }
        for terms in snapshot.lifetimes { change(terms.conversation) { $0.show(terms) } }
        for row in snapshot.recipients { change(row.conversation) { $0.group?.restore(row) } }
    }
}
