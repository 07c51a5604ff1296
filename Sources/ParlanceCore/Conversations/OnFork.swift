import ParlanceWire

/// What follows from the proof of a fork (sync.md, "Fork").
enum OnFork: Equatable {
    /// It says nothing new, or is about another log than the one held here.
    case nothing
    /// Our own events around the place have to be read first.
    case read(ReadRequest)
    /// What is being written is not read yet.
    case wait
    case parts(Split)
    case broken(Breach)
}
