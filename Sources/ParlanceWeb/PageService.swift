import Glibc
import HummingbirdCore
package import Logging
import NIOCore
import NIOPosix
package import ParlanceControl
import ServiceLifecycle

/// Serves the local page on 127.0.0.1 (protocol/page.md). What goes wrong here never stops the node, and has a thread of its
/// own, so that whoever asks much of the page keeps nobody else waiting.
package struct PageService: Service {
    private let keys: PageKeys
    private let responder: PageResponder
    private let threads = PageThreads()
    private let port: UInt16
    private let logger: Logger

    /// - Parameters:
    ///   - port: the one to try first; 0 for any.
    ///   - copy: copies a file that the user sends.
    package init(
        _ node: any NodeControl,
        keys: PageKeys,
        port: UInt16,
        logger: Logger,
        copy: @escaping PageFileCopy
    ) {
        (self.keys, self.port, self.logger) = (keys, port, logger)
        responder = PageResponder(keys: keys, node: node, threads: threads, copy: copy)
    }

    /// It lives as long as the process: the server does its last work on it after its `run` has returned.
    private static let thread = MultiThreadedEventLoopGroup(numberOfThreads: 1)

    package func run() async throws {
        await withGracefulShutdownHandler {
            await keepServing(on: Self.thread)
        } onGracefulShutdown: {
            responder.stop()
        }
        await threads.stop()
    }

    /// A service that ends early would end the daemon, so this goes on until the daemon stops.
    private func keepServing(on group: any EventLoopGroup) async {
        // Browsers that were let in know the port of before.
        var ports = [port] + (keys.notedPort.map { [$0] } ?? [])
        while true {
            let served = await serve(onFirstOf: ports, group)
            if isEnding { return }
            if let served {
                logger.warning("The page's server has ended and is started again.")
                ports = [served]
            } else {
                keys.hasNoPort()
                logger.warning("The page cannot be served: no port of 127.0.0.1 can be used. It is tried again.")
            }
            await pause(on: group)
            if isEnding { return }
        }
    }

    private var isEnding: Bool { Task.isShuttingDownGracefully || Task.isCancelled }

    private func pause(on group: any EventLoopGroup) async {
        let pause = group.next().scheduleTask(in: .seconds(PageLimits.pauseSeconds)) {}
        await cancelWhenGracefulShutdown {
            await withTaskCancellationHandler {
                try? await pause.futureResult.get()
            } onCancel: {
                pause.cancel()
            }
        }
    }

    /// - Returns: the port on which the page was served; nil if none can be used.
    private func serve(onFirstOf ports: [UInt16], _ group: any EventLoopGroup) async -> UInt16? {
        for port in ports + [0] {
            if let served = await serve(port, group) { return served }
        }
        return nil
    }

    private func serve(_ port: UInt16, _ group: any EventLoopGroup) async -> UInt16? {
        var quiet = logger
        // The server's own words are of no use to people.
        quiet.logLevel = max(logger.logLevel, .warning)
        let server = Server(
            childChannelSetup: HTTP1Channel(
                responder: { [responder] request, writer, channel in
                    let response = await responder.respond(to: request, on: channel)
                    try await writer.write(response: response.head, body: response.body)
                },
                configuration: HTTP1Channel.Configuration(
                    additionalChannelHandlers: [PageConnection()],
                    idleTimeout: .seconds(PageLimits.idleSeconds),
                    httpDecoderConfiguration: .init(
                        maxHeaderFieldSize: PageLimits.headerBytes,
                        maxHeaderListSize: PageLimits.headerBytes
                    )
                )
            ),
            configuration: ServerConfiguration(
                address: .hostname("127.0.0.1", port: Int(port)),
                availableConnectionsDelegate: MaximumAvailableConnections(PageLimits.connections)
            ),
            onServerRunning: { channel in await began(on: channel) },
            eventLoopGroup: group,
            logger: quiet
        )
        do {
            try await server.run()
        } catch {
            keys.failed(on: port, (error as? IOError)?.errnoCode ?? 0)
            let reason = (error as? IOError).map { String(cString: strerror($0.errnoCode)) } ?? "\(error)"
            logger.info("The page cannot be served on a port.", metadata: ["port": "\(port)", "reason": "\(reason)"])
        }
        return keys.stop()
    }

    private func began(on channel: any Channel) async {
        let port = UInt16(clamping: channel.localAddress?.port ?? 0)
        keys.use(port: port)
        if !ConnectionOwner.isTold(listeningAt: port) {
            logger.warning("The page answers nobody: the kernel does not tell whose a connection is (inet_diag).")
        }
        // Without free file descriptors, pause accepting: the error would end the server.
        let added = channel.eventLoop.submit { [logger] in
            var told = NIODeadline.distantPast
            let pause = AcceptBackoffHandler(shouldForwardIOErrorCaught: false) { error in
                if NIODeadline.now() - told > .seconds(PageLimits.pauseSeconds) {
                    told = .now()
                    logger.warning("The page takes no connections for now.", metadata: ["error": "\(error)"])
                }
                return .seconds(1)
            }
            try channel.pipeline.syncOperations.addHandler(pause, position: .first)
        }
        // It fails only if the channel has closed meanwhile, which the server notices itself.
        try? await added.get()
    }
}
