import ParlanceWire

/// How many pieces a link may be asked for at once (files.md, "Pieces").
///
/// Like LEDBAT (RFC 6817) it follows the delay and not the loss: it grows while pieces come quickly, and shrinks when they
/// queue. So a message that is sent on the same link waits behind a piece or two, and not behind a file.
struct PieceWindow: Equatable, Sendable {
    private(set) var size = Limits.leastPieceWindow
    /// The time that the quickest piece took: the link without a queue.
    private var quickest: Int64?
    /// Pieces that were asked for before do not shrink the window again.
    private var shrunkAt = Int64.min

    /// A piece came.
    mutating func received(askedAt: Int64, at now: Int64) {
        defer {
            invariant(
                (Limits.leastPieceWindow...Limits.pieceWindow).contains(size),
                "a window of pieces keeps its bounds"
            )
        }
        let delay = max(0, now - askedAt)
        let least = min(quickest ?? delay, delay)
        quickest = least
        guard delay - least > Limits.pieceDelayMilliseconds else {
            size = min(size + 1, Limits.pieceWindow)
            return
        }
        guard askedAt >= shrunkAt else { return }
        // With the least window this node makes no queue, so the link itself has become slower.
        if size == Limits.leastPieceWindow { quickest = delay }
        size = max(size - max(1, size / 4), Limits.leastPieceWindow)
        shrunkAt = now
    }
}
