package import ParlanceWire

extension WireFrame {
    /// How much work a frame of a peer is for this node, from what is in it and never from the time that it takes: in
    /// bytes of text that are as much work (sync.md, "One peer's flood").
    ///
    /// - Parameter bytes: its size on the wire.
    package func cost(bytes: Int) -> Int { min(bytes + parts, FrameCost.most) }

    private var parts: Int {
        switch kind {
        case .events(let run): run.events.count * FrameCost.event
        case .invite(let invite): invite.events.count * FrameCost.signature
        case .fork(let fork): fork.branches.reduce(0) { $0 + $1.events.count } * FrameCost.event
        case .watermarks(let marks): marks.entries.count * FrameCost.signature
        case .hello(let hello): hello.invitation.isEmpty ? FrameCost.entry : FrameCost.signature
        case .charterEvents(let charter): charter.cost
        case .addresses(let addresses): addresses.entries.count * FrameCost.signature
        case .bodies(let bodies): bodies.entries.count * FrameCost.event
        case .want, .fileAsk, .pictureWanted: FrameCost.read
        case .bodiesWanted(let wanted): wanted.sequences.count * FrameCost.read
        case .fileWant(let want): Int(min(want.count, UInt32(Limits.pieceWindow))) * FrameCost.read
        case .deposit, .handOver, .picture, .prekeys: FrameCost.signature
        case .summary(let summary): summary.entries.count * FrameCost.entry
        case .clock(let clock): clock.entries.count * FrameCost.entry
        case .have(let have): have.entries.count * FrameCost.entry
        default: FrameCost.entry
        }
    }
}

extension WireCharterEvents {
    /// With the last of a part the charter is evaluated anew: 11 ms for 1,000 events, and half a second for as many as may be.
    fileprivate var cost: Int {
        guard !events.isEmpty else { return FrameCost.entry }
        return more && !waits ? events.count * FrameCost.signature : FrameCost.most
    }
}

/// What parts of a frame cost besides their bytes. A byte of a text takes some 20 ns from the socket to the store.
private enum FrameCost {
    /// The most that a frame counts: entries beyond what a frame may have are refused before they are looked at.
    static let most = 1_024 * 1_024
    /// To verify an Ed25519 signature takes some 60 µs.
    static let signature = 4_096
    /// To hash, order and store an event takes some 30 µs.
    static let event = 2_048
    /// A read of the store or of a file, with its answer.
    static let read = 4_096
    /// To compare an entry of a clock takes about a microsecond; so does looking at a frame.
    static let entry = 64
}
