/// A time limit of a test ends one that hangs. Tests share a few threads, and a limit counts the waiting for them too: on
/// a busy machine that has been more than a minute.
enum TimeLimitRule {
    /// The least time limit in minutes: longer than the whole suite takes on two busy cores.
    static let leastMinutes = 30

    static func violations(in file: SourceFile) -> [Violation] {
        guard file.tree == "Tests" else { return [] }
        return file.lines.enumerated().compactMap { index, line in
            guard let minutes = line.firstMatch(of: /timeLimit\(\.minutes\(([0-9]+)\)\)/).flatMap({ Int($0.1) }),
                minutes < leastMinutes
            else { return nil }
            return Violation(
                path: file.path,
                line: index + 1,
                message: "a time limit of \(minutes) min also counts the waiting for a thread: give \(leastMinutes)"
            )
        }
    }
}
