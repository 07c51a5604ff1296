package import Logging
package import NIOCore
import NIOPosix
package import ParlanceCore
package import ParlanceWire
import Synchronization

/// The links of this node: listens, dials, and moves frames.
/// All methods may be called from any thread and return at once; the observer is told what happens. The service is
/// built of channel handlers and futures, because NIO's async server channels trap when they are cancelled with accepts
/// waiting.
package final class LinkService: Sendable {
    /// The most frames that are handed to the observer at once.
    package static let batch = 64
    /// The port that a node uses if it is free.
    package static let preferredPort: UInt16 = 4747

    /// The settings for a node's links.
    package struct Configuration: Sendable {
        package var identity: LocalIdentity
        /// Newest first; none: an open node.
        package var workspaceKeys: [WorkspaceKey] = []
        var quota: LinkQuota.Sizes
        /// The first descriptor at which no more links are accepted: those from there on are kept for the store and for
        /// people.
        var firstKeptDescriptor: Int
        /// The time for the whole handshake; tests make it shorter.
        var handshakeTime = TimeAmount.seconds(Int64(Limits.handshakeSeconds))
        /// How long a peer may take to answer the end of the stream with its own; tests make it longer.
        var closingTime = TimeAmount.seconds(2)
        /// How long the peer's machine may acknowledge nothing before the link counts as stalled, and how often a link is
        /// looked at until then; tests make both shorter.
        var stallTime = TimeAmount.milliseconds(Limits.stallMilliseconds)
        var stallLookTime = TimeAmount.milliseconds(Limits.stallLookMilliseconds)

        /// - Parameter openFiles: how many files the process may open; strangers' links use only a part of them.
        package init(identity: LocalIdentity, openFiles: Int = .max) {
            self.identity = identity
            quota = LinkQuota.Sizes(openFiles: openFiles)
            firstKeptDescriptor = openFiles - min(Limits.descriptorsKept, openFiles / 8)
        }
    }

    struct State {
        /// Newest first; none: an open node.
        var keys: [WorkspaceKey]
        var identity: LocalIdentity
        var quota: LinkQuota
        var links: [LinkID: Link] = [:]
        /// The quota for links of peers that are not accepted.
        var places: [LinkID: LinkQuota.Place] = [:]
        /// Connections that have not authenticated and count against the total, by the numbers of their places.
        var halfOpen: [UInt64: any Channel] = [:]
        /// Peers whose links need no admission, so that strangers do not keep them out when they come back.
        var acceptedPeers: Set<PeerID> = []
        var listening = Listening()
        var refusedCalls: [(call: RefusedCall, last: NIODeadline)] = []
        var lastLink: UInt64 = 0
        var isStopping = false
        /// The event loops are about to end, and accept no more work.
        var hasStopped = false
    }

    let handshakeTime: TimeAmount
    let closingTime: TimeAmount
    let stallTime: TimeAmount
    let stallLookTime: TimeAmount
    let firstKeptDescriptor: Int
    let observer: any LinkObserver
    let logger: Logger
    let group: any EventLoopGroup
    /// The event loop that was made for these links alone, and ends with them.
    private let ownGroup: MultiThreadedEventLoopGroup?
    let state: Mutex<State>

    /// - Parameter group: the event loops of the links, which must run until `stop` has returned; `nil` for one that is
    ///   made for them. One processes hundreds of thousands of frames a second.
    package init(
        _ configuration: Configuration,
        observer: any LinkObserver,
        logger: Logger = Logger(label: "parlance.links"),
        group: (any EventLoopGroup)? = nil
    ) {
        handshakeTime = configuration.handshakeTime
        closingTime = configuration.closingTime
        stallTime = configuration.stallTime
        stallLookTime = configuration.stallLookTime
        firstKeptDescriptor = configuration.firstKeptDescriptor
        self.observer = observer
        self.logger = logger
        if let group {
            (self.group, ownGroup) = (group, nil)
        } else {
            let own = MultiThreadedEventLoopGroup(numberOfThreads: 1)
            (self.group, ownGroup) = (own, own)
        }
        state = Mutex(
            State(
                keys: configuration.workspaceKeys,
                identity: configuration.identity,
                quota: LinkQuota(configuration.quota)
            )
        )
    }

    /// The identity of this node on links that open from now on.
    package var identity: LocalIdentity {
        get { state.withLock { $0.identity } }
        set { state.withLock { $0.identity = newValue } }
    }

    /// The workspace keys with which links are accepted and opened from now on, newest first; if empty, open links
    /// only.
    package var workspaceKeys: [WorkspaceKey] {
        get { state.withLock { $0.keys } }
        set {
            state.withLock { state in
                guard state.keys != newValue else { return }
                state.keys = newValue
                state.refusedCalls.removeAll { $0.call.reason == .otherNetwork }
            }
        }
    }

    /// Sends a frame on a link, after those sent before from the same thread. Nothing happens if the link is closed.
    ///
    /// - Returns: the bytes of the frame; 0 if the link has ended.
    @discardableResult
    package func send(_ id: LinkID, _ frame: WireFrame) -> Int {
        guard let link = state.withLock({ $0.links[id] }) else { return 0 }
        let bytes = frame.encodedBytes()
        switch link.outbox.append(bytes) {
        case .nothing: break
        case .schedule: link.run { $0.drainOutbox() }
        case .overflow: link.run { $0.overflow() }
        }
        return bytes.count
    }

    /// Sends what waits and a closing record, then closes.
    package func close(_ id: LinkID) {
        guard let link = state.withLock({ $0.links[id] }) else { return }
        link.run { $0.closeGracefully() }
    }

    /// Sets whether the peer of this link is accepted, which decides the quotas of this link and of its later links.
    package func setAccepted(_ id: LinkID, _ accepted: Bool) {
        let link = state.withLock { state -> Link? in
            guard let link = state.links[id] else { return nil }
            state.setAccepted(link, accepted)
            return link
        }
        link?.run { $0.setAccepted(accepted) }
    }

    /// Sets at start which peers are accepted, so that their first links need no admission.
    package func setAcceptedPeers(_ peers: some Sequence<PeerID>) {
        state.withLock { $0.acceptedPeers.formUnion(peers) }
    }

    /// Closes all links with closing records and stops listening; returns when all have ended, after 2 seconds at most.
    package func stop() async {
        let (listeners, links) = state.withLock { state in
            state.isStopping = true
            return (exchange(&state.listening.sockets, with: [:]), state.links.values.sorted { $0.id < $1.id })
        }
        for listener in listeners.values { try? await listener.close() }
        for link in links { link.run { $0.closeGracefully() } }
        for link in links { try? await link.channel.closeFuture.get() }
        state.withLock { $0.hasStopped = true }
        do {
            try await ownGroup?.shutdownGracefully()
        } catch {
            logger.warning("The network's thread did not stop cleanly")
        }
    }
}

