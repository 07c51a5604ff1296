import ParlanceWire

/// What a comparison of a run with our own events around it shows (events.md, "Forks").
enum OnComparison: Equatable {
    case nothing
    /// They part further back: the peer is asked for what follows this place.
    case partsBefore(UInt64)
    /// They part here. The events are those of the peer, in a branch of their own.
    case parts(Split, theirs: [StoredEvent], in: LogID)
    case broken(Breach)
}
