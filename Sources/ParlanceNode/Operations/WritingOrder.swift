/// Compares what was written in several logs, which have no common order but the times of writing.
enum WritingOrder {
    /// When each entry of a log was written at the latest: a clock that was ahead told a time later than that of an entry
    /// after it.
    ///
    /// - Parameter times: the times of writing, in the order of the log.
    static func moments(of times: [Int64]) -> [Int64] {
        var earliest = Int64.max
        return times.reversed().map { time in
            earliest = min(earliest, time)
            return earliest
        }
        .reversed()
    }
}
