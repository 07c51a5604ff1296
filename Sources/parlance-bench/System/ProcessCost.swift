/// The cost of some work to a process. Unlike elapsed time, it depends little on the machine's other work.
struct ProcessCost {
    var processorMicroseconds = 0.0
    /// Voluntary context switches: times that a thread waited.
    var switches = 0.0
    /// Calls of `write`, `pwrite` and `writev`, to files and sockets; `send` and `sendmsg` are not counted.
    var writeCalls = 0.0
    /// Bytes passed to those calls.
    var handedBytes = 0.0
    /// Bytes written to disk, counted as dirtied pages.
    var diskBytes = 0.0

    /// Each value with its name in the results.
    var named: [(name: String, value: Double)] {
        [
            ("processor_us", processorMicroseconds), ("switches", switches), ("write_calls", writeCalls),
            ("write_call_bytes", handedBytes), ("disk_bytes", diskBytes),
        ]
    }
}
