import CParlanceSystem
package import NIOCore
import NIOPosix
import ParlanceWords
import Synchronization

/// Serves a node on a Unix socket, only to the user of this process and to root.
package final class ControlServer: Sendable {
    /// The path of the socket.
    package let path: String

    private let node: any NodeControl
    /// One table for all connections.
    private let methods: ControlMethods
    private let group: any EventLoopGroup
    private let admits: @Sendable (_ uid: Int) -> Bool
    private let eventLimit: Int
    private let stopSeconds: Int64
    private let state = Mutex(State())

    private struct State {
        var listener: (any Channel)?
        var connections: [ObjectIdentifier: any Channel] = [:]
        var isStopping = false
    }

    /// Serves `node` at `path` (see `ControlPaths.socketToServe`), on the loops of `group`.
    package convenience init(path: String, node: any NodeControl, group: any EventLoopGroup) {
        let own = Int(SocketFile.ownUser)
        self.init(path: path, node: node, group: group, admits: { $0 == own || $0 == 0 })
    }

    /// As above, with other rules for tests.
    init(
        path: String,
        node: any NodeControl,
        group: any EventLoopGroup,
        admits: @escaping @Sendable (_ uid: Int) -> Bool,
        eventLimit: Int = ControlLimits.subscriberBufferBytes,
        stopSeconds: Int64 = ControlLimits.stopSeconds
    ) {
        self.path = path
        self.node = node
        methods = node.methods
        self.group = group
        self.admits = admits
        self.eventLimit = eventLimit
        self.stopSeconds = stopSeconds
    }

    /// Creates the folder (0700) and the socket (0600), and starts to serve.
    ///
    /// Replaces a socket file that nobody answers. Throws `ControlError` if another daemon answers there, if another
    /// user owns the folder, or if the socket cannot be created.
    package func start() async throws {
        try SocketFile.prepare(path)
        let bootstrap = ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 64)
            .serverChannelInitializer { channel in
                // Without free file descriptors, pause accepting instead of spinning.
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(AcceptBackoffHandler())
                }
            }
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelOption(
                .writeBufferWaterMark,
                value: .init(low: ControlLimits.outputLowWater, high: ControlLimits.outputHighWater)
            )
            .childChannelInitializer { [self] channel in
                channel.eventLoop.makeCompletedFuture { try accept(channel) }
            }
        let listener: any Channel
        do {
            listener = try await bootstrap.bind(unixDomainSocketPath: path).get()
        } catch {
            throw SocketFile.cannotListen(path, "\(error)")
        }
        do {
            try SocketFile.restrict(path)
        } catch {
            try? await listener.close().get()
            throw error
        }
        state.withLock { $0.listener = listener }
    }

    /// Takes no more connections and requests, answers the earlier requests, closes the connections, and removes the
    /// socket. The node must still answer.
    package func stop() async {
        let (listener, connections) = state.withLock { state in
            state.isStopping = true
            return (state.listener, Array(state.connections.values))
        }
        // Closing the listener also removes the socket's file.
        try? await listener?.close().get()
        for channel in connections {
            channel.pipeline.fireUserInboundEventTriggered(ControlConnection.Stop())
            // A client that does not read must not delay the stop.
            channel.eventLoop.scheduleTask(in: .seconds(stopSeconds)) { channel.close(promise: nil) }
        }
        for channel in connections { try? await channel.closeFuture.get() }
    }

    private func accept(_ channel: any Channel) throws {
        let uid = try channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) {
            parlance_peer_uid($0)
        }
        guard let uid, admits(uid) else { return refuse(channel, .otherUser) }
        guard enter(channel) else { return refuse(channel, .tooMany) }
        channel.closeFuture.whenComplete { [self] _ in
            state.withLock { $0.connections[ObjectIdentifier(channel)] = nil }
        }
        let connection = ControlConnection(node: node, methods: methods, eventLimit: eventLimit)
        try channel.pipeline.syncOperations.addHandler(connection)
    }

    private func enter(_ channel: any Channel) -> Bool {
        state.withLock { state in
            guard state.connections.count < ControlLimits.connections, !state.isStopping else { return false }
            state.connections[ObjectIdentifier(channel)] = channel
            return true
        }
    }

    /// Tells a connection why it is not served, and closes it once it is active.
    private func refuse(_ channel: any Channel, _ reason: RefusedConnection.Reason) {
        try? channel.pipeline.syncOperations.addHandler(RefusedConnection(reason: reason))
    }
}
