import ParlanceCore

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

// Days in the time zone of the machine, or of `TZ`.
extension CivilDay {
    /// The day at a moment, in milliseconds since 1970; the first day of 1970 if the moment has none.
    init(at moment: Int64) {
        var seconds = time_t(moment / 1000)
        var parts = tm()
        localtime_r(&seconds, &parts)
        let day = CivilDay(year: Int(parts.tm_year) + 1900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday))
        self = day ?? .first
    }

    /// Its last moment, in milliseconds since 1970. 36 hours after its beginning the next day has begun and lasts, also when
    /// the clocks are changed.
    var end: Int64 { CivilDay(at: start + 36 * 3_600_000).start - 1 }

    /// Its first moment, in milliseconds since 1970. A day that begins at one o'clock, since the clocks were put forward at
    /// midnight, begins then.
    var start: Int64 {
        var parts = tm()
        (parts.tm_year, parts.tm_mon, parts.tm_mday) = (Int32(year - 1900), Int32(month - 1), Int32(day))
        parts.tm_isdst = -1
        return Int64(mktime(&parts)) * 1000
    }
}
