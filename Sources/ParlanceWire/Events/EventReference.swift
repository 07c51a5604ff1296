/// One event of another log, by position and hash, so that it is found by its place and proven by its hash.
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
