import ParlanceCore
import ParlanceTestKit
import ParlanceWire

/// Counts what the engines of a world send, by kind of frame, and keeps what one of them has stored.
final class Traffic: WorldObserver {
    struct Tally {
        var frames = 0
        var bytes = 0

        static func += (tally: inout Tally, other: Tally) {
            tally.frames += other.frames
            tally.bytes += other.bytes
        }
    }

    /// Heartbeats are sent whether or not anybody writes, so they are not part of a message's cost.
    static let heartbeat = "heartbeat"
    /// The length, type and tag of a record, for each frame or each 8 KiB of one.
    private static let recordBytes = 2 + 1 + 16
    private static let recordPayload = 8 * 1024

    private(set) var sent: [String: Tally] = [:]
    /// What node 0 has on its disk, in the order of arrival.
    private(set) var batches: [PersistBatch] = []

    func reset() {
        sent = [:]
    }

    /// Drops what was kept of node 0's disk.
    func forget() {
        batches = []
    }

    /// Everything except heartbeats.
    var total: Tally {
        sent.reduce(into: Tally()) { total, entry in
            if entry.key != Self.heartbeat { total += entry.value }
        }
    }

    /// Frames and bytes of each kind, divided by a number of occurrences.
    func perKind(_ what: String, times: Double = 1) -> [String: Double] {
        var values: [String: Double] = [:]
        for (kind, tally) in sent {
            values["\(what).\(kind).frames"] = Double(tally.frames) / times
            values["\(what).\(kind).bytes"] = Double(tally.bytes) / times
        }
        return values
    }

    func decided(_ effect: Effect, _ node: Int) {
        guard case .send(_, let frame) = effect else { return }
        let stream = FrameSplitter.frame(frame.encodedBytes()).count
        let records = (stream + Self.recordPayload - 1) / Self.recordPayload
        let bytes = stream + records * Self.recordBytes
        sent[Self.name(of: frame), default: Tally()] += Tally(frames: 1, bytes: bytes)
    }

    func synced(_ batch: PersistBatch, _ node: Int) {
        if node == 0 { batches.append(batch) }
    }

    func started(_ node: Int) {}
    func ended(_ node: Int) {}
    func told(_ input: Input, _ node: Int) {}
    func happened(_ what: @autoclosure () -> String, kind: String) {}
    func violated(_ what: String) {}

    private static func name(of frame: WireFrame) -> String {
        switch frame.kind {
        case .heartbeat: heartbeat
        case .events: "events"
        case .have: "have"
        case .clock: "clock"
        case .summary: "summary"
        case .want: "want"
        case .watermarks: "watermarks"
        case .invite: "invite"
        case .hello, .bye: "hello"
        default: "other"
        }
    }
}
