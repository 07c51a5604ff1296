import Foundation
package import Logging
import NIOCore
import NIOPosix
package import ParlanceControl
import ParlanceCore
import ParlanceNetwork
import ParlanceSodium
import ParlanceStore
import ParlanceWire
import ServiceLifecycle
import UnixSignals

/// One node: its identity, its store, its links, its discovery and its control socket, put together and kept running.
package struct Daemon: Sendable {
    /// The version that the programs and the control protocol tell.
    package static var version: String { ParlanceVersion.text }

    package var settings: Settings
    package var paths: ControlPaths
    package var profileName: String?
    package var logger: Logger

    package init(settings: Settings, paths: ControlPaths, profileName: String?, logger: Logger) {
        self.settings = settings
        self.paths = paths
        self.profileName = profileName
        self.logger = logger
    }

    /// Starts the node and runs it until SIGTERM, SIGINT or a store that broke.
    ///
    /// - Parameter ready: told once, when everything works, with a line for people.
    package func run(ready: @escaping @Sendable (String) -> Void) async throws(DaemonError) {
        let assembly = try await Assembly(self)
        do {
            ready(assembly.readyLine)
            try await assembly.services(logger).run()
        } catch let error as DaemonError {
            await assembly.shutDown()
            throw error
        } catch {
            await assembly.shutDown()
            throw DaemonError("The daemon stopped: \(error)", advice: "See the log above.")
        }
        await assembly.shutDown()
    }
}

/// The rooms of a running node. Only this knows them all.
struct Assembly {
    private let store: Store
    private let links: LinkService
    private let node: Node
    private let inbox: Inbox
    private let newsroom: Newsroom
    private let facts: NodeFacts
    private let server: ControlServer
    private let threads: MultiThreadedEventLoopGroup
    private let discovery: (any Discovery)?
    private let brokenStore: AsyncStream<String>
    private let paths: ControlPaths
    private let logger: Logger
    let readyLine: String

    init(_ daemon: Daemon) async throws(DaemonError) {
        let settings = daemon.settings
        let logger = daemon.logger
        let fixed = try settings.fixedEndpoints()
        let mode = try settings.discoveryMode()
        let wantedPort = try settings.portNumber()
        let givenName = try settings.checkedName()
        let folder = daemon.paths.dataDirectory
        try Self.prepare(folder)
        do { try Sodium.start() } catch { throw DaemonError("\(error)", advice: "") }

        let (key, isNew) = try IdentityFile.open(in: folder)
        guard let identity = PeerID(key.publicKey), let replica = ReplicaID(RandomBytes.bytes(ReplicaID.count)) else {
            throw DaemonError("The identity has no public key.", advice: "Put a copy of the identity file back.")
        }
        if isNew { logger.info("A new identity was made", metadata: ["peer": "\(identity.prefix)"]) }
        let opened = try Self.openStore(
            folder,
            identity,
            replica,
            ProfileRecord(name: givenName ?? Self.loginName())
        )
        let store = opened.store

        let inbox = Inbox()
        let local = LocalIdentity(signingKey: key, replica: store.replica, epoch: opened.epoch)
        let links = LinkService(LinkService.Configuration(identity: local), observer: inbox, logger: logger)
        var snapshot = opened.snapshot
        links.setAcceptedPeers(snapshot.peers.filter { $0.trust == .accepted || $0.trust == .verified }.map(\.id))
        let port: UInt16
        do { port = try await links.start(addresses: settings.listen, port: wantedPort) } catch {
            await links.stop()
            store.close()
            throw DaemonError(error.message, advice: "")
        }
        if let givenName { snapshot.profile.name = givenName }
        let engine = Engine(
            snapshot: snapshot,
            signer: key,
            identity: identity,
            replica: store.replica,
            listeningPort: settings.hidden ? 0 : port,
            fixed: fixed,
            seed: Self.seed(),
            at: Instant(monotonic: Moment.now().monotonic, wall: WallClock.milliseconds())
        )

        let (brokenStore, broken) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingOldest(1))
        let newsroom = Newsroom(identity: identity, replica: store.replica, ownName: snapshot.profile.name)
        let runner = EffectRunner(
            store: store,
            links: links,
            inbox: inbox,
            newsroom: newsroom,
            logger: logger,
            onBrokenStore: { broken.yield($0) }
        )
        let facts = NodeFacts(
            NodeFacts.Values(
                profileName: daemon.profileName,
                started: WallClock.milliseconds(),
                port: port,
                listening: (settings.listen.isEmpty ? ["0.0.0.0", "::"] : settings.listen).map {
                    Endpoint(host: $0, port: port).description
                },
                dataPath: folder,
                discovery: DiscoveryInfo(backend: .none, state: mode == .off ? .off : .starting)
            )
        )
        let control = LocalControl(inbox: inbox, store: store, newsroom: newsroom, facts: facts)
        let threads = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let server = ControlServer(path: daemon.paths.socketToServe, node: control, group: threads)
        do {
            try await server.start()
            try daemon.paths.publish()
        } catch {
            await server.stop()
            await links.stop()
            store.close()
            let what = error as? ControlError
            throw DaemonError(what?.message ?? "\(error)", advice: what?.advice ?? "")
        }

