import ParlanceRecords
import ParlanceWire

/// How far the logs of one conversation have been sent on one link, and what the peer has not acknowledged.
///
/// It owns a cursor for each log, the runs on their way and their sizes. Invariant: `bytes` is the sum of the runs on
/// their way.
struct SendWindow: Equatable, Sendable {
    /// Bytes of events that were sent and not acknowledged.
    private(set) var bytes = 0
    private var cursors: SortedTable<LogID, Cursor> = [:]
    /// Logs of other authors that the peer requested, with the last sequence to send.
    private var serving: SortedTable<LogID, UInt64> = [:]

    private struct Cursor: Equatable, Sendable {
        /// The last sequence that was sent, or that the peer is known to hold.
        var sent: UInt64
        /// Runs that were sent and not acknowledged.
        var onTheWay: [Run] = []
        /// The pending read of the events after `sent`.
        var reading: ReadID?
        /// When the peer last requested the log, in monotonic milliseconds.
        var asked: Int64?

        var bytes: Int { onTheWay.reduce(0) { $0 + $1.bytes } }
    }

    private struct Run: Equatable, Sendable {
        var through: UInt64
        var bytes: Int
    }

    /// The last sequence of a log that was sent; `nil` if none was.
    func sentThrough(_ log: LogID) -> UInt64? { cursors[log]?.sent }

    func isReading(_ log: LogID) -> Bool { cursors[log]?.reading != nil }

    // Reading and sending.

    /// A read of a log was started, from the event after `sequence`.
    mutating func begin(_ read: ReadID, of log: LogID, after sequence: UInt64) {
        cursors[log, default: Cursor(sent: sequence)].reading = read
    }

    /// Ends a read, whether it succeeded or must be repeated.
    ///
    /// - Returns: whether it was still awaited: the peer may have requested another position meanwhile.
    mutating func end(_ read: ReadID, of log: LogID) -> Bool {
        guard cursors[log]?.reading == read else { return false }
        cursors[log]?.reading = nil
        return true
    }

    mutating func sent(_ log: LogID, through sequence: UInt64, bytes count: Int) {
        invariant(sequence > cursors[log]?.sent ?? 0, "a run continues what was sent")
        invariant(count > 0, "a run has bytes")
        defer { check() }
        cursors[log, default: Cursor(sent: sequence)].sent = sequence
        cursors[log, default: Cursor(sent: sequence)].onTheWay.append(Run(through: sequence, bytes: count))
        bytes += count
    }

    /// The peer holds a log through a sequence. The runs on their way are not sorted: a peer that requested events
    /// again was sent them after later ones.
    mutating func acknowledged(_ log: LogID, through sequence: UInt64) {
        guard let cursor = cursors[log], cursor.onTheWay.contains(where: { $0.through <= sequence }) else { return }
        defer { check() }
        let rest = cursor.onTheWay.filter { $0.through > sequence }
        cursors[log]?.onTheWay = rest
        bytes -= cursor.bytes - rest.reduce(0) { $0 + $1.bytes }
    }

    /// The peer takes no more of what somebody writes, and will acknowledge nothing of it that is on its way. What was sent
    /// still counts as sent: the peer may have taken some of it before. What it requested is not sent.
    mutating func release(_ author: PeerID) {
        defer { check() }
        for log in cursors.keys where log.author == author {
            bytes -= cursors[log]?.bytes ?? 0
            cursors[log]?.onTheWay = []
            cursors[log]?.reading = nil
        }
        for log in serving.keys where log.author == author { serving[log] = nil }
    }

    // What the peer requests.

    /// The peer requests a log from the event after `sequence`.
    ///
    /// What was sent before still counts against the window, so a repeated request gains nothing. If the peer has
    /// waited for `Limits.healPatienceMilliseconds` before it asks again, it could not use what was sent and will not
    /// acknowledge it, so that no longer counts.
    ///
    /// - Parameter openedAt: when the link was opened. The patience starts then if the peer has not asked before.
    mutating func restart(_ log: LogID, after sequence: UInt64, at now: Int64, openedAt: Int64) {
        defer { check() }
        var onTheWay = cursors[log]?.onTheWay ?? []
        if now - (cursors[log]?.asked ?? openedAt) >= Limits.healPatienceMilliseconds {
            bytes -= cursors[log]?.bytes ?? 0
            onTheWay = []
        }
        cursors[log] = Cursor(sent: sequence, onTheWay: onTheWay, asked: now)
    }

    /// Sends another author's log through a sequence at the peer's request.
    mutating func serve(_ log: LogID, through sequence: UInt64) {
        serving[log] = sequence
    }

    /// The logs of other authors that the peer requested and that are not sent yet, in order, with the last sequence to
    /// send.
    var served: [(log: LogID, through: UInt64)] { serving.map { ($0.key, $0.value) } }

    /// Everything that the peer requested of a log was sent.
    mutating func served(_ log: LogID) {
        serving[log] = nil
    }

    /// Drops what is on its way of a log.
    mutating func forget(_ log: LogID) {
        defer { check() }
        bytes -= cursors.removeValue(forKey: log)?.bytes ?? 0
        serving[log] = nil
    }

    private func check() {
        invariant(
            bytes == cursors.values.reduce(0) { $0 + $1.bytes },
            "the bytes of a window are the sum of the runs on their way"
        )
    }

    // Counts, for the census.

    var logCount: Int { cursors.count }
    var runCount: Int { cursors.values.reduce(0) { $0 + $1.onTheWay.count } }
}
