extension [Double] {
    /// The smallest value of a sorted, non-empty list that at least the given share of the values do not exceed (nearest
    /// rank).
    func percentile(_ percent: Int) -> Double {
        self[Swift.max(0, (count * percent + 99) / 100 - 1)]
    }

    /// The middle of a sorted, non-empty list; between the two in the middle if their number is even.
    var median: Double { (self[(count - 1) / 2] + self[count / 2]) / 2 }
}
