import ParlanceWire

/// A request to a member for events of a log that it did not write.
struct Want: Equatable, Sendable {
    var link: LinkID
    /// The last sequence that the member claimed to hold.
    var through: UInt64
    /// When it was asked or last sent events of the log, by the monotonic clock in milliseconds.
    var lastProgress: Int64
}
