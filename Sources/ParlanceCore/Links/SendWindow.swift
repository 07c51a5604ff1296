import ParlanceWire

/// How far the logs of one conversation have been sent over one link, and what of that the peer has not acknowledged.
///
/// It owns a cursor for each log, the runs on the way and their bytes. `bytes` is always the sum of the runs on the way,
/// whatever is sent, acknowledged, sent anew or forgotten.
struct SendWindow: Equatable, Sendable {
    /// Bytes of events that were sent and not acknowledged.
    private(set) var bytes = 0
    private var cursors: [LogID: Cursor] = [:]
    /// Logs that the peer asked for, and through where they are sent.
    private var serving: [LogID: UInt64] = [:]

    private struct Cursor: Equatable, Sendable {
        /// Through where events were sent, or are known to be there.
        var sent: UInt64
        /// Runs that were sent and not acknowledged.
        var onTheWay: [Run] = []
        /// The read of the store that goes on from `sent`, if there is one.
        var reading: ReadID?
        /// When the peer asked for the log last, in monotonic milliseconds.
        var asked: Int64?

        var bytes: Int { onTheWay.reduce(0) { $0 + $1.bytes } }
    }

    private struct Run: Equatable, Sendable {
        var through: UInt64
        var bytes: Int
    }

    /// Through where a log was sent; `nil` if nothing of it was.
    func sentThrough(_ log: LogID) -> UInt64? { cursors[log]?.sent }

    /// Whether more of a log is being read.
    func isReading(_ log: LogID) -> Bool { cursors[log]?.reading != nil }

    // Reading and sending.

    /// More of a log is being read, from the event after `sequence`.
    mutating func begin(_ read: ReadID, of log: LogID, after sequence: UInt64) {
        cursors[log, default: Cursor(sent: sequence)].reading = read
    }

    /// A read is over, or has to be made again.
    ///
    /// - Returns: whether it was still awaited: the peer may have asked for another place meanwhile.
    mutating func end(_ read: ReadID, of log: LogID) -> Bool {
        guard cursors[log]?.reading == read else { return false }
        cursors[log]?.reading = nil
        return true
    }

    /// A run of a log was sent.
    mutating func sent(_ log: LogID, through sequence: UInt64, bytes count: Int) {
        var cursor = cursors[log] ?? Cursor(sent: sequence)
        cursor.sent = sequence
        cursor.onTheWay.append(Run(through: sequence, bytes: count))
        cursors[log] = cursor
        bytes += count
    }

    /// The peer holds a log through a place. A peer that asked for earlier events has some behind later ones.
    mutating func acknowledged(_ log: LogID, through sequence: UInt64) {
        guard let cursor = cursors[log], cursor.onTheWay.contains(where: { $0.through <= sequence }) else { return }
        let rest = cursor.onTheWay.filter { $0.through > sequence }
        cursors[log]?.onTheWay = rest
        bytes -= cursor.bytes - rest.reduce(0) { $0 + $1.bytes }
    }

    // What the peer asks for.

    /// The peer asks for a log from the event after `sequence` on.
    ///
    /// What was sent before still counts against the window, so that asking again brings nothing sooner. But a peer that waits
    /// as long as `Limits.healPatienceMilliseconds` and asks again could do nothing with it, and will not acknowledge it.
    ///
    /// - Parameter openedAt: when the link opened: the patience begins there if the peer has not asked before.
    mutating func restart(_ log: LogID, after sequence: UInt64, at now: Int64, openedAt: Int64) {
        var onTheWay = cursors[log]?.onTheWay ?? []
        if now - (cursors[log]?.asked ?? openedAt) >= Limits.healPatienceMilliseconds {
            bytes -= cursors[log]?.bytes ?? 0
            onTheWay = []
        }
        cursors[log] = Cursor(sent: sequence, onTheWay: onTheWay, asked: now)
    }

    /// The log of another author is sent through a place, since the peer asked for it.
    mutating func serve(_ log: LogID, through sequence: UInt64) {
        serving[log] = sequence
    }

    /// The logs of other authors that the peer asked for and that are not sent yet, in order, and through where.
    var served: [(log: LogID, through: UInt64)] {
        serving.isEmpty ? [] : serving.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    }

    /// All that the peer asked for of a log was sent.
    mutating func served(_ log: LogID) {
        serving[log] = nil
    }

    /// Nothing of a log is on the way any more.
    mutating func forget(_ log: LogID) {
        bytes -= cursors.removeValue(forKey: log)?.bytes ?? 0
        serving[log] = nil
    }

    // Counts, for the census.

    var logCount: Int { cursors.count }
    var runCount: Int { cursors.values.reduce(0) { $0 + $1.onTheWay.count } }
}
