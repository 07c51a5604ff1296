package import Logging
package import NIOCore
package import ParlanceCore
package import ParlanceNetwork
package import ParlanceProfile
import ParlanceSodium
import ParlanceStore

// The parts of a node that follow from its profile.
extension OpenedProfile {
    /// Its links, which do not listen yet.
    ///
    /// - Parameter openFiles: how many files the process may open.
    package func links(
        to inbox: Inbox,
        openFiles: Int,
        logger: Logger,
        group: any EventLoopGroup
    ) -> LinkService {
        let local = LocalIdentity(signingKey: key, replica: store.replica, epoch: epoch)
        var configuration = LinkService.Configuration(identity: local, openFiles: openFiles)
        configuration.workspaceKeys = snapshot.workspace?.keys ?? []
        let links = LinkService(configuration, observer: inbox, logger: logger, group: group)
        links.setAcceptedPeers(acceptedPeers)
        return links
    }

    /// Its engine, as the store tells it; the parameters are those of `Engine`.
    package func engine(
        listeningPort: UInt16,
        fixed: [Endpoint],
        acceptsMembers: Bool,
        autoFetchBytes: UInt64,
        fileRate: UInt64?,
        authorDayBytes: UInt64?
    ) -> Engine {
        Engine(
            snapshot: snapshot,
            signer: key,
            identity: store.identity,
            replica: store.replica,
            listeningPort: listeningPort,
            fixed: fixed,
            acceptsMembers: acceptsMembers,
            autoFetchBytes: autoFetchBytes,
            fileRate: fileRate,
            authorDayBytes: authorDayBytes,
            entropy: SecretBytes(randomCount: 32),
            seed: RandomBytes.bytes(8).reduce(0) { $0 << 8 | UInt64($1) },
            at: Instant(monotonic: Moment.now().monotonic, wall: WallClock.milliseconds())
        )
    }

    /// What carries out the effects of the engine.
    package func runner(
        _ links: LinkService,
        _ files: ShelfService,
        _ inbox: Inbox,
        _ hub: EventHub,
        _ announcer: Announcer,
        logger: Logger,
        onBrokenStore: @escaping @Sendable (String) -> Void
    ) -> EffectRunner {
        EffectRunner(
            store: store,
            links: links,
            shelf: files,
            inbox: inbox,
            hub: hub,
            logger: logger,
            onBrokenStore: onBrokenStore,
            onNewReplica: { [key] replica in
                // A replica begins with its first start.
                links.identity = links.identity.renewed(as: replica, signingKey: key)
            },
            recordReplica: { [guardKeeper] in guardKeeper.adopt($0) },
            onNewKeys: { keys in
                links.workspaceKeys = keys
                announcer.use(workspaceTags: keys.map(\.tag))
            }
        )
    }
}
