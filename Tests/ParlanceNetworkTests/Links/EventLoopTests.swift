import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import ParlanceNetwork

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// A loop that always has work reads its sockets all the same (sync.md, "One peer's flood").
@Suite struct EventLoopTests {
    private final class Reader: ChannelInboundHandler, Sendable {
        typealias InboundIn = ByteBuffer
        let hasRead = Atomic<Bool>(false)

        func channelRead(context: ChannelHandlerContext, data: NIOAny) { hasRead.store(true, ordering: .relaxed) }
    }

    /// Works on the loop in steps until something was read, or for so many.
    private static func work(_ step: Int, of most: Int, on loop: any EventLoop, _ reader: Reader, _ peer: Int32)
        -> EventLoopFuture<Int>
    {
        // It is sent while the loop is at work, as a friend's message is.
        if step == 0 { _ = write(peer, "x", 1) }
        if step == most || reader.hasRead.load(ordering: .relaxed) { return loop.makeSucceededFuture(step) }
        let next = loop.makePromise(of: Int.self)
        loop.executeAfterSockets { next.completeWith(work(step + 1, of: most, on: loop, reader, peer)) }
        return next.futureResult
    }

    @Test func workInStepsLetsTheLoopRead() async throws {
        var ends: [Int32] = [0, 0]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        let peer = ends[1]
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let reader = Reader()
        let channel = try await NIOPipeBootstrap(group: loop)
            .channelInitializer { $0.pipeline.addHandler(reader) }
            .takingOwnershipOfDescriptor(inputOutput: ends[0]).get()
        let steps = try await loop.flatSubmit { Self.work(0, of: 500, on: loop, reader, peer) }.get()
        #expect((1..<500).contains(steps), "read after \(steps) steps")
        try await channel.close()
        close(peer)
    }
}
