import Foundation

/// What this process has used so far.
struct Usage {
    let processorMicroseconds: Double
    let peakMegabytes: Double

    static var ofThisProcess: Usage {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        let seconds = Double(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec)
        return Usage(
            processorMicroseconds: seconds * 1e6 + Double(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec),
            peakMegabytes: Double(usage.ru_maxrss) / 1024
        )
    }
}
