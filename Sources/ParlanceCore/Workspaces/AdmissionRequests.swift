import ParlanceRecords
import ParlanceWire

/// Those who came with a key of the workspace and wait for an admin to let them in (charter.md, "Admission").
///
/// They are remembered for a day, so that an admin sees them though their links have ended.
struct AdmissionRequests: Equatable, Sendable {
    struct Request: Equatable, Sendable {
        /// The tag of the key with which the person came.
        var tag: UInt32?
        /// What the person says of an invitation; not verified yet.
        var proof: InvitationProof?
        /// When the person was last here, in monotonic milliseconds.
        var seen: Int64
    }

    private var waiting: SortedTable<PeerID, Request> = [:]

    /// In the order of their IDs.
    var peers: [PeerID] { Array(waiting.keys) }

    subscript(peer: PeerID) -> Request? { waiting[peer] }

    /// When the first of them is forgotten.
    var next: Int64? { waiting.values.map(\.seen).min().map { $0 + Limits.admissionRequestMilliseconds } }

    /// Somebody came, or came back.
    ///
    /// - Returns: who is forgotten because there are too many.
    mutating func came(_ peer: PeerID, _ request: Request) -> PeerID? {
        waiting[peer] = request
        guard waiting.count > Limits.admissionRequests else { return nil }
        let oldest = waiting.keys.filter { $0 != peer }.min { age($0) < age($1) }
        if let oldest { waiting[oldest] = nil }
        invariant(waiting.count <= Limits.admissionRequests, "not too many wait for an admin")
        invariant(waiting[peer] != nil, "whoever comes is not the one who is forgotten")
        return oldest
    }

    private func age(_ peer: PeerID) -> Int64 { waiting[peer]?.seen ?? 0 }

    /// Somebody was here until now.
    mutating func saw(_ peer: PeerID, at now: Int64) { waiting[peer]?.seen = now }

    mutating func remove(_ peer: PeerID) { waiting[peer] = nil }

    /// Forgets what somebody said of an invitation.
    mutating func dropProof(of peer: PeerID) { waiting[peer]?.proof = nil }

    /// Those who have not been here for a day.
    func due(at now: Int64) -> [PeerID] {
        peers.filter { age($0) + Limits.admissionRequestMilliseconds <= now }
    }
}
