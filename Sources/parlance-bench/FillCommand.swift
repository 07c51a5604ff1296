import ArgumentParser
import ParlanceControl

/// Writes many messages, delivered or not, so that there is something to measure with.
struct FillCommand: Measurement {
    static let configuration = CommandConfiguration(
        commandName: "fill",
        abstract: "Pipelined messages: how many a second are durable in the own store."
    )

    @OptionGroup var sending: SendingOptions

    @Option(help: "Requests without an answer at any moment.")
    var window = 1000

    func measure() async throws {
        let client = try await ControlClient.connect(to: sending.socket)
        let began = ContinuousClock.now
        _ = try await Pump(client: client, sending: sending).run(window: window)
        let seconds = (ContinuousClock.now - began).seconds
        await client.close()
        Report(["written_per_second": Double(sending.count) / seconds, "seconds": seconds]).print()
    }
}
