import ArgumentParser
import Foundation
import ParlanceCore
import ParlanceRecords
import ParlanceSodium
import ParlanceStore
import ParlanceTestKit
import ParlanceWire

/// Measures a group of many authors: the cost of naming each other's events, on the wire and on disk.
struct Authors: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "authors",
        abstract: "The cost of the clock where many write: bytes of an event on the wire and on disk."
    )

    @Option(help: "Members of the group, all of whom write.")
    var authors = 256

    @Option(help: "Messages in all.")
    var messages = 1024

    @Option(help: "Milliseconds from one message to the next: fewer than a message takes to arrive, and they cross.")
    var pause: Int64 = 50

    @Option(help: "Bytes of each text.")
    var size = 200

    @Option(help: "The world's seed.")
    var seed: UInt64 = 1

    @Flag(help: "Also tell the frames of each kind.")
    var kinds = false

    @Option(help: "A folder for a store, which must not be there.")
    var folder: String

    func validate() throws {
        guard (2...256).contains(authors) else { throw ValidationError("--authors must be 2 to 256.") }
        guard messages > 0 else { throw ValidationError("--messages must be at least 1.") }
    }

    func run() throws {
        try Sodium.start()
        let group = try GroupWorld(members: authors, seed: seed)
        let start = group.traffic.batches.count
        group.traffic.reset()
        var random = SeededGenerator(seed: seed)
        // Whatever this process does counts: the simulated network and disks too.
        let before = Usage.ofThisProcess
        for number in 0..<messages {
            group.write(number, size: size, by: Int(random.below(Int64(authors))))
            group.world.run(for: pause)
        }
        _ = try group.runUntilComplete(within: 600_000, looking: 1_000)
        let usage = Usage.ofThisProcess
        let total = group.traffic.total
        let batches = group.traffic.batches
        let events = batches[start...].flatMap(\.events).filter { $0.header.kind == .message }
        let wire = events.reduce(0) { $0 + $1.wire.encodedBytes().count }
        let named = events.map(\.header.dependencies.count)
        let disk = try storedBytes(batches, from: start, node: group.world.nodes[0])
        let count = Double(events.count)
        var values = kinds ? group.traffic.perKind("event", times: count) : [:]
        values.merge([
            "authors": Double(authors),
            "events": count,
            "wire_bytes_per_event": Double(wire) / count,
            "header_bytes_per_event": Double(events.reduce(0) { $0 + $1.headerBytes.count }) / count,
            "dependencies_per_event": Double(named.reduce(0, +)) / count,
            "most_dependencies": Double(named.max() ?? 0),
            "disk_bytes_per_event": Double(disk) / count,
            "processor_us_per_delivery": (usage.processorMicroseconds - before.processorMicroseconds) / count
                / Double(authors - 1),
            "engine_mb": group.engineMegabytes(),
            "setup_seconds": before.processorMicroseconds / 1e6,
            "sent_bytes_per_event_and_member": Double(total.bytes) / count / Double(authors),
            "seed": Double(seed),
        ]) { $1 }
        print(Figures(values).json)
    }

    /// How much the real store grows when it is given the batches from the given one on, after the earlier ones.
    private func storedBytes(_ batches: [PersistBatch], from start: Int, node: SimulatedNode) throws -> Int {
        let before = try stored(batches[..<start], node)
        return try stored(batches[start...], node) - before
    }

    /// The size of the database after some more batches. Closing it leaves nothing in the write-ahead log.
    private func stored(_ batches: ArraySlice<PersistBatch>, _ node: SimulatedNode) throws -> Int {
        let store = try Store.open(
            at: folder,
            identity: node.identity,
            newReplica: node.firstReplica,
            profile: ProfileRecord(name: node.name),
            isSameCopy: { _ in true }
        )
        for batch in batches { _ = try store.persist(batch) }
        store.close()
        let path = "\(folder)/store.sqlite"
        guard let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int else {
            throw GroupWorld.Failure(description: "\(path) has no size")
        }
        return size
    }
}
