import Logging
import NIOPosix
import ParlanceControl
import ParlanceCore
import ParlanceErrorCode
import ParlanceNetwork
import ParlanceNode
import ParlanceProfile
import ParlanceStore
import ParlanceWire
import ParlanceWords

// How others find this node.
extension Assembly {
    /// What the node announces.
    static func instance(
        _ identity: PeerID,
        _ settings: Settings,
        _ links: LinkService,
        _ port: UInt16,
        closing store: Store,
        _ thread: MultiThreadedEventLoopGroup
    ) async throws(DaemonError) -> ServiceInstance {
        do throws(DiscoveryError) {
            return try ServiceInstance(
                name: ServiceInstance.randomName(),
                port: port,
                peerIDPrefix: settings.hidden ? nil : identity.prefix,
                workspaceTags: links.workspaceKeys.map(\.tag),
                modelPort: settings.modelPort
            )
        } catch {
            // A node that nobody finds, and that says nothing of it, would be worse than none.
            await stop(links, closing: store, thread)
            throw DaemonError(
                .internalError,
                Phrase("This node cannot be announced to others: \(String(describing: error))"),
                advice: Phrase("This is a defect of Parlance: please report it with the daemon's log.")
            )
        }
    }

    static func discovery(
        _ settings: Settings,
        _ instance: ServiceInstance,
        _ hub: EventHub,
        _ logger: Logger
    ) -> (any Discovery)? {
        guard settings.mdns != .off else { return nil }
        let options = DiscoveryOptions(
            mode: settings.mdns,
            interfaces: settings.mdnsInterfaces,
            cacheLimit: Limits.sightings
        )
        let discovery = MulticastDiscovery(instance: instance, options: options, logger: logger)
        // Heartbeats tell a new name to welcome peers only, and a stranger in sight is dialled only until it has answered.
        hub.onRenamed { discovery.announceAnew() }
        return discovery
    }
}
