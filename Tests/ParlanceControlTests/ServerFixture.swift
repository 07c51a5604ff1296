import Foundation
import NIOCore
import NIOPosix
import ParlanceWaiting
import ParlanceWire
import Testing

@testable import ParlanceControl

/// A server on a real socket in its own folder, and the node of Ada that it serves; all is removed after the test.
struct ServerFixture {
    let folder: String
    let path: String
    /// What stands between the server and Ada's node.
    let node: NodeFront
    let ada: RealNode
    /// The nodes of the others.
    let people: [RealNode]
    let server: ControlServer

    /// What the others are to Ada when a test begins.
    enum Company {
        /// Each has accepted the other, and they are connected.
        case friends
        /// They are in a workspace of hers, and connected.
        case ship
        /// They have not met.
        case strangers
    }

    var bob: RealNode { people[0] }

    /// - Parameters:
    ///   - names: those of other people.
    ///   - company: what they are to Ada.
    ///   - fileLimit: the most bytes of a file that Ada's node takes.
    static func with(
        _ names: String...,
        as company: Company = .friends,
        fileLimit: UInt64 = Limits.fileBytes,
        admits: @escaping @Sendable (Int) -> Bool = { _ in true },
        eventLimit: Int = ControlLimits.subscriberBufferBytes,
        stopSeconds: Int64 = ControlLimits.stopSeconds,
        group: any EventLoopGroup = MultiThreadedEventLoopGroup.singleton,
        _ body: (ServerFixture) async throws -> Void
    ) async throws {
        let folder = try temporaryFolder()
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let ada = try await RealNode("Ada", fileLimit: fileLimit)
        var people: [RealNode] = []
        let (path, node) = (folder + "/sub/control.sock", NodeFront(ada.control))
        let server = ControlServer(
            path: path,
            node: node,
            group: group,
            admits: admits,
            eventLimit: eventLimit,
            stopSeconds: stopSeconds
        )
        let result: Result<Void, any Error>
        do {
            for name in names { people.append(try await RealNode(name)) }
            if company == .ship { _ = try await ada.call(WorkspaceCreateOperation(name: "Ship")) }
            for person in people {
                switch company {
                case .friends: try await ada.befriend(person)
                case .ship: try await ada.enlist(person)
                case .strangers: break
                }
            }
            try await server.start()
            let fixture = ServerFixture(
                folder: folder,
                path: path,
                node: node,
                ada: ada,
                people: people,
                server: server
            )
            result = .success(try await body(fixture))
        } catch {
            result = .failure(error)
        }
        await server.stop()
        for each in people + [ada] { await each.stop() }
        try result.get()
    }

    /// Runs the built command.
    func run(
        _ words: String...,
        input: String? = nil,
        locale: String? = nil,
        typed: String? = nil
    ) async throws -> CommandTests.Outcome {
        try await run(words, input: input, locale: locale, typed: typed)
    }

    /// - Parameter typed: what is typed at a terminal, on which the command then runs.
    func run(
        _ words: [String],
        input: String? = nil,
        locale: String? = nil,
        typed: String? = nil
    ) async throws -> CommandTests.Outcome {
        let terminal = typed.map { _ in ["TERM": "xterm"] }
        return try await CommandTests.run(
            words,
            socket: path,
            input: typed ?? input,
            locale: locale,
            terminal: terminal
        )
    }

    /// Writes as Ada, and returns the beginning of the message's ID, as commands show it.
    func write(_ text: String, to who: String = "Bob") async throws -> String {
        String(try await ada.call(SendOperation(who: who, text: text)).id.prefix(12))
    }

    /// Waits until Ada has the message, and returns the beginning of its ID.
    func hear(_ text: String, from writer: RealNode) async throws -> String {
        _ = try await writer.call(SendOperation(who: "Ada", text: text))
        return try await soon("Ada hears of \(text)", every: .milliseconds(4)) {
            let last = try await ada.messages(with: writer.id).last { $0.text == text }
            return last.map { String($0.id.prefix(12)) }
        }
    }

    /// Everything that is shown of the conversation with Bob.
    var texts: [String] {
        get async throws { try await ada.texts(with: bob.id) }
    }

    /// Ada's workspace, as she sees it.
    var ship: WorkspaceInfo {
        get async throws { try #require(try await ada.call(WorkspaceShowOperation()).workspace) }
    }

    /// Bob goes away.
    func bobLeaves() async throws {
        await bob.stop()
        try await ada.sees(bob) { !$0.connected }
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
