/// One event of another log, by position and hash: the position finds it, and the hash proves it.
package struct EventReference: Hashable, Sendable {
    package let log: LogID
    package let sequence: UInt64
    package let id: EventID

    package init(log: LogID, sequence: UInt64, id: EventID) {
        self.log = log
        self.sequence = sequence
        self.id = id
    }
}
