import ParlanceWire

/// A request for what another member holds of a log that it did not write.
struct Want: Equatable, Sendable {
    var link: LinkID
    /// What that member said it holds.
    var through: UInt64
    /// When it was asked, or something of it came last.
    var lastProgress: Int64
}
