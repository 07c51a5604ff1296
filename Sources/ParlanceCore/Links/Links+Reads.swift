import ParlanceWire

// Reads of the store for a link that failed.
extension Links {
    /// Keeps a read until it is tried again. A link for which too many fail is closed: what they were for comes with the next.
    mutating func readFailed(_ failed: FailedRead, on id: LinkID, _ turn: inout Turn) {
        guard self[id]?.closing == false else { return }
        guard change(id, { $0.keep(failed) }) == true else { return close(id, .unspecified, &turn) }
        turn.deadlines.advance(.reread(id), to: turn.now.monotonic + Limits.rereadMilliseconds)
    }

    /// The reads of a link that are to be tried again now.
    mutating func takeFailedReads(on id: LinkID) -> [FailedRead] { change(id) { $0.takeFailedReads() } ?? [] }
}
