import ArgumentParser
import ParlanceAssistant
import ParlanceEmbedding

/// Measures how long it takes to find the embeddings that are nearest to a question, by comparing it with all. A program of
/// its own, since the bench knows no other shell than the network; it starts this one.
@main
struct ParlanceScan: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "parlance-scan",
        abstract: "Times the assistant's search among random embeddings. contrib/bench starts it."
    )

    @Option(help: "How many embeddings there are; the times of several numbers are printed.")
    var count: [Int] = [100_000, 1_000_000]

    @Option(help: "How many questions are asked of each number.")
    var rounds = 101

    @Option(help: "The seed of the embeddings and the questions.")
    var seed: UInt64 = 1

    func validate() throws {
        guard rounds > 0, count.allSatisfy({ $0 >= AssistantLimits.nearest }) else {
            throw ValidationError("There is at least one round, and \(AssistantLimits.nearest) embeddings.")
        }
    }

    func run() throws {
        let most = count.max() ?? 0
        var noise = Noise(state: seed)
        let size = Int8Vector.byteCount(MiniLM.dimensions)
        let rows = UnsafeMutableRawBufferPointer.allocate(byteCount: most * size, alignment: 64)
        defer { rows.deallocate() }
        for row in 0..<most {
            rows[row * size..<(row + 1) * size].copyBytes(from: noise.vector().bytes)
        }
        var figures: [String] = []
        for count in count {
            let part = UnsafeRawBufferPointer(rebasing: rows[..<(count * size)])
            let milliseconds = try (0..<rounds).map { _ in try scan(part, noise.vector()) }.sorted()
            for percent in [50, 95] {
                figures.append("\"\(count)_p\(percent)_ms\":\(milliseconds[max(0, (rounds * percent + 99) / 100 - 1)])")
            }
        }
        print("{\(figures.joined(separator: ","))}")
    }

    /// The milliseconds of one scan.
    private func scan(_ rows: UnsafeRawBufferPointer, _ question: Int8Vector) throws -> Double {
        let began = ContinuousClock.now
        let found = VectorScan.best(AssistantLimits.nearest, for: question, in: rows)
        let elapsed = (ContinuousClock.now - began) / .milliseconds(1)
        guard found.count == AssistantLimits.nearest else { throw ExitCode.failure }
        return elapsed
    }
}

/// Random embeddings; the same state gives the same.
private struct Noise {
    var state: UInt64

    mutating func vector() -> Int8Vector {
        Int8Vector(
            (0..<MiniLM.dimensions).map { _ in
                state = state &* 0x5851_F42D_4C95_7F2D &+ 0x1405_7B7E_F767_814F
                return Float(Int8(truncatingIfNeeded: state >> 56)) / 2_048
            }
        )
    }
}
