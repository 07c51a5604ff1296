import Foundation

/// The system's counters of a process since its start.
struct ProcessCounters {
    private let processorSeconds: Double
    /// Voluntary context switches of each thread, which the system counts separately.
    private let switches: [String: Double]
    private let writeCalls: Double
    private let handedBytes: Double
    private let diskBytes: Double

    init(_ process: pid_t) throws {
        func io(_ name: String) throws -> Double {
            guard let value = ProcessFiles.number(in: "/proc/\(process)/io", after: name) else {
                throw BenchError("the system does not report \(name) of process \(process)")
            }
            return value
        }
        processorSeconds = try Self.processorSeconds(process)
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
        var switches: [String: Double] = [:]
        for task in tasks {
            let path = "/proc/\(process)/task/\(task)/status"
            switches[task] = ProcessFiles.number(in: path, after: "voluntary_ctxt_switches:")
        }
        self.switches = switches
        writeCalls = try io("syscw:")
        handedBytes = try io("wchar:")
        diskBytes = try io("write_bytes:")
    }

    /// The process's cost since an earlier reading.
    func since(_ before: ProcessCounters) -> ProcessCost {
        ProcessCost(
            processorMicroseconds: (processorSeconds - before.processorSeconds) * 1e6,
            switches: switches.reduce(0) { $0 + $1.value - (before.switches[$1.key] ?? 0) },
            writeCalls: writeCalls - before.writeCalls,
            handedBytes: handedBytes - before.handedBytes,
            diskBytes: diskBytes - before.diskBytes
        )
    }

    /// The processor time of all threads of a process.
    static func processorSeconds(_ process: pid_t) throws -> Double {
        var clock = clockid_t()
        var time = timespec()
        guard clock_getcpuclockid(process, &clock) == 0, clock_gettime(clock, &time) == 0 else {
            throw BenchError("the system does not report the processor time of process \(process)")
        }
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
