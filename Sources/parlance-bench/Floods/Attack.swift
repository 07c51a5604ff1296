import Foundation

/// A flood of a daemon, and its effect on a friend of that daemon.
struct Attack {
    /// How long the friend writes before and after the flood.
    private static let calmSeconds = 3

    let flood: any Flooding
    let target: Target
    let seconds: Int
    /// The attacked process, whose memory is measured.
    let process: pid_t?
    /// Writes to the attacked daemon.
    let friend: MessageWriter?

    /// - Parameter meanwhile: called when the flood begins.
    func measure(meanwhile: () throws -> Void = {}) throws -> [String: Double] {
        let limit = Self.raiseDescriptorLimit()
        defer { Self.setDescriptorLimit(limit) }
        var values: [String: Double] = [:]
        values["before_p99_ms"] = try latencies(for: Self.calmSeconds)?.percentile(99)
        let memory = process.flatMap(ProcessFiles.residentMegabytes)
        let spent = try process.map { try ProcessCounters($0) }
        flood.start()
        try meanwhile()
        if let during = try latencies(for: seconds) {
            values["p50_ms"] = during.percentile(50)
            values["p99_ms"] = during.percentile(99)
            values["messages"] = Double(during.count)
        } else {
            poll(nil, 0, Int32(seconds * 1000))
        }
        let grown = process.flatMap(ProcessFiles.residentMegabytes)
        if let process, let spent {
            let cost = try ProcessCounters(process).since(spent)
            values["processor_share"] = cost.processorMicroseconds / 1e6 / Double(seconds)
            values["disk_mb"] = cost.diskBytes / 1e6
        }
        let figures = try flood.stop()
        values["recovery_s"] = try Probe.secondsUntilAnswered(target.fromAnywhere)
        values["after_p99_ms"] = try latencies(for: Self.calmSeconds)?.percentile(99)
        if let memory, let grown { values["memory_growth_mb"] = grown - memory }
        values["started"] = Double(figures.started)
        values["refused"] = Double(figures.refused)
        values["closed"] = Double(figures.closed)
        if figures.sent > 0 { values["sent"] = Double(figures.sent) }
        guard flood.connections > 0 else { return values }
        try check(figures)
        if flood.connections > 1 { values["held_most"] = Double(figures.heldMost) }
        values["handshakes"] = Double(figures.answered)
        values["handshakes_per_second"] = Double(figures.answered) / Double(seconds)
        return values
    }

    /// What nobody notices is no attack, and its figures mean nothing.
    private func check(_ figures: Flood.Figures) throws {
        let counts = "\(figures.started) connections were started and \(figures.refused) refused"
        guard figures.heldMost > 0 else { throw BenchError("the flood did not reach the daemon: \(counts)") }
        guard figures.answered > 0 || !flood.isAnswered else {
            throw BenchError("the daemon answered no handshake of the flood: \(counts)")
        }
    }

    /// The friend's milliseconds from each request to delivered, sorted; `nil` without a friend.
    private func latencies(for seconds: Int) throws -> [Double]? {
        guard let friend else { return nil }
        let began = ContinuousClock.now
        var milliseconds: [Double] = []
        while began.duration(to: .now) < .seconds(seconds) {
            milliseconds.append(try friend.deliverOne(milliseconds.count, size: 20))
        }
        return milliseconds.sorted()
    }

    /// Every connection takes a descriptor.
    ///
    /// - Returns: the limit before.
    private static func raiseDescriptorLimit() -> rlimit {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        setDescriptorLimit(rlimit(rlim_cur: limit.rlim_max, rlim_max: limit.rlim_max))
        return limit
    }

    private static func setDescriptorLimit(_ limit: rlimit) {
        var limit = limit
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
