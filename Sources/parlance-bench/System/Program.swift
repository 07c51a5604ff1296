import Foundation

/// Runs programs to their end and returns their output.
enum Program {
    private static let progressSeconds = 10

    /// - Returns: its standard output.
    static func output(of command: [String], in folder: String, within seconds: Int) throws -> String {
        let path = "\(folder)/output"
        unlink(path)
        let began = ContinuousClock.now
        var told = 0
        let process = try ChildProcess(command, output: path)
        let code = process.wait(seconds: seconds) {
            let elapsed = Int(began.duration(to: .now).seconds)
            guard elapsed >= told + progressSeconds else { return }
            told = elapsed
            Progress.note("  \(elapsed) s")
        }
        guard let code else {
            process.stop()
            throw BenchError("\(command[0]) did not end within \(seconds) s")
        }
        guard code == 0 else { throw BenchError("\(command[0]) ended with code \(code)") }
        return try String(contentsOfFile: path, encoding: .utf8)
    }

    /// Runs a program that prints one JSON object of numbers.
    static func figures(of command: [String], in folder: String, within seconds: Int) throws -> [String: Double] {
        let text = try output(of: command, in: folder, within: seconds)
        return try JSONDecoder().decode([String: Double].self, from: Data(text.utf8))
    }
}
