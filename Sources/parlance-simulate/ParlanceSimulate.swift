import ArgumentParser
import Foundation
import ParlanceSodium
import ParlanceTestKit

@main
struct ParlanceSimulate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "parlance-simulate",
        abstract: "Plays whole offices from seeds, with faults, and checks that every promise is kept.",
        subcommands: [Run.self, Work.self, Play.self, Group.self, Authors.self, Charters.self],
        defaultSubcommand: Run.self
    )
}

/// The options that all subcommands have.
struct Choice: ParsableArguments {
    @Option(help: "How many nodes, as A-B.") var nodes = "3-7"
    @Option(help: "How many virtual minutes until the faults stop, as A-B.") var minutes = "60-120"
    @Option(help: "Of so many seeds one has real stores; 0 for none.") var realStores: UInt64 = 4
    @Option(help: "Of so many seeds one has a workspace; 0 for none.") var workspaces: Int64 = 6
    @Option(help: "How many nodes are hostile members, whose owners sign and send what they like.") var hostile = 0
    @Option(help: "Of so many seeds one has more than 32 nodes, for a few minutes; 0 for none.") var crowds: Int64 = 80

    func player() throws -> Player {
        let nodes = try range(nodes, "--nodes", most: 200)
        let minutes = try range(minutes, "--minutes", most: 100_000)
        guard nodes.lowerBound >= 2 else { throw ValidationError("--nodes: an office has at least 2.") }
        var settings = Script.Settings(nodes: nodes, minutes: minutes)
        settings.workspaceOnceIn = workspaces
        settings.crowdOnceIn = crowds
        guard (0...198).contains(hostile) else { throw ValidationError("--hostile: give a number from 0 to 198.") }
        settings.hostile = hostile
        return Player(settings: settings, realStoreOnceIn: realStores)
    }

    private func range(_ text: String, _ option: String, most: Int) throws -> ClosedRange<Int> {
        let ends = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        guard ends.count <= 2, let first = ends.first ?? nil, let last = ends.last ?? nil, first >= 1, first <= last,
            last <= most
        else { throw ValidationError("\(option) \(text): give a number from 1 to \(most), or two as A-B.") }
        return first...last
    }

    var arguments: [String] {
        let counts = ["--real-stores", "\(realStores)", "--workspaces", "\(workspaces)", "--crowds", "\(crowds)"]
        // Traces on record without hostile members name no such option.
        let hostility = hostile == 0 ? [] : ["--hostile", "\(hostile)"]
        return ["--nodes", nodes, "--minutes", minutes] + counts + hostility
    }
}

/// Plays every n-th seed and reports each result on standard output; a helper of `run`.
struct Work: ParsableCommand {
    static let configuration = CommandConfiguration(shouldDisplay: false)
    @OptionGroup var choice: Choice
    @Option var from: UInt64
    @Option var seeds: UInt64
    @Option var step: UInt64

    func run() throws {
        try Sodium.start()
        let player = try choice.player()
        let coverage = Coverage()
        var seed = from
        let parent = getppid()
        // The parent process may be gone.
        while seed < from + seeds, getppid() == parent {
            print("begin \(seed)")
            fflush(nil)
            let outcome = try player.play(seed) {
                print("at \(seed) \($0.line)")
                fflush(nil)
            }
            coverage.merge(outcome.coverage)
            if let failure = outcome.failure {
                print("fail \(seed) \(failure)")
            } else {
                print("done \(seed) \(outcome.hash) \(outcome.frames) \(outcome.acts)")
            }
            fflush(nil)
            seed += step
        }
        for (what, times) in coverage.counts.sorted(by: { $0.key < $1.key }) { print("cover \(times) \(what)") }
    }
}

/// Plays one seed, with all or some of its acts.
struct Play: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Plays one seed and prints its trace.")
    @OptionGroup var choice: Choice
    @Argument(help: "The seed.") var seed: UInt64
    @Option(help: "Only these acts of the script, such as 0-41,44.") var acts: String?
    @Flag(help: "Print only what was found wrong.") var quiet = false
    @Flag(help: "Print the script instead of playing it.") var script = false

    func run() throws {
        try Sodium.start()
        let player = try choice.player()
        if script {
            for (index, act) in Script(seed: seed, player.settings).acts.enumerated() {
                print(index, act.time, act.kind.rawValue, act.node, act.other)
            }
            return
        }
        let chosen = acts.flatMap { ActList.acts($0) }
        if acts != nil && chosen == nil { throw ValidationError("--acts: give places such as 0-41,44.") }
        let outcome = try player.play(seed, acts: chosen, keepsTrace: !quiet) {
            FileHandle.standardError.write(Data("\($0.line)\n".utf8))
        }
        for line in outcome.trace { print(line) }
        print(outcome.failure.map { "fail \($0)" } ?? "whole, trace \(String(outcome.hash, radix: 16))")
        if outcome.failure != nil { throw ExitCode(1) }
    }
}
