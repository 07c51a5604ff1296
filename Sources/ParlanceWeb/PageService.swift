import HummingbirdCore
package import Logging
package import NIOCore
package import ParlanceControl
import ServiceLifecycle

/// Serves the local page on 127.0.0.1 (protocol/page.md). What goes wrong here never stops the node.
package struct PageService: Service {
    private let keys: PageKeys
    private let node: any NodeControl
    private let port: UInt16
    private let copy: PageFileCopy
    private let group: any EventLoopGroup
    private let logger: Logger

    /// - Parameters:
    ///   - port: the one to try first; 0 for any.
    ///   - copy: copies a file that the user sends.
    package init(
        _ node: any NodeControl,
        keys: PageKeys,
        port: UInt16,
        group: any EventLoopGroup,
        logger: Logger,
        copy: @escaping PageFileCopy
    ) {
        (self.node, self.keys, self.port, self.group, self.copy) = (node, keys, port, group, copy)
        var quiet = logger
        // The server's own words are of no use to people.
        quiet.logLevel = max(logger.logLevel, .warning)
        self.logger = quiet
    }

    package func run() async throws {
        if await serve(port) || port == 0 { return await rest() }
        // Somebody else has the port.
        if await serve(0) { return await rest() }
        logger.warning("The page cannot be served: no port of 127.0.0.1 is free.")
        await rest()
    }

    /// A service that ends early would end the daemon.
    private func rest() async { try? await gracefulShutdown() }

    /// - Returns: false if the port is taken; otherwise when the page is not served any more.
    private func serve(_ port: UInt16) async -> Bool {
        let responder = LateResponder()
        let server = Server(
            childChannelSetup: HTTP1Channel(
                responder: { request, writer, channel in
                    let response = await responder.respond(to: request, on: channel)
                    try await writer.write(response: response.head, body: response.body)
                },
                configuration: HTTP1Channel.Configuration(
                    additionalChannelHandlers: [SameUserHandler()],
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
            onServerRunning: { [keys, node, copy, logger] channel in
                let port = UInt16(channel.localAddress?.port ?? 0)
                if !ConnectionOwner.isTold(listeningAt: port) {
                    logger.warning("The page answers nobody: this system does not tell who opens a connection.")
                }
                keys.use(port: port)
                responder.begin(PageResponder(port: port, keys: keys, node: node, copy: copy))
            },
            eventLoopGroup: group,
            logger: logger
        )
        do {
            try await withGracefulShutdownHandler {
                try await server.run()
            } onGracefulShutdown: {
                responder.stop()
            }
            return true
        } catch { return responder.hasBegun }
    }
}
