import ParlanceWire

// Failed reads of the store on behalf of a link.
extension Links {
    /// Keeps a read until it is repeated. Closes the link if too many fail: the next link serves what they were for.
    mutating func readFailed(_ failed: FailedRead, on id: LinkID, _ turn: inout Turn) {
        guard self[id]?.closing == false else { return }
        guard change(id, { $0.keep(failed) }) == true else { return close(id, .unspecified, &turn) }
        turn.deadlines.advance(.reread(id), to: turn.now.monotonic + Limits.rereadMilliseconds)
    }

    /// Removes and returns the failed reads of a link, to repeat them now.
    mutating func takeFailedReads(on id: LinkID) -> [FailedRead] { change(id) { $0.takeFailedReads() } ?? [] }
}
