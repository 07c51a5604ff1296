import CParlanceSystem

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

extension LocalClock {
    /// The system's clock and the zone of `TZ` or the machine.
    package static func system() -> LocalClock {
        tzset()
        var moment = timespec()
        clock_gettime(CLOCK_REALTIME, &moment)
        let now = ControlTime(milliseconds: Int64(moment.tv_sec) * 1000 + Int64(moment.tv_nsec) / 1_000_000)
        return LocalClock(now: now) { time in
            var seconds = time_t(time.milliseconds / 1000)
            var parts = tm()
            return localtime_r(&seconds, &parts) == nil ? 0 : Int64(parts.tm_gmtoff)
        }
    }
}
