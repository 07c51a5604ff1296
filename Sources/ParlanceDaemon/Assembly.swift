import Logging
import NIOCore
import NIOPosix
import ParlanceAssistant
import ParlanceControl
import ParlanceCore
import ParlanceFiles
import ParlanceNetwork
import ParlanceNode
import ParlanceProfile
import ParlanceStore
import ParlanceWeb
import ParlanceWire
import ParlanceWords
import ServiceLifecycle
import UnixSignals

/// The rooms of a running node. Only this knows them all.
struct Assembly {
    private let daemon: Daemon
    private let opened: OpenedProfile
    private let links: LinkService
    private let files: ShelfService
    private let runner: EffectRunner
    private let node: Node
    private let inbox = Inbox()
    private let hub: EventHub
    private let facts: NodeFacts
    private let server: ControlServer
    /// The event loop of the engine and the links.
    private let coreThread: MultiThreadedEventLoopGroup
    /// The event loop of the control socket: requests and replies are read and written while the engine works.
    private let controlThread: MultiThreadedEventLoopGroup
    private let discovery: (any Discovery)?
    private let offers: ModelOffers
    private let brokenStore: AsyncStream<String>
    private let fileRate: FileRateKeeper
    private let reload: ReloadService
    private let hooks: HookService
    private let notifications: NotificationService
    private let control: LocalControl
    /// Serves the local page; nil if it is switched off.
    private let page: PageService?
    /// SIGHUP; nil where it says that the terminal was closed, which ends the daemon.
    private let hangUps: UnixSignalsSequence?
    private let readyLine: String

