/// Measures how fast a file comes, over the last few seconds.
struct RateMeter: Equatable, Sendable {
    private static let span: Int64 = 5_000
    private var samples: [Sample] = []

    private struct Sample: Equatable {
        var moment: Int64
        var bytes: UInt64
    }

    /// - Parameter bytes: how many there are in all.
    mutating func note(_ bytes: UInt64, at now: Int64) {
        samples.removeAll { now - $0.moment > Self.span }
        if let last = samples.last, now - last.moment < Self.span / 10 { return }
        samples.append(Sample(moment: now, bytes: bytes))
    }

    /// Bytes a second.
    func rate(_ bytes: UInt64, at now: Int64) -> UInt64 {
        guard let first = samples.first(where: { now - $0.moment <= Self.span }), now > first.moment,
            bytes > first.bytes
        else { return 0 }
        return (bytes - first.bytes) * 1_000 / UInt64(now - first.moment)
    }
}
