import ArgumentParser
import ParlanceControl

/// Sends one message at a time and measures from the request on the socket to `delivered` at the sender.
struct LatencyCommand: Measurement {
    static let configuration = CommandConfiguration(
        commandName: "latency",
        abstract: "One message at a time: from the request to delivered, in milliseconds."
    )

    @OptionGroup var sending: SendingOptions

    @Option(help: "Messages sent first, without measuring.")
    var warm = 100

    func measure() async throws {
        let client = try await ControlClient.connect(to: sending.socket)
        let deliveries = Deliveries()
        try await deliveries.follow(client)
        let clock = ContinuousClock()
        var milliseconds: [Double] = []
        for number in 0..<(warm + sending.count) {
            let began = clock.now
            let sent = try await client.call(SendOperation(who: sending.to, text: sending.text(number)))
            let delivered = try await deliveries.reached(sent.sequence, in: sent.conversation)
            if number >= warm { milliseconds.append((delivered - began).milliseconds) }
        }
        await client.close()
        milliseconds.sort()
        Report(["p50_ms": milliseconds.percentile(50), "p99_ms": milliseconds.percentile(99)]).print()
    }
}
