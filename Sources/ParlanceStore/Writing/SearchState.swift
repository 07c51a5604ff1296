import ParlanceCore

/// What the writer remembers of the index for searching; `nil` means that it must be read.
final class SearchState {
    /// How far logs are in the index, by row.
    var indexed: [Int64: UInt64]?
    /// Events that are not in the index yet, or a few more.
    var pending: Int?
    /// The shards whose tables exist.
    var shards: Set<Int64>?
    /// Whether messages were taken in since nothing was due.
    var hasStepped = false
    /// Whether shards hold words of texts that are gone.
    var mayPurge = true

    func forget() {
        (indexed, pending, shards, mayPurge) = (nil, nil, nil, true)
    }

    func note(events count: Int) {
        if let pending { self.pending = pending + count }
    }

    func advance(_ log: Int64, to sequence: UInt64) {
        indexed?[log] = sequence
    }
}
