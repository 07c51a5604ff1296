import ParlanceWire

/// Where a run is kept (events.md, "Forks").
enum RunPlacement: Equatable {
    case log(LogID)
    /// In an unknown branch of a log that is known to be forked.
    case newBranch(Split)
    /// It shows that known branches fork from this log: take that, and the peer sends the run again.
    case moves(Split)
    /// The peer does not know of the fork: tell it, and it sends the run again.
    case peerLacksFork
    /// Not decidable yet, or the run is not kept.
    case nowhere
}
