import ArgumentParser
import Foundation

/// Starts daemons, measures all parts or some of them, and prints the results with the aims.
struct RunCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Measures two daemons on loopback and a group in one process, and compares them with other programs."
    )

    @Flag(help: "Fewer messages and rounds.")
    var quick = false

    @Flag(help: "Print one JSON object instead of the table.")
    var json = false

    @Option(help: ArgumentHelp("Measure only these parts.", valueName: "part,part..."))
    var only: String?

    @Flag(help: "List the parts.")
    var list = false

    @Option(help: "The folder for the stores, on the disk to measure.")
    var folder = "."

    @Option(help: "The folder of the programs to compare with.")
    var peers: String?

    @Option(help: "The folder with the files of the embedding model.")
    var model: String?

    @OptionGroup(title: "A second network")
    var neighbour: Neighbour

    func validate() throws { _ = try parts() }

    func run() throws {
        if list { return print(Parts.list) }
        Interruption.watch()
        defer { Interruption.cleanUp() }
        let amounts = quick ? Amounts.quick : .full
        let bench = try Bench(amounts: amounts, neighbour: neighbour, in: folder, peers: peers, model: model)
        var failed: [String] = []
        for part in try parts() {
            do {
                try part.measure(bench)
            } catch {
                Interruption.waitIfUnderWay()
                Progress.note("FAILED in \(part.name): \(error)\n\(bench.lastWords)")
                failed.append(part.name)
                // The next part starts its own daemons.
                bench.forgetNodes()
            }
        }
        // What the other parts measured holds.
        print(json ? bench.results.json : Table(results: bench.results).text)
        if !failed.isEmpty {
            Progress.note("FAILED: \(failed.joined(separator: ", ")). The figures above were measured all the same.")
            throw ExitCode(1)
        }
    }

    private func parts() throws -> [any Part.Type] {
        guard let only else { return Parts.all }
        let names = only.split(separator: ",").map(String.init)
        let known = Parts.all.map { $0.name }
        if let name = names.first(where: { !known.contains($0) }) {
            throw ValidationError("--only: \(name) is not a part; the parts are \(known.joined(separator: ", ")).")
        }
        return Parts.all.filter { names.contains($0.name) }
    }
}
