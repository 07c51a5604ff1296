import Foundation

/// The size of the programs without debugging symbols.
enum SizePart: Part {
    static let name = "sizes"
    static let about = "the size of the programs"

    static func measure(_ bench: Bench) throws {
        var total = 0.0
        for name in ["parlanced", "parlance"] {
            let stripped = "\(bench.folder)/stripped"
            _ = try Program.output(of: ["strip", "-o", stripped, bench.program(name)], in: bench.folder, within: 60)
            let attributes = try FileManager.default.attributesOfItem(atPath: stripped)
            guard let bytes = attributes[.size] as? Int else { throw BenchError("\(stripped) has no size") }
            let megabytes = Double(bytes) / 1_048_576
            bench.results.add("size_\(name)_mb", megabytes)
            total += megabytes
        }
        bench.results.add("size_mb", total)
    }
}
