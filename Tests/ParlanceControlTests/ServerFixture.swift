import Foundation
import NIOCore
import NIOPosix
import Testing

@testable import ParlanceControl

/// A server on a real socket in its own folder; both are removed after the test.
struct ServerFixture {
    let folder: String
    let path: String
    let node: TestNode
    let server: ControlServer

    static func with(
        admits: @escaping @Sendable (Int) -> Bool = { _ in true },
        eventLimit: Int = ControlLimits.subscriberBufferBytes,
        stopSeconds: Int64 = ControlLimits.stopSeconds,
        group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton,
        _ body: (ServerFixture) async throws -> Void
    ) async throws {
        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let node = TestNode()
        let path = folder + "/sub/control.sock"
        let server = ControlServer(
            path: path,
            node: node,
            group: group,
            admits: admits,
            eventLimit: eventLimit,
            stopSeconds: stopSeconds
        )
        try await server.start()
        do {
            try await body(ServerFixture(folder: folder, path: path, node: node, server: server))
        } catch {
            await server.stop()
            throw error
        }
        await server.stop()
    }

    static func temporaryFolder() throws -> String {
        var template = Array("/tmp/parlance-test-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw CocoaError(.fileWriteUnknown) }
        return template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    }

}

/// A connection on which a test writes raw bytes and reads raw lines.
final class RawConnection {
    private let channel: any Channel
    private var lines: AsyncStream<String>.Iterator

    private init(channel: any Channel, lines: AsyncStream<String>) {
        self.channel = channel
        self.lines = lines.makeAsyncIterator()
    }

    static func open(_ path: String) async throws -> RawConnection {
        let (stream, continuation) = AsyncStream.makeStream(of: String.self)
        let channel = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .channelOption(.allowRemoteHalfClosure, value: true)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(LineCollector(continuation))
                }
            }
            .connect(unixDomainSocketPath: path).get()
        return RawConnection(channel: channel, lines: stream)
    }

    func write(_ text: String) async throws {
        try await write(Array(text.utf8))
    }

    func write(_ bytes: [UInt8]) async throws {
        try await channel.writeAndFlush(ByteBuffer(bytes: bytes)).get()
    }

    /// Writes and does not wait until the bytes are sent.
    func push(_ text: String) {
        channel.writeAndFlush(ByteBuffer(string: text), promise: nil)
    }

    /// The next line; `nil` once the server has closed the connection.
    func line() async -> String? {
        await lines.next()
    }

    /// Stops or resumes reading what the server writes.
    func setReading(_ isReading: Bool) async throws {
        try await channel.setOption(.autoRead, value: isReading).get()
    }

    func closeOutput() async throws {
        try await channel.close(mode: .output).get()
    }

    func close() async {
        try? await channel.close().get()
    }
}

private final class LineCollector: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    private let continuation: AsyncStream<String>.Continuation
    private var splitter = LineSplitter(limit: ControlLimits.replyLineBytes)

    init(_ continuation: AsyncStream<String>.Continuation) {
        self.continuation = continuation
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var bytes = unwrapInboundIn(data)
        splitter.append(&bytes)
        while let line = try? splitter.next() { continuation.yield(String(decoding: line, as: UTF8.self)) }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if event as? ChannelEvent == .inputClosed { continuation.finish() }
    }

    func channelInactive(context: ChannelHandlerContext) {
        continuation.finish()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}
