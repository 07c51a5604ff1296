import NIOCore
import NIOPosix
import ParlanceAssistant

/// A server on 127.0.0.1 that reads each request and then does what a script says, whatever was asked.
struct ScriptedServer: Sendable {
    enum Step: Sendable {
        case send(String)
        case sendBytes([UInt8])
        /// Sends what is made of the request.
        case answer(@Sendable (String) -> String)
        /// Keeps the connection open, without a word, until the client closes it.
        case hold
    }

    /// What happened at the server, in order.
    actor Ledger {
        private(set) var connections = 0
        private(set) var requests: [String] = []

        func accept() -> Int {
            connections += 1
            return connections - 1
        }

        func record(_ request: String) { requests.append(request) }
    }

    let port: Int
    let ledger: Ledger
    /// One element for each connection that ended. After `hold`, it was the client that closed it.
    let ended: AsyncStream<Void>
    private let listener: NIOAsyncChannel<any Channel, Never>
    private let end: AsyncStream<Void>.Continuation
    private let scripts: [[Step]]

    /// Runs a server for as long as the body runs. Each connection takes the next script, and the last one again at the
    /// end. After its script, the server closes the connection, so more than a few kilobytes need a `hold` after them.
    @discardableResult
    static func run<Result: Sendable>(
        _ scripts: [Step]...,
        body: (ScriptedServer) async throws -> Result
    ) async throws -> Result {
        try await run(all: scripts, body: body)
    }

    @discardableResult
    static func run<Result: Sendable>(
        all scripts: [[Step]],
        body: (ScriptedServer) async throws -> Result
    ) async throws -> Result {
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelOption(.socketOption(.tcp_nodelay), value: 1)
            .childChannelOption(.autoRead, value: false)
            .bind(host: "127.0.0.1", port: 0) { $0.eventLoop.makeSucceededFuture($0) }
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
        let server = ScriptedServer(
            port: listener.channel.localAddress?.port ?? 0,
            ledger: Ledger(),
            ended: stream,
            listener: listener,
            end: continuation,
            scripts: scripts
        )
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await server.serve() }
            defer { group.cancelAll() }
            return try await body(server)
        }
    }

    /// Limits that never pass. Under a load, a connection on this machine takes its time too.
    static var patience: ModelTimeLimits {
        var limits = ModelTimeLimits()
        limits.connecting = .seconds(1_800)
        limits.firstByte = .seconds(1_800)
        limits.idle = .seconds(1_800)
        limits.whole = .seconds(3_600)
        limits.question = .seconds(3_600)
        return limits
    }

    /// A server as the settings name it. Its time limits are long enough never to pass, except those that are given.
    func settings(_ change: (inout ModelServer) -> Void = { _ in }) throws -> ModelServer {
        var settings = ModelServer(
            address: try ModelAddress(parsing: "http://127.0.0.1:\(port)"),
            chatModel: "talker",
            embeddingModel: "pointer"
        )
        settings.timeLimits = Self.patience
        change(&settings)
        return settings
    }

    func client(_ change: (inout ModelServer) -> Void = { _ in }) throws -> ModelClient {
        ModelClient(try settings(change))
    }

    /// The connections so far. One more is made first, because the server accepts them in their order.
    func connectionsSoFar() async throws -> Int {
        var before: Int?
        let probe = try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .connect(host: "127.0.0.1", port: port) { channel in
                channel.eventLoop.makeCompletedFuture {
                    try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
                }
            }
        try await probe.executeThenClose { inbound, outbound in
            try await outbound.write(ByteBuffer(string: "PROBE / HTTP/1.1\r\n\r\n"))
            for try await _ in inbound { break }
            before = await ledger.connections - 1
        }
        return before ?? -1
    }

    private func serve() async throws {
        try await listener.executeThenClose { inbound in
            try await withThrowingDiscardingTaskGroup { group in
                for try await connection in inbound {
                    let number = await ledger.accept()
                    let script = scripts[min(number, scripts.count - 1)]
                    group.addTask { try? await handle(connection, script) }
                }
            }
        }
    }

    private func handle(_ channel: any Channel, _ script: [Step]) async throws {
        defer { end.yield() }
        // Only now, because a server that ends drops the connections that nobody has handled yet, and NIO does not
        // allow that for streams.
        let connection = try await channel.eventLoop.submit {
            guard channel.isActive else { throw ChannelError.ioOnClosedChannel }
            let streams = try NIOAsyncChannel<ByteBuffer, ByteBuffer>(wrappingChannelSynchronously: channel)
            _ = channel.setOption(.autoRead, value: true)
            return streams
        }.get()
        try await connection.executeThenClose { inbound, outbound in
            var iterator = inbound.makeAsyncIterator()
            var request = ""
            while !Self.isWhole(request), let bytes = try await iterator.next() { request += String(buffer: bytes) }
            if request.hasPrefix("PROBE") { return try await outbound.write(ByteBuffer(string: "here")) }
            await ledger.record(request)
            for step in script {
                switch step {
                case .send(let text): try await outbound.write(ByteBuffer(string: text))
                case .answer(let make): try await outbound.write(ByteBuffer(string: make(request)))
                case .sendBytes(let bytes): try await outbound.write(ByteBuffer(bytes: bytes))
                case .hold:
                    do {
                        while try await iterator.next() != nil {}
                    } catch {
                        // A reset is an end too.
                    }
                }
            }
        }
    }

    private static func isWhole(_ request: String) -> Bool {
        guard let end = request.firstRange(of: "\r\n\r\n") else { return false }
        let length = request[..<end.lowerBound].split(separator: "\r\n").first {
            $0.lowercased().hasPrefix("content-length:")
        }
        let wanted = length.flatMap { Int($0.drop { $0 != ":" }.dropFirst().drop { $0 == " " }) } ?? 0
        return request[end.upperBound...].utf8.count >= wanted
    }
}
