// When people are told that a peer sends more than is handled at once.
extension Limits {
    /// What a peer sends has waited so long without a break: longer than what an ordinary return brings takes.
    package static let behindMilliseconds: Int64 = 10_000
    /// How long `Behind` holds unless it is told again: two in a row may be late.
    package static let behindHeldMilliseconds: Int64 = 30_000
}
