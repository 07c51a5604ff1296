import ArgumentParser
import ParlanceControl

/// Writes many messages to a peer whose daemon does not run, then starts that daemon and measures until it has them all.
struct CatchUpCommand: Measurement {
    static let configuration = CommandConfiguration(
        commandName: "catchup",
        abstract:
            "Messages a peer missed: how many a second it gets from when it is connected until the last is delivered."
    )

    @OptionGroup var sending: SendingOptions

    @Option(help: "Requests without an answer at any moment, while writing.")
    var window = 1000

    @Option(help: "Where the log of the peer's daemon goes.")
    var log: String

    @Argument(parsing: .postTerminator, help: "The program of the peer's daemon and its arguments, after --.")
    var daemon: [String]

    func validate() throws {
        guard !daemon.isEmpty else { throw ValidationError("Name the daemon's program after --.") }
    }

    func measure() async throws {
        let client = try await ControlClient.connect(to: sending.socket)
        let deliveries = Deliveries()
        try await deliveries.follow(client)
        let wrote = ContinuousClock.now
        let last = try await Pump(client: client, sending: sending).run(window: window)
        let written = ContinuousClock.now
        let connections = try await client.events(SubscriptionFilter(events: [.peer]))
        let process = try ChildProcess(daemon, log: log)
        defer { process.stop() }
        let began = try await connected(connections)
        let delivered = try await deliveries.reached(last.sequence, in: last.conversation)
        let memory = process.peakMegabytes
        let processor = process.processorSeconds
        await client.close()
        let count = Double(sending.count)
        var values = [
            "messages_per_second": count / (delivered - began).seconds,
            "written_per_second": count / (written - wrote).seconds,
            "seconds": (delivered - began).seconds,
        ]
        values["peak_mb"] = memory
        values["processor_us_per_message"] = processor.map { $0 / count * 1e6 }
        Report(values).print()
    }

    /// When the peer's daemon was connected; the sender dials it at its own pace.
    private func connected(_ events: AsyncStream<ControlEvent>) async throws -> ContinuousClock.Instant {
        for await event in events {
            if case .peer(let peer) = event, peer.connected, peer.displayName == sending.to { return .now }
        }
        throw BenchError("the daemon's events ended before \(sending.to) was connected")
    }
}
