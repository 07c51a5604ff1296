extension [Double] {
    /// The value below which the given share of a sorted, non-empty list lies, by nearest rank.
    func percentile(_ percent: Int) -> Double {
        self[Swift.min(count - 1, count * percent / 100)]
    }
}
