import ParlanceWire

/// The result of examining the proof of a fork (sync.md, "Fork").
enum ForkOutcome: Equatable {
    /// The proof says nothing new, or cannot be used at present.
    case nothing
    /// Our own events around the split have to be read first.
    case read(ReadRequest)
    /// Events that are still being written cannot be read yet: judge the proof later.
    case wait
    /// Our own events around the split are held, and the store did not give them.
    case unread
    case parts(Split)
}
