import ArgumentParser
import Foundation
import ParlanceTestKit

/// Plays many seeds in several processes; a seed that fails is shortened and reported with its trace.
struct Run: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Plays seeds until one fails.")
    @OptionGroup var choice: Choice
    @Option(help: "How many seeds.") var seeds: UInt64 = 500
    @Option(help: "The first seed.") var from: UInt64 = 1
    @Option(help: "How many processes.") var jobs = ProcessInfo.processInfo.activeProcessorCount
    @Option(help: "Where traces of failing seeds go.") var failing = ".build/simulate"
    @Option(help: "A file of trace hashes, to compare the seeds with.") var traces: String?
    @Option(help: "A file of trace hashes, to be written anew.") var writeTraces: String?
    @Flag(help: "Print nothing but the first failing seed, and do not make it short.") var terse = false
    @Flag(help: "Go on after a seed that fails.") var keepGoing = false

    func run() throws {
        _ = try choice.player()
        let start = Date()
        let gang = Gang(choice: choice, jobs: UInt64(max(1, jobs)), isTerse: terse, stopsAtFirst: !keepGoing)
        try gang.play(from: from, seeds: seeds)
        if terse {
            if let seed = gang.failures.keys.min(), let why = gang.failures[seed] { print(seed, why) }
        } else {
            report(gang, seconds: Date().timeIntervalSince(start))
        }
        if gang.failures.isEmpty { try checkHashes(gang) }
        guard gang.failures.isEmpty else { throw ExitCode(1) }
        if let traces { print(try TraceHashes(path: traces, arguments: choice.arguments).check(gang.hashes)) }
        if let writeTraces {
            print(try TraceHashes(path: writeTraces, arguments: choice.arguments).write(gang.hashes))
        }
    }

    private func report(_ gang: Gang, seconds: Double) {
        print("")
        for (what, times) in gang.coverage.counts.sorted(by: { $0.key < $1.key }) {
            print(String(repeating: " ", count: max(0, 12 - "\(times)".count)) + "\(times)  \(what)")
        }
        let rate = String(format: "%.1f", Double(gang.hashes.count) / max(seconds, 0.001))
        print(
            "\n\(gang.hashes.count) seeds whole, \(gang.failures.count) failed, \(gang.frames) frames, "
                + "\(Int(seconds)) s, \(rate) seeds/s"
        )
        for (seed, why) in gang.failures.sorted(by: { $0.key < $1.key }).prefix(keepGoing ? 100 : 1) {
            print("seed \(seed) fails: \(why)")
            if !keepGoing { Shrinker(choice: choice, seed: seed, folder: failing).run() }
        }
    }

    /// The same seed gives the same trace in another process.
    private func checkHashes(_ gang: Gang) throws {
        let step: UInt64 = max(1, seeds / 20)
        let again = Gang(choice: choice, jobs: 1, isTerse: terse, stopsAtFirst: true)
        try again.play(from: from, seeds: seeds, step: step)
        for (seed, hash) in again.hashes.sorted(by: { $0.key < $1.key }) where gang.hashes[seed] != hash {
            print(
                terse
                    ? "\(seed) another trace in another process" : "seed \(seed) gives another trace in another process"
            )
            throw ExitCode(1)
        }
        if !terse { print("\(again.hashes.count) seeds played again in another process: the same traces") }
    }
}
