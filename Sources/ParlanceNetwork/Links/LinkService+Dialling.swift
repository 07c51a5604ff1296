import NIOCore
import NIOPosix
package import ParlanceCore
package import ParlanceWire
import Synchronization

extension LinkService {
    /// Seconds for establishing a connection, including the look-up of the name.
    static let connectSeconds: Int64 = 5

    /// Tries to open a link; reports one `linkOpened` or one `dialFailed`.
    /// In a workspace the newest key is tried first, then those before it. `expecting`: the only peer to accept, if
    /// given.
    package func dial(_ id: DialID, _ endpoint: Endpoint, expecting: PeerID?) {
        connect(Dial(id: id, endpoint: endpoint, expected: expecting, keys: workspaceKeys[...]))
    }

    private func connect(_ dial: Dial) {
        guard !state.withLock({ $0.isStopping }) else { return fail(dial, .stopping) }
        guard hasRoomForLink() else { return fail(dial, .system("this node has too many files open")) }
        let bootstrap = ClientBootstrap(group: group)
            .connectTimeout(.seconds(Self.connectSeconds))
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelOption(.socketOption(.so_keepalive), value: 1)
            .channelOption(.autoRead, value: false)
            .channelOption(.maxMessagesPerRead, value: 1)
            .channelOption(.recvAllocator, value: LinkStage.unauthenticated.allocator)
        connect(bootstrap, to: dial.endpoint).whenComplete { result in
            switch result {
            case .success(let channel): channel.eventLoop.execute { self.connected(dial, channel) }
            case .failure(let error): self.fail(dial, DialFailure(connecting: error))
            }
        }
    }

    func connect(_ bootstrap: ClientBootstrap, to endpoint: Endpoint) -> EventLoopFuture<any Channel> {
        if let fault = endpoint.fault { return group.any().makeFailedFuture(UnusableEndpoint(failure: fault)) }
        guard let address = try? SocketAddress(ipAddress: endpoint.host, port: Int(endpoint.port)) else {
            return bootstrap.connect(host: endpoint.host, port: Int(endpoint.port))
        }
        return bootstrap.connect(to: address)
    }

    /// The handler is added only now: an attempt over two address families may connect twice and keep one connection.
    private func connected(_ dial: Dial, _ channel: any Channel) {
        do {
            let handler = try LinkHandler(service: self, origin: .dialled(dial))
            try channel.pipeline.syncOperations.addHandler(handler)
        } catch {
            channel.close(promise: nil)
            fail(dial, .notTaken)
        }
    }

    /// A connection was established, but not a link.
    func handshakeFailed(_ dial: Dial, _ failure: DialFailure, mayTryOtherKey: Bool) {
        guard mayTryOtherKey, dial.keys.count > 1 else { return fail(dial, failure) }
        var next = dial
        next.keys = dial.keys.dropFirst()
        connect(next)
    }

    private func fail(_ dial: Dial, _ failure: DialFailure) {
        observer.offer([.dialFailed(dial.id, failure)])
    }
}
