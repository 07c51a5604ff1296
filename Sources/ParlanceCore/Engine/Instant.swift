/// A moment, as read by the shell. The engine has no clock of its own.
package struct Instant: Equatable, Sendable {
    /// Milliseconds on a monotonic clock, for intervals and deadlines.
    package var monotonic: Int64
    /// Milliseconds since 1970 on the wall clock, for times that people see.
    package var wall: Int64

    package init(monotonic: Int64, wall: Int64) {
        self.monotonic = monotonic
        self.wall = wall
    }
}
