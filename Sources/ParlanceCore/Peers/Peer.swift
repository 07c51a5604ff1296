import ParlanceWire

/// Another identity, as the engine keeps it.
struct Peer: Equatable, Sendable {
    var record: PeerRecord
    /// Asked to talk since this node started, and it has not answered.
    var wasAsked = false

    init(_ record: PeerRecord) {
        self.record = record
    }

    var isAccepted: Bool { record.trust == .accepted || record.trust == .verified }
}
