package import ParlanceRecords

extension LifetimeTerms {
    /// The age in milliseconds at which messages disappear; `nil` if they stay. In a group the last event counts, which is by
    /// an admin. In a direct conversation both people must want it, and the longer time counts.
    package func agreed(isGroup: Bool) -> Int64? {
        if isGroup {
            let last = [own, others].compactMap(\.self).max { ($0.effective, $0.id) < ($1.effective, $1.id) }
            return last.flatMap { $0.seconds > 0 ? $0.milliseconds : nil }
        }
        guard let own, let others, own.seconds > 0, others.seconds > 0 else { return nil }
        return max(own.milliseconds, others.milliseconds)
    }
}

extension Lifetime {
    fileprivate var milliseconds: Int64 { Int64(clamping: seconds) * 1_000 }
}
