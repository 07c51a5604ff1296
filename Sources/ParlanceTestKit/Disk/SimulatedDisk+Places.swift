import ParlanceHistory
package import ParlanceRecords
package import ParlanceWire

// Where events are once logs have forked. The rules that ship say so (`ForkTree`, `MessageReader`).
extension SimulatedDisk {
    /// The branches of a log, and theirs.
    func branches(below key: LogKey) -> [LogID] {
        read(key.conversation) { try $0.branches(conversationRow: $1).below(key.log) } ?? []
    }

    /// The event at a position of a log, which may be in the log from which that forks.
    func event(at sequence: UInt64, of key: LogKey) -> StoredEvent? {
        read(key.conversation) { try MessageReader($0, conversation: $1).event(at: sequence, of: key.log) }
    }

    /// An event that is durable here, in the log that its header names or in a branch of that.
    package func event(_ id: EventID, at sequence: UInt64, named key: LogKey) -> StoredEvent? {
        let reference = EventReference(log: key.log, sequence: sequence, id: id)
        return read(key.conversation) { try MessageReader($0, conversation: $1).held(reference)?.event }
    }
}
