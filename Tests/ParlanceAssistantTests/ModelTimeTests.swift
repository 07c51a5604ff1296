import NIOCore
import NIOPosix
import ParlanceAssistant
import Testing

@Suite(.timeLimit(.minutes(30))) struct ModelTimeTests {
    private static let request = ChatRequest(messages: [.init(.user, "Hi?")], maximumTokens: 20)
    private static let moment = Duration.milliseconds(40)

    /// What a streamed chat throws, if the server waits for ever after the steps.
    private static func error(
        after steps: ScriptedServer.Step...,
        change: (inout ModelTimeLimits) -> Void
    ) async throws -> ModelServerError? {
        try await ScriptedServer.run(steps + [.hold]) { server in
            let client = try server.client { change(&$0.timeLimits) }
            let error = await #expect(throws: ModelServerError.self) { try await client.chat(Self.request) { _ in } }
            for await _ in server.ended { break }
            return error
        }
    }

    @Test func aServerThatSaysNothingIsLeft() async throws {
        let error = try await Self.error { $0.firstByte = Self.moment }
        #expect(error == .timedOut(.firstByte))
    }

    @Test func aHeadCommentsAndARoleAreNoFirstPart() async throws {
        let text = Responses.open(":\n\n" + Responses.role)
        let error = try await Self.error(after: .send(text)) { $0.firstByte = Self.moment }
        #expect(error == .timedOut(.firstByte))
    }

    @Test func anAnswerThatStopsIsLeft() async throws {
        let error = try await Self.error(after: .send(Responses.open(Responses.delta("Hel")))) { $0.idle = Self.moment }
        #expect(error == .timedOut(.idle))
    }

    @Test func aPlainBodyThatStopsIsLeft() async throws {
        let text = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{"
        let error = try await Self.error(after: .send(text)) { $0.idle = Self.moment }
        #expect(error == .timedOut(.idle))
    }

    @Test func theWholeRequestHasALimit() async throws {
        try await ScriptedServer.run([.send(Responses.open(Responses.delta("Hel"))), .hold]) { server in
            let client = try server.client { $0.timeLimits.whole = Self.moment }
            await #expect(throws: ModelServerError.timedOut(.whole)) { try await client.chat(Self.request) { _ in } }
        }
    }

    @Test func aLookUpThatHangsIsLeft() async throws {
        var settings = ModelServer(address: try ModelAddress(parsing: "http://slow.test:80"))
        settings.timeLimits.connecting = Self.moment
        let client = ModelClient(settings) { _, _ in
            for await _ in AsyncStream<Void>.makeStream().stream {}
            try Task.checkCancellation()
            return []
        }
        await #expect(throws: ModelServerError.timedOut(.connecting)) { try await client.models() }
    }

    /// Runs the body with an address that lets no connection come about, but refuses none either.
    private static func withDeafAddress(_ body: (SocketAddress) async throws -> Void) async throws {
        let group = MultiThreadedEventLoopGroup.singleton
        let listener = try await ServerBootstrap(group: group)
            .serverChannelOption(.backlog, value: 0)
            .serverChannelOption(.autoRead, value: false)
            .bind(host: "127.0.0.1", port: 0).get()
        let address = try #require(listener.localAddress)
        // The system accepts connections until its queue is full.
        var waiting: [any Channel] = []
        let bootstrap = ClientBootstrap(group: group).connectTimeout(.milliseconds(40))
        while waiting.count < 8, let channel = try? await bootstrap.connect(to: address).get() {
            waiting.append(channel)
        }
        #expect(waiting.count < 8)
        try await body(address)
        for channel in waiting + [listener] { try await channel.close() }
    }

    @Test func aConnectionThatDoesNotComeAboutIsLeft() async throws {
        try await Self.withDeafAddress { address in
            var settings = ModelServer(address: try ModelAddress(parsing: "http://deaf.test:80"))
            settings.timeLimits.connecting = Self.moment
            let client = ModelClient(settings, lookup: { _, _ in [address] })
            await #expect(throws: ModelServerError.timedOut(.connecting)) { try await client.models() }
        }
    }

    @Test func cancellationEndsConnecting() async throws {
        try await Self.withDeafAddress { address in
            var settings = ModelServer(address: try ModelAddress(parsing: "http://deaf.test:80"))
            settings.timeLimits.connecting = .seconds(3600)
            let (lookups, continuation) = AsyncStream.makeStream(of: Void.self)
            let client = ModelClient(settings) { _, _ in
                continuation.yield()
                return [address]
            }
            await withThrowingTaskGroup(of: [String].self) { group in
                group.addTask { try await client.models() }
                for await _ in lookups { break }
                group.cancelAll()
                await #expect(throws: CancellationError.self) { try await group.next() }
            }
        }
    }

    @Test func cancellationClosesTheConnectionAtOnce() async throws {
        for steps in [[], [ScriptedServer.Step.send(Responses.open(Responses.delta("Hel")))]] {
            try await ScriptedServer.run(steps + [.hold]) { server in
                let client = try server.client()
                let (pieces, continuation) = AsyncStream.makeStream(of: String.self)
                await withThrowingTaskGroup(of: ChatAnswer.self) { group in
                    group.addTask { try await client.chat(Self.request) { continuation.yield($0) } }
                    if !steps.isEmpty {
                        for await piece in pieces {
                            #expect(piece == "Hel")
                            break
                        }
                        #expect(await server.ledger.requests.count == 1)
                    }
                    group.cancelAll()
                    await #expect(throws: CancellationError.self) { try await group.next() }
                }
                if !steps.isEmpty { for await _ in server.ended { break } }
            }
        }
    }

    @Test func cancellationEndsTheWaitForABusyServer() async throws {
        let busy = Responses.json("", status: "429 Too Many Requests", headers: "Retry-After: 5\r\n")
        try await ScriptedServer.run([.send(busy)]) { server in
            let (waits, continuation) = AsyncStream.makeStream(of: Duration.self)
            let client = ModelClient(
                try server.settings(),
                wait: { wait in
                    continuation.yield(wait)
                    for await _ in AsyncStream<Void>.makeStream().stream {}
                    try Task.checkCancellation()
                }
            )
            await withThrowingTaskGroup(of: [String].self) { group in
                group.addTask { try await client.models() }
                for await _ in waits { break }
                group.cancelAll()
                await #expect(throws: CancellationError.self) { try await group.next() }
            }
            #expect(try await server.connectionsSoFar() == 1)
        }
    }
}
