import ArgumentParser
import Foundation

/// A file with the trace hash of each seed. A commit that only moves code changes no hash; a commit that changes one
/// says why.
struct TraceHashes {
    let path: String

    /// The options on which the hashes depend besides the seed, as in the first line.
    let arguments: [String]

    private var title: String { "# seed and trace hash, with \(arguments.joined(separator: " "))" }

    /// Writes the file anew.
    ///
    /// - Returns: the text to print.
    func write(_ played: [UInt64: UInt64]) throws -> String {
        let lines = played.sorted { $0.key < $1.key }.map { "\($0.key) \(String($0.value, radix: 16))\n" }
        try "\(title)\n\(lines.joined())".write(toFile: path, atomically: true, encoding: .utf8)
        return "\(played.count) trace hashes written to \(path)"
    }

    /// Compares the played seeds with the file.
    ///
    /// - Returns: the text to print.
    /// - Throws: if a hash differs, the file has none of the seeds, or it was written with other options.
    func check(_ played: [UInt64: UInt64]) throws -> String {
        let known = try read()
        let both = known.keys.filter { played[$0] != nil }
        guard !both.isEmpty else { throw ValidationError("\(path) has no hash of the seeds that were played.") }
        let others = both.filter { known[$0] != played[$0] }.sorted()
        guard others.isEmpty else {
            let seeds = others.prefix(20).map { "\($0)" }.joined(separator: ", ")
            throw ValidationError(
                "\(others.count) of \(both.count) seeds give another trace than \(path) says: \(seeds). A change that only moves "
                    + "code keeps them; one that does not says why, and writes the file anew with --write-traces."
            )
        }
        return "\(both.count) seeds give the traces of \(path)"
    }

    private func read() throws -> [UInt64: UInt64] {
        let lines = try String(contentsOfFile: path, encoding: .utf8).split(whereSeparator: \.isNewline)
        guard lines.first.map(String.init) == title else {
            throw ValidationError("\(path) is not about these offices: its first line is not \"\(title)\".")
        }
        return try lines.dropFirst().reduce(into: [:]) { known, line in
            let words = line.split(separator: " ")
            guard words.count == 2, let seed = UInt64(words[0]), let hash = UInt64(words[1], radix: 16) else {
                throw ValidationError("\(path): \"\(line)\" is no seed and hash.")
            }
            known[seed] = hash
        }
    }
}
