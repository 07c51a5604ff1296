import ParlanceRecords
import ParlanceWire

/// The result of comparing a run with our own events around it (events.md, "Forks").
enum BranchComparison: Equatable {
    case nothing
    /// The branches split further back: request what follows this sequence.
    case partsBefore(UInt64)
    /// The branches split here. The events are the peer's, for a branch of their own.
    case parts(Split, theirs: [StoredEvent], in: LogID)
}
