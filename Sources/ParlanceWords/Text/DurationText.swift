/// Lengths of time in words.
package enum DurationText {
    /// A length of time in its two largest units: `45 s`, `3 min`, `2 h 5 min`, `3 d 4 h`.
    package static func words(_ seconds: Int64) -> String {
        func pair(_ large: Int64, _ largeUnit: String, _ small: Int64, _ smallUnit: String) -> String {
            small == 0 ? "\(large) \(largeUnit)" : "\(large) \(largeUnit) \(small) \(smallUnit)"
        }
        switch max(0, seconds) {
        case let short where short < 60: return "\(short) s"
        case let middle where middle < 3600: return "\(middle / 60) min"
        case let long where long < 86_400: return pair(long / 3600, "h", long / 60 % 60, "min")
        case let longer: return pair(longer / 86_400, "d", longer / 3600 % 24, "h")
        }
    }
}
