import ParlanceWire

/// Pieces that a peer asked for and that the shelf is reading.
struct PieceRead: Equatable, Sendable {
    let link: LinkID
    let file: FileID
    /// The number of the serving in which it asked.
    let serving: UInt64
    /// The number of the first piece.
    let first: UInt64
    let count: Int
    /// How many bytes they have.
    let bytes: Int
}
