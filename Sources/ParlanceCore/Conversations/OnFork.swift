import ParlanceWire

/// What follows from the proof of a fork (sync.md, "Fork").
enum OnFork: Equatable {
    /// The proof says nothing new, or cannot be used at present.
    case nothing
    /// Our own events around the place have to be read first.
    case read(ReadRequest)
    /// Events that are still being written cannot be read yet: judge the proof later.
    case wait
    case parts(Split)
    case broken(Breach)
}
