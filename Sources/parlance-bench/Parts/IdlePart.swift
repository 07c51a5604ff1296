import Foundation

/// Memory and processor time of a daemon that only keeps its link alive.
enum IdlePart: Part {
    static let name = "idle"
    static let about = "memory and processor of a daemon that has nothing to do"

    /// The work of starting is not counted, nor that of taking into the index for searching what other parts wrote; both
    /// are expected to end within this many seconds.
    private static let settlingSeconds = 300
    /// A daemon that uses less processor time than this in a second has finished starting.
    private static let quietSeconds = 0.02
    /// Seconds of such a look: longer than the daemon waits before it looks at the index.
    private static let lookSeconds = 5

    static func measure(_ bench: Bench) throws {
        let nodes = try bench.nodes()
        try nodes.ada.stop()
        try nodes.startAda()
        let process = try nodes.ada.pid
        let seconds = bench.amounts.idleSeconds
        Progress.note("Idle for \(seconds) s")
        try settle(process)
        let used = try processorSeconds(of: process, during: seconds)
        bench.results.add("idle_cpu_percent", used / Double(seconds) * 100)
        bench.results.add("idle_rss_mb", ProcessFiles.residentMegabytes(process))
    }

    /// Waits until a daemon has nothing to do.
    static func settle(_ process: pid_t) throws {
        var settling = 0
        while settling < settlingSeconds,
            try processorSeconds(of: process, during: lookSeconds) >= quietSeconds * Double(lookSeconds)
        {
            settling += lookSeconds
        }
    }

    private static func processorSeconds(of process: pid_t, during seconds: Int) throws -> Double {
        let before = try ProcessCounters.processorSeconds(process)
        poll(nil, 0, Int32(seconds * 1000))
        return try ProcessCounters.processorSeconds(process) - before
    }
}