    /// Opens the store, takes links, serves the control socket, and starts the node.
    init(_ daemon: Daemon) async throws(DaemonError) {
        self.daemon = daemon
        let settings = daemon.settings
        opened = try OpenedProfile(
            folder: daemon.paths.dataDirectory,
            stateFolder: daemon.paths.stateDirectory,
            givenName: settings.name,
            passphrase: daemon.passphrase,
            daemon.logger
        )
        let identity = opened.store.identity
        files = try Self.files(daemon, opened, inbox)

        coreThread = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        links = opened.links(to: inbox, openFiles: OpenFiles.raiseLimit(), logger: daemon.logger, group: coreThread)
        let port = try await Self.listen(links, settings.listen, settings.port, closing: opened.store, coreThread)

        fileRate = FileRateKeeper(settings.fileRate) { [inbox] in inbox.offer(.fileRateChanged($0)) }
        let engine = Self.engine(opened, settings, fileRate.told, listeningPort: settings.hidden ? 0 : port)
        hub = EventHub(engine.directory, peers: engine.peerViews) { [shelf = files.shelf] in shelf.has($0) }
        let instance = try await Self.instance(identity, settings, links, port, closing: opened.store, coreThread)
        discovery = Self.discovery(settings, instance, hub, daemon.logger)
        let announcer = Announcer(instance, discovery, daemon.logger)
        offers = ModelOffers(settings.modelPort, announcer)
        let (broken, report) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingOldest(1))
        brokenStore = broken
        runner = opened.runner(links, files, inbox, hub, announcer, logger: daemon.logger) { report.yield($0) }
        node = Node(engine: engine, inbox: inbox, runner: runner, loop: coreThread.next())
        facts = NodeFacts(
            profileName: daemon.profileName,
            dataPath: daemon.paths.dataDirectory,
            listen: settings.listen,
            port: port,
            isProtected: opened.isProtected,
            isHidden: settings.hidden,
            mode: settings.mdns,
            counters: runner.counters,
            refusedCalls: { [links] in links.refusedCalls }
        )
        facts.onFirewallOpened { [discovery] in discovery?.lookAnew() }
        let ownName: @Sendable () -> String = { [hub] in hub.name(of: identity) }
        let place = "\(identity.prefix), port \(port), socket \(daemon.paths.socketToServe)"
        let status: @Sendable () -> String = { "ready: \(ownName()) \(place)" }
        readyLine = status()
        notifications = Self.notifications(daemon, hub)
        let live = Self.live(daemon, inbox, ownName, links, notifications.desk, files, fileRate, offers)
        reload = ReloadService(live, status: status)
        hangUps = HangUp.isOfTerminal() ? nil : await UnixSignalsSequence(trapping: .sighup)
        hooks = Self.hooks(daemon, hub)
        let keys = Self.pageKeys(daemon)
        control = LocalControl(
            inbox: inbox,
            store: opened.store,
            files: files,
            copy: CopyReport(opened),
            hub: hub,
            facts: facts,
            host: DaemonHost(reloads: reload, hooks: hooks, notifications: notifications),
            assistant: Self.assistant(daemon),
            offers: offers,
            page: keys,
            logger: daemon.logger
        )
        // Made last, so that a start that fails before leaves no thread.
        controlThread = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        server = ControlServer(path: daemon.paths.socketToServe, node: control, group: controlThread)
        page = Self.page(control, keys, settings.pagePort, daemon.logger)
        try await serve()
    }

    /// Who may open the local page; nil if there is none.
    private static func pageKeys(_ daemon: Daemon) -> PageKeys? {
        guard let port = daemon.settings.pagePort else { return nil }
        let logger = daemon.logger
        let isSet = daemon.settings.places[.pagePort] != nil
        return PageKeys(
            in: daemon.paths.dataDirectory,
            port: isSet ? port : 0,
            notSaved: { logger.warning("Who is let in to the page could not be saved", metadata: ["reason": "\($0)"]) },
            notRead: { logger.warning("Who was let in to the page could not be read", metadata: ["reason": "\($0)"]) }
        )
    }

    private func serve() async throws(DaemonError) {
        await node.start()
        do {
            try await server.start()
            try daemon.paths.publish()
        } catch {
            for part in running.reversed() { await part.stop() }
            throw (error as? ControlError).map { DaemonError($0) }
                ?? DaemonError(Phrase(verbatim: "\(error)"), advice: "")
        }
    }

    /// What runs since the start, in the order of dependency. Stopping says goodbye to watchers and peers; then the store is
    /// closed, and nothing accepted is in memory only.
    private var running: [RunningPart] {
        [
            RunningPart { [coreThread, controlThread] in
                try? await coreThread.shutdownGracefully()
                try? await controlThread.shutdownGracefully()
            },
            RunningPart { [store = opened.store] in store.close() },
            RunningPart { [files] in await files.stop() },
            RunningPart { [links] in await links.stop() },
            RunningPart { [node] in await node.stop() },
            RunningPart { [paths = daemon.paths] in paths.withdraw() },
            RunningPart { [server] in await server.stop() },
            RunningPart { [hub] in
                ServiceManager.stopping()
                hub.publish(StoppingEvent(why: Phrase("The daemon stops.")))
            },
        ]
    }

    /// What watches and works beside that.
    ///
    /// - Parameter ready: told once signals are handled, so that a stop right after it is a clean one.
    private func watching(_ ready: @escaping @Sendable (String) -> Void) -> [any Service] {
        var services: [any Service] = [
            StoreWatch(broken: brokenStore) {
                ServiceManager.ready(readyLine)
                ready(readyLine)
            },
            GuardService(raise: { [runner, keeper = opened.guardKeeper] in
                await runner.onWriteQueue { () throws(StoreError) in try keeper.raise() }
            }),
            SearchService(
                takeEvents: { [runner] in runner.takeEvents() },
                step: { [runner] in await runner.searchStep() }
            ),
            ShelfSweepService(shelf: files),
            FileRateService(keeper: fileRate),
            reload,
            AddressService(listening: ListenPlaces(daemon.settings.listen), links: links, inbox: inbox),
            DesktopService(inbox: inbox),
            hooks,
            notifications,
            AssistantService(assistant: control.assistant, node: control),
            UpdateService { [facts] in facts.set($0) },
        ]
        if let page { services.append(page) }
        if let hangUps { services.append(HangUpService(signals: hangUps, reload: reload)) }
        if let allowed = ServiceManager.watchdog {
            services.append(WatchdogService(allowed: allowed, inbox: inbox))
        }
        if let discovery {
            services.append(
                DiscoveryService(
                    discovery: discovery,
                    isHidden: daemon.settings.hidden,
                    inbox: inbox,
                    offers: offers,
                    facts: facts,
                    hub: hub
                )
            )
        }
        return services
    }

    /// Everything, in the order of dependency. The group shuts it down in reverse, also when one of them fails or ends by
    /// itself.
    func services(_ ready: @escaping @Sendable (String) -> Void) -> ServiceGroup {
        let services: [any Service] = running + watching(ready)
        // The group's own steps are of no use to a person, and name types.
        var logger = daemon.logger
        logger.logLevel = max(logger.logLevel, .error)
        return ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: services.map {
                    .init(
                        service: $0,
                        successTerminationBehavior: .gracefullyShutdownGroup,
                        failureTerminationBehavior: .gracefullyShutdownGroup
                    )
                },
                gracefulShutdownSignals: [.sigterm, .sigint] + (hangUps == nil ? [.sighup] : []),
                logger: logger
            )
        )
    }

    // Parts.

    private static func live(
        _ daemon: Daemon,
        _ inbox: Inbox,
        _ ownName: @escaping @Sendable () -> String,
        _ links: LinkService,
        _ desk: NotificationDesk,
        _ files: ShelfService,
        _ fileRate: FileRateKeeper,
        _ offers: ModelOffers
    ) -> LiveSettings {
        let missedPorts: @Sendable () -> [MissedPort] = { links.missedPorts }
        return LiveSettings(daemon, inbox: inbox, ownName: ownName, missedPorts: missedPorts) { settings in
            desk.use(settings.notificationRules)
            files.use(settings.fileAllowance)
            fileRate.use(settings.fileRate)
            offers.use(settings.modelPort)
            inbox.offer(.quotaChanged(settings.authorDayBytes))
        }
    }

    private static func files(
        _ daemon: Daemon,
        _ opened: OpenedProfile,
        _ inbox: Inbox
    ) throws(DaemonError) -> ShelfService {
        try .open(
            in: daemon.paths.dataDirectory,
            store: opened.store,
            inbox: inbox,
            logger: daemon.logger,
            allowed: daemon.settings.fileAllowance
        )
    }

    private static func page(
        _ control: LocalControl,
        _ keys: PageKeys?,
        _ port: UInt16?,
        _ logger: Logger
    ) -> PageService? {
        guard let keys, let port else { return nil }
        return PageService(control, keys: keys, port: port, logger: logger, copy: PageCopy.copy)
    }

    private static func engine(
        _ opened: OpenedProfile,
        _ settings: Settings,
        _ fileRate: UInt64?,
        listeningPort: UInt16
    ) -> Engine {
        opened.engine(
            listeningPort: listeningPort,
            fixed: settings.peers,
            acceptsMembers: settings.autoAccept == .workspace,
            autoFetchBytes: settings.autoFetchBytes,
            fileRate: fileRate,
            authorDayBytes: settings.authorDayBytes
        )
    }

    private static func listen(
        _ links: LinkService,
        _ addresses: [String],
        _ port: UInt16,
        closing store: Store,
        _ thread: MultiThreadedEventLoopGroup
    ) async throws(DaemonError) -> UInt16 {
        do {
            return try await links.start(addresses: addresses, port: port)
        } catch {
            await stop(links, closing: store, thread)
            throw DaemonError(error.message, advice: error.advice)
        }
    }

    /// Ends what a start that fails has begun.
    static func stop(_ links: LinkService, closing store: Store, _ thread: MultiThreadedEventLoopGroup) async {
        await links.stop()
        store.close()
        try? await thread.shutdownGracefully()
    }
}
