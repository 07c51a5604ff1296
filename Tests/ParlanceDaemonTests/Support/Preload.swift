import Foundation
import Testing

/// A library of C that is loaded into a program before the others.
enum Preload {
    /// Compiles it.
    ///
    /// - Returns: its path, for LD_PRELOAD.
    static func library(_ source: String, in lab: Lab) async throws -> String {
        let base = lab.nextBase("preload").path
        try Data(source.utf8).write(to: URL(fileURLWithPath: base + ".c"))
        let words = ["clang", "-shared", "-fPIC", "-o", base + ".so", base + ".c"]
        let compiled = try await lab.run(try Programs.system("env"), words)
        try #require(compiled.code == 0, "\(compiled)")
        return base + ".so"
    }
}
