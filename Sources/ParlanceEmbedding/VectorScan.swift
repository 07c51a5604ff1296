import CParlanceKernel

/// The search for the vectors that are nearest to one, by comparing it with all.
package enum VectorScan {
    /// A row of the buffer and its dot product with the query.
    package struct Match: Sendable, Equatable {
        package let row: Int
        package let score: Float
    }

    /// So many scores are computed before they are looked at: their memory stays in the cache.
    private static let batch = 1024

    /// The best rows, the best first; of rows with equal scores the earlier first.
    ///
    /// - count: how many are wanted; there are fewer if the buffer has fewer. Best below 100.
    /// - rows: vectors of as many numbers as the query's, as `Int8Vector.bytes` gives them, without gaps; what follows the
    ///   last whole one is ignored. A row whose scale is no number is never found.
    package static func best(_ count: Int, for query: Int8Vector, in rows: UnsafeRawBufferPointer) -> [Match] {
        var best: [Match] = []
        guard count > 0, let start = rows.assumingMemoryBound(to: UInt8.self).baseAddress else { return best }
        let dimensions = query.values.count
        let rowBytes = Int8Vector.byteCount(dimensions)
        let rowCount = rows.count / rowBytes
        var scores = [Float](repeating: 0, count: min(batch, rowCount))
        var worst = -Float.infinity
        for first in stride(from: 0, to: rowCount, by: batch) {
            let size = min(batch, rowCount - first)
            parlance_scan_int8(
                Kernel.best.choice,
                query.values,
                dimensions,
                start + first * rowBytes,
                size,
                &scores
            )
            for index in 0..<size where scores[index] * query.scale > worst {
                let score = scores[index] * query.scale
                guard score.isFinite else { continue }
                let place = best.firstIndex { $0.score < score } ?? best.count
                best.insert(Match(row: first + index, score: score), at: place)
                if best.count > count { best.removeLast() }
                if best.count == count { worst = best[count - 1].score }
            }
        }
        return best
    }
}
