import Foundation

/// The context of a run that all parts share: folders, programs, the two daemons, and the results.
final class Bench {
    let amounts: Amounts
    let neighbour: Neighbour
    /// The folder for all files of the run, removed at its end.
    let folder: String
    /// The folder of Parlance's programs.
    private let programs: String
    /// The folder of the programs to compare with.
    private let peers: String?
    /// The folder with the files of the embedding model; `nil` if they are not there.
    let model: String?
    var results = Results()
    /// About how many messages Ada has written to Bob.
    private(set) var messages = 0
    private var pair: NodePair?

    /// - Parameter folder: a folder on the disk to measure, in which the run creates its own folder.
    init(amounts: Amounts, neighbour: Neighbour, in folder: String, peers: String?, model: String?) throws {
        self.amounts = amounts
        self.neighbour = neighbour
        self.peers = peers
        self.model = model.map { URL(fileURLWithPath: $0).path }.flatMap {
            FileManager.default.fileExists(atPath: "\($0)/model.safetensors") ? $0 : nil
        }
        let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        programs = URL(fileURLWithPath: program).deletingLastPathComponent().path
        var template = Array("\(URL(fileURLWithPath: folder).path)/bench.XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw BenchError("no folder can be made in \(folder)") }
        self.folder = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        Interruption.uses(folder: self.folder)
        guard self.folder.utf8.count <= 80 else {
            throw BenchError("\(self.folder) is too long for a socket's path; choose a shorter folder")
        }
    }

    /// A program of Parlance.
    func program(_ name: String) -> String { "\(programs)/\(name)" }

    /// Runs the command `parlance` for a node, as a process of its own.
    ///
    /// - Returns: the milliseconds from its start to its end.
    func command(_ arguments: [String], of node: Node) throws -> Double {
        let began = ContinuousClock.now
        let process = try ChildProcess(
            [program("parlance")] + arguments,
            output: "/dev/null",
            environment: node.environment
        )
        let code = process.wait()
        let elapsed = ContinuousClock.now - began
        guard code == 0 else { throw BenchError("parlance \(arguments[0]) ended with code \(code)") }
        return elapsed.milliseconds
    }

    /// A program to compare with; `nil` if it was not built.
    func peer(_ name: String) -> String? {
        guard let path = peers.map({ "\($0)/\(name)" }), FileManager.default.isExecutableFile(atPath: path) else {
            return nil
        }
        return path
    }

    /// The two daemons, started at the first call.
    func nodes() throws -> NodePair {
        if let pair { return pair }
        let pair = try NodePair(in: folder, program: program("parlanced"))
        self.pair = pair
        return pair
    }

    /// Stops the two daemons and removes what they have stored, so that the next part begins with new ones.
    func forgetNodes() {
        for node in [pair?.ada, pair?.bob].compactMap({ $0 }) {
            // A part may have failed because one of them is gone.
            do { try node.stop() } catch { Progress.note("\(error)") }
            try? FileManager.default.removeItem(atPath: "\(folder)/\(node.name.lowercased())")
        }
        (pair, messages) = (nil, 0)
    }

    /// Counts messages that Ada has written.
    func wrote(_ count: Int) { messages += count }

    /// Writes messages until the conversation has the given number of them, and waits until all are delivered.
    func fill(to count: Int) throws {
        guard messages < count else { return }
        let rest = count - messages
        Progress.note("Filling the conversation up to \(Table.number(Double(count))) messages")
        let writer = try nodes().writer()
        var progress = Progress(of: rest, "messages")
        let last = try writer.send(rest, size: 150, window: amounts.window, progress: &progress)
        var delivery = Progress(of: rest, "messages delivered")
        _ = try writer.delivered(through: last, progress: &delivery)
        wrote(rest)
    }

    /// The last lines of the daemons' logs.
    var lastWords: String {
        ["ada", "bob"].compactMap { name in
            let path = "\(folder)/\(name)/log"
            guard let text = try? String(contentsOfFile: path, encoding: .utf8), !text.isEmpty else { return nil }
            let lines = text.split(separator: "\n").suffix(15).map { "    \($0)" }
            return "\nThe last lines of \(name)/log:\n\(lines.joined(separator: "\n"))\n"
        }.joined()
    }
}
