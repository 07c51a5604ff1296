import ParlanceWire

/// How much is fetched in an hour without being asked for, so that somebody who was accepted cannot fill the disk.
struct AutoFetchBudget: Equatable, Sendable {
    /// When the present hour began.
    private var since: Int64?
    private var bytes: UInt64 = 0

    private static let hour: Int64 = 3_600_000

    /// - Returns: whether a file of this size has room in the hour; then it counts.
    mutating func take(_ size: UInt64, at now: Int64) -> Bool {
        if since.map({ now - $0 >= Self.hour }) ?? true { (since, bytes) = (now, 0) }
        guard size <= Limits.autoFetchHourBytes, bytes <= Limits.autoFetchHourBytes - size else { return false }
        bytes += size
        return true
    }
}
