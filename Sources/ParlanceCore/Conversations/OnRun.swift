import ParlanceWire

/// Where a run is kept (events.md, "Forks").
enum OnRun: Equatable {
    case log(LogID)
    /// In a branch that was not known of a log that is known to part.
    case newBranch(Split)
    /// The peer does not know of the fork: it is told, and sends again.
    case peerLacksFork
    /// That cannot be said yet, or the run is not kept.
    case nowhere
    case broken(Breach)
}
