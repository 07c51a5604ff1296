/// A moment, as the shell read it: the engine has no clock of its own.
package struct Instant: Equatable, Sendable {
    /// Milliseconds on a clock that only goes forward; intervals and deadlines are made of these.
    package var monotonic: Int64
    /// Milliseconds since 1970 on the wall clock; times that people see are made of these.
    package var wall: Int64

    package init(monotonic: Int64, wall: Int64) {
        self.monotonic = monotonic
        self.wall = wall
    }
}
