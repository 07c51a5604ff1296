extension [Double] {
    /// The value at the given share of a sorted, non-empty list, without interpolation: `0` is the smallest, `100` the
    /// greatest.
    func percentile(_ percent: Int) -> Double {
        self[Swift.min(count - 1, count * percent / 100)]
    }
}
