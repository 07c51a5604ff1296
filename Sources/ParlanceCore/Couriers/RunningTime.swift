/// How long this node has run, over all its starts.
package struct RunningTime: Equatable, Sendable {
    /// In milliseconds, before this start.
    private let before: Int64
    /// The monotonic time of this start.
    private let start: Int64

    /// - Parameter before: what the store knows, in milliseconds.
    package init(before: Int64, at now: Instant) {
        self.before = before
        start = now.monotonic
    }

    /// In milliseconds.
    package func total(at now: Instant) -> Int64 { before + max(0, now.monotonic - start) }
}
