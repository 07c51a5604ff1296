import Foundation

/// Counts a daemon's signature checks with a library that is loaded before libsodium in its process.
struct SignatureChecks {
    private let library: String
    private let file: String

    init(_ bench: Bench) {
        library = bench.program("libparlance-bench-counter.so")
        file = "\(bench.folder)/checks"
        unlink(file)
    }

    /// The variables for the daemon's environment; none if the library was not built.
    var variables: [String: String] {
        guard FileManager.default.fileExists(atPath: library) else { return [:] }
        return ["LD_PRELOAD": library, "PARLANCE_BENCH_CHECKS": file]
    }

    /// The count, after the daemon has ended.
    func count() -> Double? {
        let text = try? String(contentsOfFile: file, encoding: .utf8)
        return text.flatMap { Double($0.filter { !$0.isWhitespace }) }
    }
}
