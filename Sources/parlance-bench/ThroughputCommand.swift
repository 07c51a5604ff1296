import ArgumentParser
import ParlanceControl

/// Keeps a window of unanswered requests full and measures until `delivered` covers the last message.
struct ThroughputCommand: Measurement {
    static let configuration = CommandConfiguration(
        commandName: "throughput",
        abstract: "Pipelined messages: how many a second, from the first request until the last is delivered."
    )

    @OptionGroup var sending: SendingOptions

    @Option(help: "Requests without an answer at any moment.")
    var window = 1000

    func measure() async throws {
        let client = try await ControlClient.connect(to: sending.socket)
        let deliveries = Deliveries()
        try await deliveries.follow(client)
        let pump = Pump(client: client, sending: sending)
        let clock = ContinuousClock()
        let began = clock.now
        let last = try await pump.run(window: window)
        let accepted = clock.now
        let delivered = try await deliveries.reached(last.sequence, in: last.conversation)
        await client.close()
        let count = Double(sending.count)
        Report([
            "messages_per_second": count / (delivered - began).seconds,
            "accepted_per_second": count / (accepted - began).seconds,
            "seconds": (delivered - began).seconds,
        ]).print()
    }
}
