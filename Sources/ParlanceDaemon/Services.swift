import Dispatch
import ParlanceControl
import ParlanceCore
import ParlanceNetwork
import ParlanceNode
import ParlanceProfile
import ParlanceWire
import ParlanceWords
import ServiceLifecycle

/// Something that runs since it was made, until its turn to be stopped comes.
struct RunningPart: Service {
    /// Stops it, and returns once it has stopped.
    let stop: @Sendable () async -> Void

    init(stop: @escaping @Sendable () async -> Void) {
        self.stop = stop
    }

    func run() async throws {
        // Whether the group shuts it down or is cancelled, it stops.
        try? await gracefulShutdown()
        await stop()
    }
}

/// Ends the daemon when the store cannot be trusted any more: a failed sync leaves nobody knowing what is on the disk.
struct StoreWatch: Service {
    let broken: AsyncStream<String>
    /// Says that the node is ready: services run only once signals are handled.
    let announce: @Sendable () -> Void

    func run() async throws {
        announce()
        for await reason in broken.cancelOnGracefulShutdown() {
            throw DaemonError("The store is broken: \(reason)", advice: "Check the disk, then start the daemon again.")
        }
    }
}

/// Does something again and again, the first time after the interval, until the services are shut down.
func repeatedly(every interval: DispatchTimeInterval, _ work: () async -> Void) async {
    await repeatedly(after: interval) {
        await work()
        return interval
    }
}

/// The same, each time after the interval that the time before returned.
func repeatedly(after first: DispatchTimeInterval, _ work: () async -> DispatchTimeInterval) async {
    let (ticks, tick) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingOldest(1))
    let timer = DispatchSource.makeTimerSource()
    timer.schedule(deadline: .now() + first, leeway: .milliseconds(100))
    timer.setEventHandler { tick.yield() }
    timer.activate()
    defer { timer.cancel() }
    for await _ in ticks.cancelOnGracefulShutdown() {
        timer.schedule(deadline: .now() + (await work()), leeway: .milliseconds(20))
    }
}

/// Raises the generation of the store and its guard now and then, so that also a node that runs for months notices that it
/// went back to an older state of this run.
struct GuardService: Service {
    /// Seconds between two raises: a sync each, and a copy that is older than two of them is told by its generation.
    static let interval = 600

    /// Raises both, where the store is written.
    let raise: @Sendable () async -> Void
    var interval: DispatchTimeInterval = .seconds(Self.interval)

    func run() async throws {
        await repeatedly(every: interval) { await raise() }
    }
}

/// Keeps the index for searching up to date while little else is written.
struct SearchService: Service {
    /// Milliseconds between two looks whether anything is due. What came meanwhile is searched as it is.
    static let interval = 3_000
    /// Milliseconds between two steps of 30 ms while more is due, so that they take a quarter of a processor.
    static let pause = 100
    /// Events written in a second from which on the node is busy, and the next step waits for the next look.
    static let busyEvents = 1_000

    /// How many events were written since the last call.
    let takeEvents: @Sendable () -> Int
    /// Does a step where the store is written, and says whether more is due.
    let step: @Sendable () async -> Bool
    var interval = Self.interval
    var pause = Self.pause

    func run() async throws {
        var waited = interval
        await repeatedly(after: .milliseconds(interval)) {
            let isBusy = takeEvents() * 1000 >= Self.busyEvents * max(1, waited)
            let isMoreDue = await step()
            waited = isMoreDue && !isBusy ? pause : interval
            return .milliseconds(waited)
        }
    }
}

/// Tells the node the addresses of this machine, and those at which it can be reached, after it has begun to listen there.
struct AddressService: Service {
    let listening: ListenPlaces
    let links: LinkService
    let inbox: Inbox

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await AddressWatch().run { [listening, links, inbox] addresses in
                links.addressesChanged()
                // A cable that is pulled for a moment takes no address, and a Wi-Fi that roams none: links outlast that.
                let all = addresses.map(\.address)
                let usable = addresses.filter(\.isRunning).map(\.address)
                    .filter { listening.contains($0) }
                let inner = Set(addresses.filter(\.isInner).map(\.address))
                inbox.offer([.machineAddresses(all), .ownAddresses(usable, inner: inner)])
            }
        }
    }
}

/// Tells the node what discovery sees, and says once, when it changes, whether it works.
struct DiscoveryService: Service {
    let discovery: any Discovery
    /// A hidden node dials only addresses it knows, so it passes sightings over.
    let isHidden: Bool
    let inbox: Inbox
    let offers: ModelOffers
    let facts: NodeFacts
    let hub: EventHub

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await discovery.run { event in
                offers.note(event)
                handle(event)
            }
        }
    }

    private func handle(_ event: DiscoveryEvent) {
        switch event {
        case .found where isHidden: break
        case .found(let seen):
            inbox.offer(
                .sighted(
                    ParlanceCore.Sighting(
                        instance: seen.instance,
                        peerPrefix: seen.peerIDPrefix,
                        workspaceTags: seen.workspaceTags,
                        endpoints: seen.addresses.map { Endpoint(host: $0.host, port: $0.port) }
                    )
                )
            )
        case .lost(let instance): inbox.offer(.sightLost(instance: instance))
        case .networkChanged:
            facts.networkChanged()
            inbox.offer(.networkChanged)
        case .state(let state): changed(state)
        }
    }

    private func changed(_ state: DiscoveryState) {
        let info = DiscoveryInfo(
            backend: .init(state.backend),
            state: state.isWorking ? .running : .unavailable,
            message: state.explanation,
            advice: state.isWorking
                ? nil : Phrase("Static addresses work without it: parlance config set peers HOST:PORT")
        )
        hub.publish(facts.set(info))
    }
}

extension DiscoveryInfo.Backend {
    fileprivate init(_ backend: DiscoveryState.Backend) {
        switch backend {
        case .embedded: self = .embedded
        case .system: self = .system
        case .none: self = .none
        }
    }
}

/// Removes files that no message names any more, soon after the start and then each hour.
struct ShelfSweepService: Service {
    /// Seconds between two sweeps.
    static let interval = 3_600
    /// Seconds after the start.
    static let first = 60

    let shelf: ShelfService

    func run() async throws {
        await repeatedly(after: .seconds(Self.first)) {
            shelf.sweep()
            return .seconds(Self.interval)
        }
    }
}
