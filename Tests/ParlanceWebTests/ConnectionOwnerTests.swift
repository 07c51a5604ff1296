import Foundation
import HTTPTypes
import NIOCore
import NIOEmbedded
import NIOHTTPTypes
import NIOPosix
import Testing

@testable import ParlanceWeb

/// With real sockets: what the kernel tells of them cannot be made up.
@Suite struct ConnectionOwnerTests {
    private func withListener(_ body: (UInt16) async throws -> Void) async throws {
        let listener = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.backlog, value: 8)
            .bind(host: "127.0.0.1", port: 0).get()
        try await body(try #require(listener.localAddress?.port.flatMap { UInt16(exactly: $0) }))
        try await listener.close()
    }

    /// - Returns: the client's port.
    private func withClient(_ host: String, _ port: UInt16, _ body: (UInt16) throws -> Void) async throws {
        let client = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connect(host: host, port: Int(port)).get()
        try body(try #require(client.localAddress?.port.flatMap { UInt16(exactly: $0) }))
        try await client.close()
    }

    @Test(arguments: ["127.0.0.1", "::ffff:127.0.0.1"])
    func theOwnerOfTheClientsEndIsFound(_ host: String) async throws {
        try await withListener { port in
            try await withClient(host, port) { client in
                #expect(ConnectionOwner.user(from: client, to: port) == getuid())
                #expect(ConnectionOwner.user(from: client, to: port &+ 1) == nil)
                #expect(ConnectionOwner.user(from: port, to: client &+ 1) == nil)
            }
        }
    }

    /// The kernel shows a closed one as root's, who would be let in.
    @Test func aClosedOneIsNobodys() async throws {
        try await withListener { port in
            var closed: UInt16 = 0
            try await withClient("127.0.0.1", port) { closed = $0 }
            #expect(ConnectionOwner.user(from: closed, to: port) == nil)
        }
    }

    @Test func aListenerIsNoClient() async throws {
        try await withListener { port in
            #expect(ConnectionOwner.isTold(listeningAt: port))
            #expect(ConnectionOwner.user(from: port, to: 0) == nil)
        }
    }

    /// A client that reset its connection before it was taken has no address any more.
    @Test func aConnectionWithoutAnAddressIsClosed() async throws {
        let channel = EmbeddedChannel(handler: PageConnection())
        channel.pipeline.fireChannelActive()
        try channel.writeInbound(
            HTTPRequestPart.head(HTTPRequest(method: .get, scheme: "http", authority: "a", path: "/"))
        )
        #expect(try channel.readInbound(as: HTTPRequestPart.self) == nil)
        #expect(!channel.isActive)
    }
}
