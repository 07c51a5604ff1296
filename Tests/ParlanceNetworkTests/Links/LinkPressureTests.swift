import NIOCore
import NIOPosix
import ParlanceCore
import ParlanceWaiting
import ParlanceWire
import Synchronization
import Testing

@testable import ParlanceNetwork

/// Memory stays bounded when a peer is slow or hostile.
@Suite struct LinkPressureTests {
    @Test func aFullInboxStopsTheReading() async throws {
        try await LinkedNodes.run(b: TestNode(2, capacity: 10)) { nodes in
            // Until the sender's outbox overflows: then the system's buffers are full, so the peer is not reading.
            var sent = 0
            while nodes.a.inbox.now.closed.isEmpty {
                nodes.a.service.send(nodes.linkAtA, .sample(sent, padding: 10_000))
                sent += 1
                if sent > 10_000 { break }
            }
            #expect(nodes.a.inbox.now.closed[nodes.linkAtA] == .congested)
            let held = nodes.b.inbox.now.frames.count
            #expect(held >= 10 && held < 10 + LinkService.batch)
            let buffered = try await nodes.b.bufferedBytes(of: nodes.linkAtB)
            #expect(buffered <= Limits.acceptedBytes + Limits.windowBytes)
            nodes.b.inbox.drain()
            let b = try await nodes.b.inbox.wait("the rest, and the end") { !$0.closed.isEmpty }
            let inOrder = b.frames == (0..<b.frames.count).map { .sample($0, padding: 10_000) }
            #expect(inOrder && b.frames.count > held)
            #expect(b.closed[nodes.linkAtB] == .cutOff)
        }
    }

    @Test func aDrainedInboxGetsEverything() async throws {
        try await LinkedNodes.run(b: TestNode(2, capacity: 10)) { nodes in
            for number in 0..<2_000 { nodes.a.service.send(nodes.linkAtA, .sample(number, padding: 1_000)) }
            try await nodes.b.inbox.wait("full") { $0.frames.count >= 10 }
            let buffered = try await nodes.b.bufferedBytes(of: nodes.linkAtB)
            #expect(buffered <= Limits.acceptedBytes)
            #expect(nodes.b.inbox.now.frames.count < 10 + LinkService.batch)
            nodes.b.inbox.drain()
            let b = try await nodes.b.inbox.wait("all") { $0.frames.count >= 2_000 }
            let complete = b.frames == (0..<2_000).map { .sample($0, padding: 1_000) }
            #expect(complete)
        }
    }

    /// If the peer closed while the inbox was full, the end of the link is reported after everything that the peer had
    /// sent.
    @Test func anEndWaitsForAFullInbox() async throws {
        try await LinkedNodes.run(b: TestNode(2, capacity: 10)) { nodes in
            for number in 0..<200 { nodes.a.service.send(nodes.linkAtA, .sample(number)) }
            nodes.a.service.close(nodes.linkAtA)
            try await nodes.b.inbox.wait("full") { $0.frames.count >= 10 }
            #expect(nodes.b.inbox.now.closed.isEmpty)
            nodes.b.inbox.drain()
            let b = try await nodes.b.inbox.wait("closed") { !$0.closed.isEmpty }
            #expect(b.frames.count == 200 && b.closed[nodes.linkAtB] == .closed)
        }
    }

    /// Who has just joined accepts nobody, and is told of all members (workspaces.md, "Addresses").
    @Test func theLargestFrameOfAPeerThatIsNotAcceptedIsRead() async throws {
        #expect(LinkStage.unaccepted.limit == Limits.unacceptedBytes)
        #expect(Limits.unacceptedBytes >= Limits.frameBytes + LinkStage.unaccepted.readSize)
        try await LinkedNodes.run(accepted: false) { nodes in
            var large = WireFrame.sample(2, padding: Limits.frameBytes)
            large = .sample(2, padding: 2 * Limits.frameBytes - large.encodedBytes().count)
            #expect(large.encodedBytes().count == Limits.frameBytes)
            let frames: [WireFrame] = [.sample(1), large, .sample(3), large]
            for frame in frames { nodes.a.service.send(nodes.linkAtA, frame) }
            let b = try await nodes.b.inbox.wait("all") { $0.frames.count >= frames.count }
            #expect(b.frames == frames)
        }
    }

