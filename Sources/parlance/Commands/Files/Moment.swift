#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// The time by which progress is measured.
enum Moment {
    /// Milliseconds of the monotonic clock.
    static var milliseconds: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000 + Int64(time.tv_nsec) / 1_000_000
    }
}
