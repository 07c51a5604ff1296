import Dispatch
package import Logging
import ParlanceWords

/// Discovery by mDNS and DNS-SD, through whichever backend works at the moment.
/// All state belongs to one serial queue: backends report to it, the kernel's news about addresses arrive on it, and
/// the handler is called on it. `BackendSelector` and `SightingCache` decide; this class only carries out their
/// decisions. Nothing runs unless something happened.
package final class MulticastDiscovery: Discovery, @unchecked Sendable {
    let options: DiscoveryOptions
    let logger: Logger
    let queue = DispatchQueue(label: "parlance.discovery")

    var phase = Phase.new
    var selector: BackendSelector
    var cache: SightingCache
    var instance: ServiceInstance
    /// Incremented whenever another name must be announced, since it is part of the name.
    var generation = 0
    var backends: [BackendSelector.Kind: Run] = [:]
    var runs = 0
    /// Backends that are stopping: `run` returns when there are none.
    var stopping = 0
    var monitor: NetworkMonitor?
    var addresses: [NetworkAddress] = []
    var working: (kind: BackendSelector.Kind?, reason: Phrase)?
    var told: DiscoveryState?
    var isFlushDue = false

    /// A backend that runs, and the name that it announces.
    struct Run {
        let number: Int
        let backend: any DiscoveryBackend
        var generation: Int
    }

    enum Phase {
        case new
        case running(@Sendable (DiscoveryEvent) -> Void, CheckedContinuation<Void, Never>)
        case stopping(CheckedContinuation<Void, Never>)
        case ended
    }

    /// How long sightings are collected, so that both address families of a peer make one event.
    static let flushTime = DispatchTimeInterval.milliseconds(50)
    /// How long sightings of a backend that has ended are kept: the next one finds all peers again in 1 to 2 s.
    static let handOverTime = DispatchTimeInterval.seconds(4)
    /// How long stopping may wait for a system service that hangs.
    static let stopTime = DispatchTimeInterval.seconds(3)

    package init(instance: ServiceInstance, options: DiscoveryOptions, logger: Logger) {
        self.instance = instance
        self.options = options
        self.logger = logger
        cache = SightingCache(limit: options.cacheLimit)
        selector = BackendSelector(mode: Self.effectiveMode(options))
        // This is done here because it sets an environment variable, which is best done before there are other threads.
        if [.auto, .system].contains(Self.effectiveMode(options)) { _ = SystemLibrary.shared }
    }

    /// The system's service cannot be restricted to certain interfaces, so such a list requires the embedded backend.
    static func effectiveMode(_ options: DiscoveryOptions) -> DiscoveryMode {
        guard !options.interfaces.isEmpty else { return options.mode }
        return options.mode == .auto ? .embedded : options.mode == .system ? .off : options.mode
    }

    package func run(handler: @escaping @Sendable (DiscoveryEvent) -> Void) async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                queue.async { self.begin(handler, continuation) }
            }
        } onCancel: {
            queue.async { self.end() }
        }
    }

    package func announce(_ instance: ServiceInstance) {
        queue.async { [self] in
            guard instance != self.instance else { return }
            self.instance = instance
            announce(renamed: true)
        }
    }

    package func announceAnew() {
        queue.async { self.announce(renamed: true) }
    }

    package func lookAnew() {
        queue.async { self.startAnew() }
    }
}

// MARK: - Beginning and end

extension MulticastDiscovery {
    private func begin(
        _ handler: @escaping @Sendable (DiscoveryEvent) -> Void,
        _ continuation: CheckedContinuation<Void, Never>
    ) {
        guard case .new = phase else { return continuation.resume() }
        phase = .running(handler, continuation)
        let monitor = NetworkMonitor(queue: queue) { [weak self] in self?.networkChanged($0) }
        let (found, isWatching) = monitor.start()
        self.monitor = monitor
        addresses = usable(found)
        if !isWatching {
            logger.warning("Changes of network addresses cannot be watched, so mDNS will not follow them.")
        }
        if Self.effectiveMode(options) == .off { report(nil, reason: "") }
        perform(selector.handle(.started))
    }

    private func end() {
        guard case .running(_, let continuation) = phase else {
            if case .new = phase { phase = .ended }
            return
        }
        phase = .stopping(continuation)
        monitor?.stop()
        for kind in BackendSelector.Kind.allCases { stop(kind) }
        queue.asyncAfter(deadline: .now() + Self.stopTime) { [self] in finish() }
        if stopping == 0 { finish() }
    }

    func finish() {
        guard case .stopping(let continuation) = phase else { return }
        phase = .ended
        continuation.resume()
    }

    func tell(_ event: DiscoveryEvent) {
        if case .running(let handler, _) = phase { handler(event) }
    }
}
