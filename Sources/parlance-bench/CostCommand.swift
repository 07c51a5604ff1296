import ArgumentParser
import Foundation
import ParlanceControl

/// Sends one message at a time and measures what it costs: bytes written to disk by both daemons, and bytes on loopback.
struct CostCommand: Measurement {
    static let configuration = CommandConfiguration(
        commandName: "cost",
        abstract: "One message at a time: bytes that both daemons write to disk for it, and bytes on loopback."
    )

    @OptionGroup var sending: SendingOptions

    @Option(help: "The process of the sender's daemon.")
    var sender: Int32

    @Option(help: "The process of the receiver's daemon.")
    var receiver: Int32

    @Option(help: "Milliseconds after each message, so that what may wait for others is written by itself.")
    var pause = 60

    func measure() async throws {
        let client = try await ControlClient.connect(to: sending.socket)
        let deliveries = Deliveries()
        try await deliveries.follow(client)
        var before: Counters?
        // The first ones are not counted: they write what is there once.
        for number in -Self.warm..<sending.count {
            if number == 0 { before = try Counters(sender, receiver) }
            let sent = try await client.call(SendOperation(who: sending.to, text: sending.text(abs(number))))
            _ = try await deliveries.reached(sent.sequence, in: sent.conversation)
            await rest()
        }
        let after = try Counters(sender, receiver)
        await client.close()
        guard let before else { return }
        let count = Double(sending.count)
        Report([
            "sender_disk_bytes": (after.sender - before.sender) / count,
            "receiver_disk_bytes": (after.receiver - before.receiver) / count,
            "wire_bytes": (after.wire - before.wire) / count,
        ]).print()
    }

    private static let warm = 20

    /// Lets what may wait for others be written by itself.
    private func rest() async {
        await withCheckedContinuation { continuation in
            DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(pause)) { continuation.resume() }
        }
    }

    /// What the system has counted so far.
    private struct Counters {
        let sender, receiver, wire: Double

        init(_ sender: Int32, _ receiver: Int32) throws {
            self.sender = try Self.written(by: sender)
            self.receiver = try Self.written(by: receiver)
            wire = try Self.number(in: "/proc/net/dev", after: "lo:")
        }

        /// Bytes that a process has sent to the disk, by the pages that it made dirty.
        private static func written(by process: Int32) throws -> Double {
            try number(in: "/proc/\(process)/io", after: "write_bytes:")
        }

        private static func number(in path: String, after name: String) throws -> Double {
            guard let text = try? String(contentsOfFile: path, encoding: .utf8),
                let line = text.split(separator: "\n").first(where: {
                    $0.drop(while: \.isWhitespace).hasPrefix(name)
                }),
                let value = line.split(separator: ":").last?.split(whereSeparator: \.isWhitespace).first,
                let number = Double(value)
            else { throw BenchError("the system does not say \(name) in \(path)") }
            return number
        }
    }
}