    /// A stranger's first message may arrive slowly: without its last byte it leaves room for one more read, so it is
    /// never left half read, and the result of that read is within the limit.
    @Test func aStrangerMayTakeItsTimeForTheLargestMessage() async throws {
        let stage = LinkStage.unauthenticated
        #expect(stage.limit == Limits.unauthenticatedBytes)
        let message =
            [UInt8(Limits.handshakeBytes >> 8), UInt8(Limits.handshakeBytes & 0xFF)]
            + [UInt8](repeating: 7, count: Limits.handshakeBytes)
        #expect(message.count - 1 + stage.readSize <= Limits.unauthenticatedBytes)

        let node = TestNode(2)
        let port = try await node.service.start(addresses: ["127.0.0.1"], port: 0)
        let links = Passing<any Channel>()
        let listener = try #require(node.service.state.withLock { $0.listening.sockets.first?.value })
        try await listener.pipeline.addHandler(links, position: .first).get()
        let answer = Passing<ByteBuffer>()
        let stranger = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelInitializer { $0.pipeline.addHandler(answer) }
            .connect(host: "127.0.0.1", port: Int(port)).get()
        let preamble: [UInt8] = [0x50, 0x4C, 0x4E, 1, 0, 0, 0, 0, 0]
        try await stranger.writeAndFlush(ByteBuffer(bytes: preamble + message.dropLast()))
        let buffered = try await Self.first(atLeast: message.count - 1) {
            try await links.seen.first?.bufferedByLink() ?? 0
        }
        #expect(buffered == message.count - 1)
        try await stranger.writeAndFlush(ByteBuffer(bytes: message.suffix(1)))
        let answered = try await Self.first(atLeast: 98) { answer.seen.reduce(0) { $0 + $1.readableBytes } }
        #expect(answered == 98, "it is read to its end, and answered")
        try await stranger.close()
        await node.service.stop()
    }

    @Test func strangersCannotTakeAllPlaces() async throws {
        let host = TestNode(2) { $0.quota.loopback = 64 }
        try await LinkedNodes.run(b: host) { nodes in
            var strangers: [any Channel] = []
            for _ in 0..<65 {
                strangers.append(
                    try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                        .connect(host: "127.0.0.1", port: Int(nodes.port)).get()
                )
            }
            let last = strangers.removeLast()
            try await last.closeFuture.get()
            #expect(strangers.allSatisfy { $0.isActive })
            let refused = try await TestNode.failureOfNewcomer(nodes.port)
            #expect(refused != nil)
            nodes.a.service.send(nodes.linkAtA, .sample(1))
            try await nodes.b.inbox.wait("the friend is heard") { $0.frames == [.sample(1)] }
            // A place that was returned can be used again.
            try await strangers.removeFirst().close()
            try await LinkPressureTests.untilAdmitted(nodes.port)
            for stranger in strangers { try await stranger.close() }
        }
    }

    @Test func silentStrangersAreClosedInTime() async throws {
        let usual = LinkService.Configuration(identity: .sample(2)).handshakeTime
        #expect(usual == .seconds(Int64(Limits.handshakeSeconds)))
        let node = TestNode(2) { $0.handshakeTime = .milliseconds(100) }
        let port = try await node.service.start(addresses: ["127.0.0.1"], port: 0)
        let stranger = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: Int(port)).get()
        try await stranger.closeFuture.get()
        #expect(node.inbox.now.opened.isEmpty)
        await node.service.stop()
    }

    @Test func linksOfPeersThatAreNotAcceptedAreCounted() async throws {
        let host = TestNode(2) { $0.quota.loopback = 2 }
        let port = try await host.service.start(addresses: ["127.0.0.1"], port: 0)
        let nodes = (3...5).map { TestNode($0) }
        #expect(try await nodes[0].failureDialling("127.0.0.1", port) == nil)
        #expect(try await nodes[1].failureDialling("127.0.0.1", port) == nil)
        #expect(
            try await nodes[2].failureDialling("127.0.0.1", port)
                == "the handshake failed: the other side closed the connection"
        )
        let link = try #require(try await host.inbox.wait("both") { $0.opened.count == 2 }.opened.first).link
        host.service.setAccepted(link, true)
        #expect(try await nodes[2].failureDialling("127.0.0.1", port) == nil)
        for node in nodes + [host] { await node.service.stop() }
    }
}

extension LinkPressureTests {
    /// The first number that is at least the given one.
    private static func first(atLeast least: Int, _ number: () async throws -> Int) async throws -> Int {
        try await soon("a number is at least \(least)") {
            let found = try await number()
            return found >= least ? found : nil
        }
    }

    /// Dials with new nodes until one gets in.
    static func untilAdmitted(_ port: UInt16) async throws {
        for _ in 0..<1_000 where try await TestNode.failureOfNewcomer(port) == nil { return }
        Issue.record("the place was not given back")
    }
}

extension TestNode {
    static func failureOfNewcomer(_ port: UInt16) async throws -> String? {
        let newcomer = TestNode(9)
        let failure = try await newcomer.failureDialling("127.0.0.1", port)
        await newcomer.service.stop()
        return failure
    }
}

/// Keeps everything that passes it in a pipeline.
private final class Passing<InboundIn: Sendable>: ChannelInboundHandler, Sendable {
    private let values = Mutex<[InboundIn]>([])

    var seen: [InboundIn] { values.withLock { $0 } }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let value = unwrapInboundIn(data)
        values.withLock { $0.append(value) }
        context.fireChannelRead(data)
    }
}

extension Channel {
    /// The bytes that the link of a connection holds; 0 before it is a link.
    fileprivate func bufferedByLink() async throws -> Int {
        try await eventLoop.submit {
            (try? self.pipeline.syncOperations.handler(type: LinkHandler.self).bufferedCount) ?? 0
        }.get()
    }
}