        node = Node(engine: engine, inbox: inbox, runner: runner)
        discovery = try Self.discovery(mode, settings, identity, port, logger)
        readyLine = "ready: \(snapshot.profile.name) \(identity.prefix), port \(port), socket \(server.path)"
        (self.store, self.links, self.inbox, self.newsroom, self.facts) = (store, links, inbox, newsroom, facts)
        (self.server, self.threads, self.brokenStore, self.paths) = (server, threads, brokenStore, daemon.paths)
        self.logger = logger
        await node.start()
    }
}

// MARK: - Parts

extension Assembly {
    private static func prepare(_ folder: String) throws(DaemonError) {
        do {
            try FileManager.default.createDirectory(
                atPath: folder,
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
        } catch {
            throw DaemonError(
                "The data folder \(folder) cannot be made: \(error.localizedDescription)",
                advice: "Give another one with --data-dir, or make it yours."
            )
        }
    }

    private static func openStore(
        _ folder: String,
        _ identity: PeerID,
        _ replica: ReplicaID,
        _ profile: ProfileRecord
    ) throws(DaemonError) -> (store: Store, epoch: UInt64, snapshot: EngineSnapshot) {
        do {
            let store = try Store.open(at: folder, identity: identity, newReplica: replica, profile: profile)
            return (store, try store.beginEpoch(), try store.snapshot())
        } catch {
            throw DaemonError(error.message, advice: error.advice)
        }
    }

    private static func discovery(
        _ mode: DiscoveryMode,
        _ settings: Settings,
        _ identity: PeerID,
        _ port: UInt16,
        _ logger: Logger
    ) throws(DaemonError) -> (any Discovery)? {
        guard mode != .off else { return nil }
        do {
            let instance = try ServiceInstance(
                name: ServiceInstance.randomName(),
                port: port,
                peerIDPrefix: settings.hidden ? nil : identity.prefix,
                workspaceTags: []
            )
            let options = DiscoveryOptions(
                mode: mode,
                interfaces: settings.mdnsInterfaces,
                cacheLimit: Limits.sightings
            )
            return MulticastDiscovery(instance: instance, options: options, logger: logger)
        } catch {
            throw DaemonError("Discovery cannot start: \(error)", advice: "Turn it off with --mdns off.")
        }
    }

    private static func loginName() -> String {
        let name = NSUserName()
        return name.isEmpty ? "parlance" : String(name.prefix(Limits.nameBytes))
    }

    private static func seed() -> UInt64 {
        RandomBytes.bytes(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// What runs, in the order of dependency; it stops in reverse.
    func services(_ logger: Logger) -> ServiceGroup {
        var services: [any Service] = [StoreWatch(broken: brokenStore)]
        if let discovery {
            services.append(
                DiscoveryService(discovery: discovery, inbox: inbox, facts: facts, newsroom: newsroom, logger: logger)
            )
        }
        return ServiceGroup(
            services: services,
            gracefulShutdownSignals: [.sigterm, .sigint],
            logger: logger
        )
    }

    /// Goodbye to watchers and peers; then the store is closed, and nothing accepted is in memory only.
    func shutDown() async {
        newsroom.publish(.stopping(StoppingEvent(why: "The daemon stops.")))
        await server.stop()
        paths.withdraw()
        await node.stop()
        await links.stop()
        store.close()
        try? await threads.shutdownGracefully()
    }
}
