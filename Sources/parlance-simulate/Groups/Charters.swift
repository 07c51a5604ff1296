import ArgumentParser
import Foundation
import ParlanceCore
import ParlanceRecords
import ParlanceSodium
import ParlanceTestKit
import ParlanceWire

/// Measures how long it takes to evaluate a charter when one more event comes, beside the check of a signature.
struct Charters: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "charters",
        abstract: "The cost of one more event of a workspace's charter, beside the check of its signature."
    )

    @Option(help: "Events that count.")
    var events = 1_000

    @Option(help: "Events that do not count, in addition: rotations beyond what one admin may write.")
    var void = 0

    @Option(help: "Rounds; the median counts.")
    var rounds = 5

    /// Admins who write by turns.
    private static let admins = 16

    func validate() throws {
        guard (2...Limits.charterEvents).contains(events) else {
            throw ValidationError("--events must be 2 to \(Limits.charterEvents).")
        }
        guard (0...Limits.charterVoid).contains(void) else {
            throw ValidationError("--void must be 0 to \(Limits.charterVoid).")
        }
        guard rounds > 0 else { throw ValidationError("--rounds must be at least 1.") }
    }

    func run() throws {
        try Sodium.start()
        var writer = try CharterWriter(people: Self.admins)
        var last = writer.create()
        last = writer.change(.appoint, Array(1..<Self.admins), by: 0, after: [last])
        for number in 2..<events { last = rotation(number, &writer, after: last) }
        let full = last
        // Each names the last one that counts, so that none is the ancestor of another.
        for number in 0..<void { _ = rotation(events + number, &writer, after: full) }
        let charter = writer.charter
        let next = rotation(events + void, &writer, after: last)
        let times = (0..<rounds).map { _ in
            Self.milliseconds {
                var grown = charter
                grown.insert([next])
            }
        }
        let checks = 1_000
        let check = Self.milliseconds {
            for _ in 0..<checks { _ = HeadSeal.verify(next.signature ?? [], of: next.id, by: next.header.log.author) }
        }
        let evaluation = times.sorted()[rounds / 2]
        print(
            Figures([
                "events": Double(charter.events.count),
                "counting": Double(charter.entries.count(where: \.counts)),
                "evaluation_ms": evaluation,
                "check_us": check * 1_000 / Double(checks),
                "checks_per_event": evaluation * Double(checks) / check / Double(charter.events.count),
            ]).json
        )
    }

    private func rotation(_ number: Int, _ writer: inout CharterWriter, after last: StoredEvent) -> StoredEvent {
        var details = WireCharterDetails()
        details.number = UInt64(number)
        details.keyHash = Data(Bytes32(hashing: Array("\(number)".utf8), domain: 0).bytes)
        return writer.change(.rotate, by: number % Self.admins, after: [last], details)
    }

    private static func milliseconds(_ body: () -> Void) -> Double {
        let before = Usage.ofThisProcess.processorMicroseconds
        body()
        return (Usage.ofThisProcess.processorMicroseconds - before) / 1_000
    }
}
