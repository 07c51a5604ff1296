import Foundation
import ParlanceSodium

/// Files: a large one beside messages, and many small ones.
enum FilesPart: Part {
    static let name = "files"
    static let about = "a large file and its cost, messages meanwhile, and many small files"

    private static let smallBytes = 10 * 1024
    private static let filesPerMessage = 32
    private static let textSize = 150
    /// Messages for a percentile, without a file.
    private static let messages = 1_000
    /// Messages beside a file at most; fewer if the transfer is over before.
    private static let mostMessages = 10_000
    private static let seconds = 600

    static func measure(_ bench: Bench) throws {
        let nodes = try bench.nodes()
        let megabytes = bench.amounts.fileMegabytes
        for round in 1...bench.amounts.fileRounds {
            let which = "round \(round) of \(bench.amounts.fileRounds)"
            Progress.note("A file of \(megabytes) MB, \(which)")
            bench.results.add("file_limit_mb_per_second", try CipherLimit.megabytesPerSecond())
            let file = try add(megabytes << 20, nodes.ada, seed: UInt64(round))
            try time(file, bench, nodes, megabytes)
            Progress.note("The same beside messages, \(which)")
            let other = try add(megabytes << 20, nodes.ada, seed: UInt64(100 + round))
            try disturb(other, bench, nodes)
        }
        try sendMany(bench, nodes)
    }

    /// A file on Ada's shelf.
    private struct Shelved {
        let id: String
        let size: Int
    }

    private static func add(_ size: Int, _ node: Node, seed: UInt64) throws -> Shelved {
        struct Place: Decodable {
            let name: String
            let path: String
        }
        struct Added: Decodable {
            let file: String
        }
        let connection = try ControlConnection(node.socket)
        let place: Place = try connection.call("file.prepare")
        guard FileManager.default.createFile(atPath: place.path, contents: nil, attributes: [.posixPermissions: 0o600]),
            let handle = FileHandle(forWritingAtPath: place.path)
        else {
            throw BenchError("\(place.path) cannot be written")
        }
        var noise = Noise(seed: seed)
        var rest = size
        while rest > 0 {
            let block = noise.block(min(rest, 1 << 20))
            try handle.write(contentsOf: block)
            rest -= block.count
        }
        try handle.close()
        let added: Added = try connection.call("file.add", ["name": place.name])
        return Shelved(id: added.file, size: size)
    }

    private static func send(_ files: [Shelved], _ nodes: NodePair) throws {
        let named = files.enumerated().map { ["file": $1.id, "name": "file \($0).bin"] }
        let reply = try ControlConnection(nodes.ada.socket).reply(
            to: "send",
            ["who": nodes.bob.name, "text": "", "files": named]
        )
        _ = try ControlConnection.result(of: reply, as: ControlConnection.Anything.self)
    }

    /// How many of the newest files are whole at Bob's.
    private static func here(_ connection: ControlConnection, _ limit: Int) throws -> [String: Bool] {
        struct Listed: Decodable {
            struct Entry: Decodable {
                struct File: Decodable {
                    let file: String
                    let state: String
                }

                let file: File
            }

            let files: [Entry]
        }
        let listed: Listed = try connection.call("files", ["limit": limit])
        return Dictionary(listed.files.map { ($0.file.file, $0.file.state == "here") }) { $0 || $1 }
    }

    /// - Parameter pause: milliseconds between two looks.
    private static func wait(_ what: String, pause: Int32 = 5, until holds: () throws -> Bool) throws {
        let began = ContinuousClock.now
        while try holds() == false {
            guard .now - began < .seconds(seconds) else { throw BenchError(what) }
            poll(nil, 0, pause)
        }
    }

    private static func fetch(_ file: Shelved, _ connection: ControlConnection) throws {
        try wait("Bob was not told of a file") { try here(connection, 1)[file.id] != nil }
        _ = try connection.call("file.fetch", ["id": file.id], as: ControlConnection.Anything.self)
    }

    private static func time(_ file: Shelved, _ bench: Bench, _ nodes: NodePair, _ megabytes: Int) throws {
        let bob = try ControlConnection(nodes.bob.socket)
        try send([file], nodes)
        bench.wrote(1)
        let processes = [try nodes.ada.pid, try nodes.bob.pid]
        let before = try processes.map { try ProcessCounters.processorSeconds($0) }.reduce(0, +)
        let began = ContinuousClock.now
        try fetch(file, bob)
        var resident = 0.0
        try wait("A file did not come") {
            for process in processes { resident = max(resident, ProcessFiles.residentMegabytes(process) ?? 0) }
            return try here(bob, 1)[file.id] == true
        }
        let elapsed = (ContinuousClock.now - began).seconds
        let spent = try processes.map { try ProcessCounters.processorSeconds($0) }.reduce(0, +) - before
        bench.results.add("file_mb", Double(megabytes))
        bench.results.add("file_mb_per_second", Double(megabytes) / elapsed)
        bench.results.add("file_processor_s_per_gb", spent / Double(megabytes) * 1_000)
        bench.results.add("file_resident_mb", resident)
    }

    /// How long messages take while a file comes, and while none does.
    private static func disturb(_ file: Shelved, _ bench: Bench, _ nodes: NodePair) throws {
        let bob = try ControlConnection(nodes.bob.socket)
        let writer = try nodes.writer()
        var alone: [Double] = []
        for number in 0..<messages { alone.append(try writer.deliverOne(number, size: textSize)) }
        try send([file], nodes)
        let began = ContinuousClock.now
        try fetch(file, bob)
        var meanwhile: [Double] = []
        while meanwhile.count < mostMessages, try here(bob, 1)[file.id] != true {
            // Asking for the list costs the daemon more than a message.
            for _ in 0..<10 { meanwhile.append(try writer.deliverOne(meanwhile.count, size: textSize)) }
            guard try here(bob, 20)[file.id] == false else { break }
        }
        let isInTime = meanwhile.count < mostMessages
        try wait("A file did not come") { try here(bob, 1_000)[file.id] == true }
        let elapsed = (ContinuousClock.now - began).seconds
        bench.wrote(messages + meanwhile.count + 1)
        alone.sort()
        meanwhile.sort()
        guard meanwhile.count >= 100 else {
            return Progress.note("The file came too fast to measure messages beside it")
        }
        // Otherwise the rest came without messages.
        if isInTime {
            bench.results.add("file_beside_messages_mb_per_second", Double(file.size >> 20) / elapsed)
        }
        bench.results.add("message_alone_p99_ms", alone.percentile(99))
        bench.results.add("message_beside_file_p99_ms", meanwhile.percentile(99))
    }

    private static func sendMany(_ bench: Bench, _ nodes: NodePair) throws {
        let count = bench.amounts.smallFiles
        Progress.note("\(count) files of 10 KiB")
        let bob = try ControlConnection(nodes.bob.socket)
        let files = try (0..<count).map { try add(smallBytes, nodes.ada, seed: UInt64(1_000 + $0)) }
        let began = ContinuousClock.now
        for first in stride(from: 0, to: count, by: filesPerMessage) {
            try send(Array(files[first..<min(count, first + filesPerMessage)]), nodes)
            bench.wrote(1)
        }
        let wanted = Set(files.map(\.id))
        // A list of a thousand files costs Bob more than to fetch some of them.
        try wait("Small files did not come", pause: 100) {
            let here = try here(bob, min(1_000, count))
            return wanted.allSatisfy { here[$0] == true }
        }
        bench.results.add("small_files", Double(count))
        bench.results.add("small_files_per_second", Double(count) / (ContinuousClock.now - began).seconds)
    }
}
