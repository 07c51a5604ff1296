import Dispatch
import Logging
import ParlanceWords

// All of this runs on discovery's queue.
extension MulticastDiscovery {
    func perform(_ actions: [BackendSelector.Action]) {
        for action in actions {
            guard case .running = phase else { return }
            switch action {
            case .start(let kind): start(kind)
            case .stop(let kind): stop(kind)
            case .report(let kind, let reason): report(kind, reason: reason)
            case .wake(let pause, let ticket):
                let time = DispatchTimeInterval.milliseconds(Int(pause / .milliseconds(1)))
                queue.asyncAfter(deadline: .now() + time) { [weak self] in self?.decide(.woke(ticket: ticket)) }
            }
        }
    }

    func decide(_ input: BackendSelector.Input) {
        guard case .running = phase else { return }
        perform(selector.handle(input))
    }

    private func start(_ kind: BackendSelector.Kind) {
        runs += 1
        let run = runs
        let backend = makeBackend(kind) { [weak self] event in
            self?.queue.async { [weak self] in self?.received(event, from: kind, run) }
        }
        logger.debug("An mDNS backend is tried.", metadata: ["backend": "\(kind)"])
        backends[kind] = Run(number: run, backend: backend, generation: generation)
        backend.start(announcement(generation))
        // The next backend must not announce the name that this one has.
        generation += 1
    }

    /// What the present backends have sighted stays until their successors have had time to see it too.
    func startAnew() {
        guard case .running = phase else { return }
        for kind in BackendSelector.Kind.allCases where backends[kind] != nil {
            stop(kind)
            start(kind)
        }
    }

    private func makeBackend(
        _ kind: BackendSelector.Kind,
        report: @escaping @Sendable (BackendEvent) -> Void
    ) -> any DiscoveryBackend {
        switch kind {
        case .system:
            guard let library = SystemLibrary.shared else {
                return AbsentBackend(reason: Self.noLibrary, report: report)
            }
            return SystemBackend(library: library, options: options, report: report)
        case .embedded:
            #if os(Linux)
            return EmbeddedBackend(options: options, logger: logger, report: report)
            #else
            return AbsentBackend(reason: Phrase("this build has no mDNS of its own"), report: report)
            #endif
        }
    }

    private static let noLibrary = Phrase(
        "the library libdns_sd.so.1 (Debian: libavahi-compat-libdnssd1) is not installed"
    )

    func stop(_ kind: BackendSelector.Kind) {
        guard let run = backends.removeValue(forKey: kind) else { return }
        forgetLater(run.number)
        stopping += 1
        // The closure keeps the backend until it has released everything.
        run.backend.stop { [self] in
            queue.async { [self] in
                withExtendedLifetime(run.backend) { stopping -= 1 }
                if stopping == 0 { finish() }
            }
        }
    }

    /// Sightings of a backend stay until its successor has had time to see them too, so no peer disappears during a
    /// change.
    private func forgetLater(_ run: Int) {
        queue.asyncAfter(deadline: .now() + Self.handOverTime) { [weak self] in
            self?.cache.ended(backend: run)
            self?.flushSoon()
        }
    }

    private func received(_ event: BackendEvent, from kind: BackendSelector.Kind, _ run: Int) {
        guard case .running = phase, backends[kind]?.number == run else { return }
        switch event {
        case .up: decide(.up(kind))
        case .failed(let reason): decide(.failed(kind, reason: reason))
        case .nameTaken: announce(by: kind, renamed: true)
        case .resolved(let record):
            let isLoopback = addresses.contains { $0.interface == record.place.interface && $0.isLoopback }
            cache.received(record, from: run, isLoopbackInterface: isLoopback)
            flushSoon()
        case .vanished(let place):
            cache.vanished(place, from: run)
            flushSoon()
        }
    }

    private func flushSoon() {
        guard cache.hasChanges, !isFlushDue else { return }
        isFlushDue = true
        queue.asyncAfter(deadline: .now() + Self.flushTime) { [weak self] in self?.flush() }
    }

    private func flush() {
        isFlushDue = false
        for event in cache.drain() { tell(event) }
    }
}

