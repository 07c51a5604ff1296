import ParlanceAssistant

/// How long it takes to find the embeddings that are nearest to a question, by comparing it with all.
enum VectorScans {
    /// The numbers of embeddings, with the names of their results.
    private static let sizes = [(count: 100_000, name: "scan_100k"), (count: 1_000_000, name: "scan_1m")]
    /// As many as the assistant compares with.
    private static let wanted = AssistantLimits.nearest
    private static let seed: UInt64 = 11

    static func measure(_ bench: Bench) throws {
        let rounds = bench.amounts.scans
        let most = sizes.map(\.count).max() ?? 0
        Progress.note("\(rounds) scans each of up to \(Table.number(Double(most))) random embeddings (seed \(seed))")
        var noise = Noise(seed: seed)
        let rows = UnsafeMutableRawBufferPointer.allocate(byteCount: most * Int8Vector.byteCount, alignment: 64)
        defer { rows.deallocate() }
        for row in 0..<most {
            let start = row * Int8Vector.byteCount
            rows[start..<start + Int8Vector.byteCount].copyBytes(from: vector(&noise).bytes)
        }
        for size in sizes {
            let part = UnsafeRawBufferPointer(rebasing: rows[..<(size.count * Int8Vector.byteCount)])
            var milliseconds: [Double] = []
            for _ in 0..<rounds {
                let question = vector(&noise)
                let began = ContinuousClock.now
                let found = VectorScan.best(wanted, for: question, in: part)
                milliseconds.append((ContinuousClock.now - began).milliseconds)
                guard found.count == wanted else { throw BenchError("a scan found \(found.count) embeddings") }
            }
            milliseconds.sort()
            bench.results.add("\(size.name)_ms", milliseconds.median)
            bench.results.add("\(size.name)_p95_ms", milliseconds.percentile(95))
        }
    }

    private static func vector(_ noise: inout Noise) -> Int8Vector {
        let bytes = noise.block(MiniLM.dimensions)
        return Int8Vector(bytes.map { Float(Int8(bitPattern: $0)) / 2_048 })
    }
}
