import Foundation
import NIOCore
import NIOPosix
import ParlanceCore
import ParlanceSodium
import ParlanceWaiting
import ParlanceWire
import ParlanceWords
import Testing

@testable import ParlanceNetwork

/// A dial is answered once, and a failure has a reason.
@Suite struct LinkDialTests {
    /// A server that does one thing to each connection.
    private func withServer(
        doing onConnection: @escaping @Sendable (any Channel) -> Void,
        _ body: (UInt16) async throws -> Void
    ) async throws {
        let server = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    channel.eventLoop.execute { onConnection(channel) }
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        try await body(UInt16(try #require(server.localAddress?.port)))
        try await server.close()
    }

    private let sayNothing: @Sendable (any Channel) -> Void = { _ in }
    private let hangUp: @Sendable (any Channel) -> Void = { $0.close(promise: nil) }
    private let answerInHTTP: @Sendable (any Channel) -> Void = {
        $0.writeAndFlush(ByteBuffer(string: "HTTP/1.1 400 Bad Request\r\n\r\n"), promise: nil)
    }

    @Test func aClosedPortSaysSo() async throws {
        let node = TestNode(1)
        for host in ["127.0.0.1", "::1"] {
            // Bound and not listening: nobody answers there, and nobody else can use the port in the meantime.
            let server = try ClosedPort(host)
            #expect(try await node.failureDialling(host, server.port) == "connection refused")
        }
        await node.service.stop()
    }

    @Test(arguments: [
        ("fe80::1", "a link-local address needs its interface"),
        ("fe80::1%nosuch9", "this machine has no interface nosuch9"),
        ("fe80::1%4000000000", "this machine has no interface 4000000000"),
    ])
    func anAddressWithoutItsInterfaceSaysSo(_ host: String, _ reason: String) async throws {
        let node = TestNode(1)
        #expect(try await node.failureDialling(host, 4747) == reason)
        await node.service.stop()
    }

    @Test func peopleSeeTheNameOfAnInterface() {
        let number = if_nametoindex("lo")
        #expect(Endpoint(host: "fe80::2%\(number)", port: 4747).named.description == "[fe80::2%lo]:4747")
        for host in ["fe80::2%lo", "fe80::2%4000000000", "fe80::2", "10.0.0.1", "ship.lan", "3"] {
            #expect(Endpoint(host: host, port: 4747).named.host == host)
        }
    }

    /// A node that is dialled through somebody who passes its bytes on to itself has no twin. One that runs with its
    /// identity and calls has.
    @Test func onlyAnotherNodeIsATwin() async throws {
        let node = TestNode(1)
        let port = try await node.service.start(addresses: ["127.0.0.1"], port: 0)
        let passOn: @Sendable (any Channel) -> Void = { caller in
            // Nothing is read before there is somewhere to pass it on to.
            _ = caller.setOption(.autoRead, value: false)
            let connecting = ClientBootstrap(group: caller.eventLoop)
                .channelInitializer { $0.pipeline.addHandler(PassingOn(to: caller)) }
                .connect(host: "127.0.0.1", port: Int(port))
            connecting.whenSuccess { other in
                caller.pipeline.addHandler(PassingOn(to: other))
                    .whenComplete { _ in _ = caller.setOption(.autoRead, value: true) }
            }
        }
        try await withServer(doing: passOn) { relay in
            let failure = try await node.failureDialling("127.0.0.1", relay)
            #expect(failure == "this node itself answers at that address")
            #expect(node.service.refusedCalls == [])
        }
        let twin = TestNode(1) { $0.identity = .sample(1, noiseKey: .generate()) }
        let earliest = Date()
        for _ in 0..<2 { #expect(try await twin.failureDialling("127.0.0.1", port) != nil) }
        let calls = try await soon("both calls are noted") {
            node.service.refusedCalls.first?.count == 2 ? node.service.refusedCalls : nil
        }
        #expect(calls.map(\.reason) == [.twin] && calls[0].place.host == "127.0.0.1")
        #expect(calls[0].place.port != 0 && calls[0].place.port != port)
        let first = Date(timeIntervalSince1970: Double(calls[0].since) / 1_000)
        #expect(first.timeIntervalSince(earliest) > -0.01 && first <= Date())
        await twin.service.stop()
        await node.service.stop()
    }

    /// Writes what it reads to another connection.
    private final class PassingOn: ChannelInboundHandler, Sendable {
        typealias InboundIn = ByteBuffer
        private let other: any Channel

        init(to other: any Channel) { self.other = other }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            other.writeAndFlush(unwrapInboundIn(data), promise: nil)
        }

        func channelInactive(context: ChannelHandlerContext) { other.close(promise: nil) }
    }

    private final class ClosedPort {
        let port: UInt16
        private let socket: NIOBSDSocket.Handle

        init(_ host: String) throws {
            let address = try SocketAddress(ipAddress: host, port: 0)
            let isNew = host.contains(":")
            socket = Foundation.socket(isNew ? AF_INET6 : AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            try #require(socket >= 0)
            var bound = sockaddr_storage()
            var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
            let handle = socket
            let code = address.withSockAddr { Foundation.bind(handle, $0, socklen_t($1)) }
            try #require(code == 0)
            let told = withUnsafeMutablePointer(to: &bound) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(handle, $0, &length) }
            }
            try #require(told == 0)
            // The port has the same offset in both families.
            port = withUnsafeBytes(of: &bound) {
                UInt16(bigEndian: $0.loadUnaligned(fromByteOffset: 2, as: UInt16.self))
            }
        }

        deinit { Foundation.close(socket) }
    }

    @Test func whoeverIsNotAPeerIsNamedAsSuch() async throws {
        let node = TestNode(1)
        let hasty = TestNode(2) { $0.handshakeTime = .milliseconds(200) }
        let closed = DialFailure.notTaken.text.english
        try await withServer(doing: hangUp) { port in
            let reason = try await node.failureDialling("127.0.0.1", port)
            #expect(reason == closed)
        }
        try await withServer(doing: answerInHTTP) { port in
            let reason = try await node.failureDialling("127.0.0.1", port)
            #expect(reason == "the handshake failed: a handshake message of 18516 bytes is over 1024")
        }
        try await withServer(doing: sayNothing) { port in
            let reason = try await hasty.failureDialling("127.0.0.1", port)
            #expect(reason == "the handshake failed: timed out")
        }
        await node.service.stop()
        await hasty.service.stop()
        #expect(node.inbox.now.opened.isEmpty && node.inbox.now.failed.count == 2)
        #expect(hasty.inbox.now.opened.isEmpty && hasty.inbox.now.failed.count == 1)
    }

    @Test func aWrongPeerIsRefusedAndSoIsOneself() async throws {
        let (a, b) = (TestNode(1), TestNode(2))
        let portOfA = try await a.service.start(addresses: ["127.0.0.1"], port: 0)
        let portOfB = try await b.service.start(addresses: ["127.0.0.1"], port: 0)
        let other = LocalIdentity.sample(3).peer
        #expect(
            try await a.failureDialling("127.0.0.1", portOfB, expecting: other)
                == "somebody else answers at that address"
        )
        #expect(try await a.failureDialling("127.0.0.1", portOfA) == "this node itself answers at that address")
        await a.service.stop()
        await b.service.stop()
    }

    @Test func aWorkspaceTriesItsNewestKeyAndThenThePrevious() async throws {
        let (new, old) = (WorkspaceKey.sample(1), WorkspaceKey.sample(2))
        let rotated = TestNode(1, keys: [new, old])
        let behind = TestNode(2, keys: [old])
        let open = TestNode(3)
        let port = try await behind.service.start(addresses: ["127.0.0.1"], port: 0)
        #expect(try await rotated.failureDialling("127.0.0.1", port) == nil)
        #expect(
            try await open.failureDialling("127.0.0.1", port)
                == DialFailure.notTaken.text.english
        )
        let openPort = try await open.service.start(addresses: ["127.0.0.1"], port: 0)
        #expect(
            try await rotated.failureDialling("127.0.0.1", openPort)
                == DialFailure.notTaken.text.english
        )
        #expect(rotated.inbox.now.opened.count == 1 && rotated.inbox.now.failed.count == 1)
        for node in [rotated, behind, open] { await node.service.stop() }
    }
}