// MARK: - What is announced

extension MulticastDiscovery {
    /// Lets the backends announce the present state.
    /// Peers resolve a name once, so a change on an interface that stays is announced under another name.
    func announce(renamed: Bool) {
        for kind in BackendSelector.Kind.allCases { announce(by: kind, renamed: renamed) }
    }

    private func announce(by kind: BackendSelector.Kind, renamed: Bool) {
        guard var run = backends[kind] else { return }
        if renamed {
            run.generation = generation
            generation += 1
        }
        backends[kind] = run
        run.backend.announce(announcement(run.generation))
    }

    func networkChanged(_ found: [NetworkAddress]) {
        let before = addresses
        addresses = usable(found)
        guard addresses != before else { return }
        logger.info("The addresses of this machine changed.", metadata: ["count": "\(addresses.count)"])
        announce(renamed: NetworkAddress.isRenumbered(before, addresses))
        tell(.networkChanged)
        decide(.networkChanged)
        if let working { report(working.kind, reason: working.reason) }
    }

    func usable(_ found: [NetworkAddress]) -> [NetworkAddress] {
        found.filter { $0.isRunning && (options.interfaces.isEmpty || options.interfaces.contains($0.name)) }
    }

    private func announcement(_ generation: Int) -> Announcement {
        Announcement(
            ownName: instance.name,
            name: generation == 0 ? instance.name : "\(instance.name)-\(generation)",
            port: instance.port,
            text: ServiceText(instance),
            addresses: addresses
        )
    }
}

// MARK: - State

extension MulticastDiscovery {
    func report(_ kind: BackendSelector.Kind?, reason: Phrase) {
        working = (kind, reason)
        let state = state(kind, reason)
        guard state != told else { return }
        told = state
        logger.notice(
            "The state of discovery changed.",
            metadata: ["backend": "\(state.backend)", "working": "\(state.isWorking)", "text": "\(state.explanation)"]
        )
        tell(.state(state))
    }

    private func state(_ kind: BackendSelector.Kind?, _ reason: Phrase) -> DiscoveryState {
        switch kind {
        case nil: DiscoveryState(backend: .none, isWorking: false, explanation: absence(reason))
        case .system: state(.system, Phrase("Peers are found through this system's own mDNS service."))
        case .embedded: state(.embedded, Phrase("Peers are found by the mDNS built into Parlance."))
        }
    }

    private func state(_ backend: DiscoveryState.Backend, _ explanation: Phrase) -> DiscoveryState {
        if !addresses.isEmpty { return DiscoveryState(backend: backend, isWorking: true, explanation: explanation) }
        return DiscoveryState(
            backend: backend,
            isWorking: false,
            explanation: options.interfaces.isEmpty
                ? Phrase(
                    """
                    Peers cannot be found by mDNS: no network is up with an address. Connect to a network; discovery goes on \
                    by itself then.
                    """
                )
                : Phrase(
                    """
                    Peers cannot be found by mDNS: none of \(options.interfaces.joined(separator: ", ")) is up with an \
                    address. Connect to a network, or correct the list of interfaces; discovery goes on by itself then.
                    """
                )
        )
    }

    private func absence(_ reason: Phrase) -> Phrase {
        if options.mode == .off {
            return Phrase(
                """
                mDNS is switched off by the configuration (discovery mode `off`): peers are reached only at configured and \
                remembered addresses.
                """
            )
        }
        if Self.effectiveMode(options) == .off {
            return Phrase(
                """
                mDNS is off: the system's mDNS service cannot be limited to certain interfaces, but the configuration names \
                some. Set the discovery mode to `embedded`, or name no interfaces.
                """
            )
        }
        let advice =
            options.mode == .system
            ? Phrase("Start avahi-daemon, or set the discovery mode to `auto`.")
            : Phrase("Check that this program may use UDP port 5353 and netlink sockets.")
        let again = Phrase("It is tried again; addresses given as `peers` work without it.")
        return Phrase("Peers cannot be found by mDNS: \(reason). \(advice) \(again)")
    }
}
