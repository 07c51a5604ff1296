import ParlanceWire

/// A token bucket that limits how many bytes of pieces pass in one direction.
///
/// It counts thousandths of a byte. A rate of one byte a second adds one of these each millisecond, so nothing is rounded,
/// however often the bucket is asked.
struct RateBucket: Equatable, Sendable {
    /// Bytes a second; `nil`: no limit.
    private(set) var rate: Int64?
    private var level: Int64 = 0
    /// The moment up to which `level` counts.
    private var filledAt: Int64 = 0

    var isLimited: Bool { rate != nil }

    /// Changes the rate. A bucket that had a rate keeps its level; one that had none starts full.
    ///
    /// - Parameter bytes: bytes a second, from `Limits.leastFileRate` to `Limits.fileBytes`; `nil`: no limit.
    mutating func set(_ bytes: UInt64?, at now: Int64) {
        fill(at: now)
        let wasLimited = isLimited
        rate = bytes.map { Int64(clamping: min(max($0, Limits.leastFileRate), Limits.fileBytes)) }
        level = wasLimited ? min(level, capacity) : capacity
    }

    /// The number of pieces that may pass now.
    mutating func pieces(at now: Int64) -> Int {
        guard isLimited else { return .max }
        fill(at: now)
        return Int(max(0, level) / (Self.piece * Self.parts))
    }

    /// Counts bytes that pass.
    mutating func take(_ bytes: UInt64) {
        guard isLimited else { return }
        level -= Int64(clamping: min(bytes, Limits.fileBytes)) * Self.parts
    }

    /// When to look again after now: once a piece has gathered, and at a high rate what passes in a short while.
    mutating func nextMoment(at now: Int64) -> Int64 {
        guard let rate else { return now }
        fill(at: now)
        let enough = max(Self.piece * Self.parts, rate * Limits.fileRatePauseMilliseconds)
        return now + max(1, (enough - level + rate - 1) / rate)
    }

    /// How many readers can wait at once, so that each gets a piece before it drops this node as stalled.
    var turns: Int {
        rate.map { Int($0 * Limits.fileTurnMilliseconds / (Self.piece * Self.parts)) } ?? .max
    }

    /// How many pieces each of the readers that wait may take in its turn, so that the others get theirs in time.
    func share(of readers: Int) -> Int { max(1, turns / max(1, readers)) }

    private static let piece = Int64(Limits.pieceBytes)
    private static let parts: Int64 = 1_000

    /// How much gathers while nothing passes: two pieces, or what passes while the node does something else.
    private var capacity: Int64 {
        rate.map { max(2 * Self.piece * Self.parts, $0 * Limits.fileRateBurstMilliseconds) } ?? 0
    }

    private mutating func fill(at now: Int64) {
        guard now > filledAt else { return }
        defer { filledAt = now }
        guard let rate else { return }
        // Time beyond what fills the empty bucket adds nothing, and must not overflow.
        let time = min(now - filledAt, (capacity - min(level, 0)) / rate + Limits.fileRateBurstMilliseconds)
        level = min(capacity, level + rate * time)
        invariant(level <= capacity, "a bucket does not run over")
    }
}
