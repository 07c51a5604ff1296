package import ParlanceWire

extension WireFrame {
    /// How much work a frame of a peer is for this node, from what is in it and never from the time that it takes: in
    /// bytes of text that are as much work (sync.md, "One peer's flood").
    ///
    /// - Parameter bytes: its size on the wire.
    package func cost(bytes: Int) -> Int {
        switch kind {
        case .events(let run): bytes + run.events.count * FrameCost.event
        case .invite(let invite): bytes + invite.events.count * FrameCost.signature
        case .fork(let fork): bytes + fork.branches.reduce(0) { $0 + $1.events.count } * FrameCost.event
        case .watermarks(let marks): bytes + marks.entries.count * FrameCost.signature
        case .addresses(let addresses): bytes + addresses.entries.count * FrameCost.signature
        case .bodies(let bodies): bytes + bodies.entries.count * FrameCost.event
        case .bodiesWanted(let wanted): bytes + wanted.sequences.count * FrameCost.read
        case .fileWant(let want): bytes + Int(min(want.count, UInt32(Limits.pieceWindow))) * FrameCost.read
        case .deposit, .handOver, .picture, .prekeys: bytes + FrameCost.signature
        case .summary(let summary): bytes + summary.entries.count * FrameCost.entry
        case .clock(let clock): bytes + clock.entries.count * FrameCost.entry
        case .have(let have): bytes + have.entries.count * FrameCost.entry
        default: bytes + FrameCost.entry
        }
    }
}

/// What parts of a frame cost besides their bytes. A byte of a text takes some 20 ns from the socket to the store.
private enum FrameCost {
    /// To verify an Ed25519 signature takes some 60 µs.
    static let signature = 4_096
    /// To hash, order and store an event takes some 30 µs.
    static let event = 2_048
    /// A read of the store or of a file, with its answer.
    static let read = 4_096
    /// To compare an entry of a clock takes about a microsecond; so does looking at a frame.
    static let entry = 64
}
