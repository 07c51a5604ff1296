import Foundation
import ParlanceTestKit

/// Shortens a failing run: first finds the shortest beginning of the script that fails, then leaves out what it can.
/// Each attempt is a separate process, because the failure may be a trap.
struct Shrinker {
    let choice: Choice
    let seed: UInt64
    let folder: String
    private let deadline = Date() + 90

    init(choice: Choice, seed: UInt64, folder: String) {
        self.choice = choice
        self.seed = seed
        self.folder = folder
    }

    func run() {
        guard let player = try? choice.player() else { return }
        let all = Array(Script(seed: seed, player.settings).acts.indices)
        let beginning = shortestBeginning(of: all)
        let acts = thinned(beginning)
        print("\(all.count) acts; the first \(beginning.count) fail; of these \(acts.count) are enough")
        let (_, trace) = attempt(acts, quiet: false)
        let path = "\(folder)/seed-\(seed).trace"
        do {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try trace.write(toFile: path, atomically: true, encoding: .utf8)
            print("The last of its trace (all of it is in \(path)):")
        } catch {
            print("The last of its trace (\(path) could not be written: \(error)):")
        }
        for line in trace.split(separator: "\n").suffix(60) { print("  \(line)") }
        print(
            "Again: contrib/simulate --play \(seed) --acts \(ActList.text(acts)) \(choice.arguments.joined(separator: " "))"
        )
    }

    /// Finds it by bisection. A beginning may fail although a longer one does not, so the result is tried.
    private func shortestBeginning(of all: [Int]) -> [Int] {
        guard fails(all) else { return all }  // It fails only in the quiet time after the last act.
        var (whole, failing) = (0, all.count)
        while failing - whole > 1, Date() < deadline {
            let middle = (whole + failing) / 2
            if fails(Array(all.prefix(middle))) { failing = middle } else { whole = middle }
        }
        return Array(all.prefix(failing))
    }

    /// Leaves out ever smaller pieces while the run still fails.
    private func thinned(_ acts: [Int]) -> [Int] {
        var acts = acts
        var size = max(1, acts.count / 2)
        while Date() < deadline {
            var start = 0
            var hasShrunk = false
            while start < acts.count, Date() < deadline {
                var fewer = acts
                fewer.removeSubrange(start..<min(start + size, acts.count))
                if fails(fewer) {
                    acts = fewer
                    hasShrunk = true
                } else {
                    start += size
                }
            }
            if size == 1 && !hasShrunk { break }
            if !hasShrunk || size > acts.count { size = max(1, size / 2) }
        }
        return acts
    }

    private func fails(_ acts: [Int]) -> Bool { attempt(acts, quiet: true).failed }

    private func attempt(_ acts: [Int], quiet: Bool) -> (failed: Bool, output: String) {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        let list = ActList.text(acts)
        process.arguments = ["play", "\(seed)", "--acts", list] + (quiet ? ["--quiet"] : []) + choice.arguments
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        do {
            try process.run()
        } catch {
            print("A shorter run could not be started: \(error)")
            return (false, "")
        }
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return (process.terminationStatus != 0, String(decoding: data, as: UTF8.self))
    }
}