// MARK: - What handlers ask for

extension LinkService {
    /// Turns an authenticated connection into a link; `nil` if there is no room for one more whose peer is not
    /// accepted.
    func register(
        _ handler: LinkHandler,
        peer: PeerID,
        group: AddressGroup,
        on channel: any Channel
    ) -> (link: Link, accepted: Bool)? {
        let registered = state.withLock { state -> (id: LinkID, accepted: Bool)? in
            guard !state.isStopping else { return nil }
            let accepted = state.acceptedPeers.contains(peer)
            let id = LinkID(state.lastLink + 1)
            if accepted {
                state.quota.remember(group)
            } else {
                guard let place = state.quota.startUnaccepted(group) else { return nil }
                state.places[id] = place
            }
            state.lastLink += 1
            return (id, accepted)
        }
        guard let registered else { return nil }
        let link = Link(id: registered.id, peer: peer, group: group, channel: channel, handler: handler)
        state.withLock { $0.links[link.id] = link }
        logger.debug("A link opened", metadata: ["peer": "\(peer)"])
        return (link, registered.accepted)
    }

    func unregister(_ link: Link) {
        link.outbox.close()
        state.withLock { state in
            state.links[link.id] = nil
            if let place = state.places.removeValue(forKey: link.id) { state.quota.endUnaccepted(place) }
        }
        logger.debug("A link closed", metadata: ["peer": "\(link.peer)"])
    }

    /// Resumes a link that waited for the full inbox.
    func resume(_ link: Link) {
        guard !state.withLock({ $0.hasStopped }) else { return }
        link.run { $0.resume() }
    }

    func endUnauthenticated(_ place: LinkQuota.Place) {
        state.withLock { state in
            state.halfOpen[place.number] = nil
            state.quota.endUnauthenticated(place)
        }
    }
}

extension LinkService.State {
    mutating func setAccepted(_ link: Link, _ accepted: Bool) {
        if accepted {
            acceptedPeers.insert(link.peer)
            quota.remember(link.group)
            if let place = places.removeValue(forKey: link.id) { quota.endUnaccepted(place) }
        } else {
            acceptedPeers.remove(link.peer)
            if places[link.id] == nil { places[link.id] = quota.holdUnaccepted(link.group) }
        }
    }
}
