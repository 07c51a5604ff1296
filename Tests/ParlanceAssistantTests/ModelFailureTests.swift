import NIOCore
import ParlanceAssistant
import Testing

@Suite(.timeLimit(.minutes(30))) struct ModelFailureTests {
    private static let request = ChatRequest(messages: [.init(.user, "Hi?")], maximumTokens: 20)

    /// What `models` throws after this script.
    private static func error(
        _ steps: ScriptedServer.Step...,
        change: (inout ModelServer) -> Void = { _ in }
    ) async throws -> ModelServerError? {
        try await ScriptedServer.run(steps) { server in
            await #expect(throws: ModelServerError.self) { try await server.client(change).models() }
        }
    }

    @Test func aRedirectIsNotFollowed() async throws {
        try await ScriptedServer.run([.send(Responses.json(#"{"data":[]}"#))]) { target in
            let place = "http://127.0.0.1:\(target.port)/v1/models"
            for status in ["301 Moved Permanently", "302 Found", "307 Temporary Redirect", "308 Permanent Redirect"] {
                let response = Responses.json("", status: status, headers: "Location: \(place)\r\n")
                try await ScriptedServer.run([.send(response)]) { server async throws in
                    await #expect(throws: ModelServerError.redirected(to: place)) { try await server.client().models() }
                    #expect(try await server.connectionsSoFar() == 1)
                }
            }
            #expect(try await target.connectionsSoFar() == 0)
        }
    }

    @Test func aPublicAddressIsRefusedBeforeAnyPacket() async throws {
        try await ScriptedServer.run([.send(Responses.json(#"{"data":[]}"#))]) { server in
            let near = try SocketAddress(ipAddress: "127.0.0.1", port: server.port)
            let far = try SocketAddress(ipAddress: "203.0.113.7", port: server.port)
            for addresses in [[far], [near, far], [far, near]] {
                let client = ModelClient(try server.settings(), lookup: { _, _ in addresses })
                await #expect(throws: ModelServerError.publicAddress("203.0.113.7")) { try await client.models() }
            }
            #expect(try await server.connectionsSoFar() == 0)
            let bold = ModelClient(try server.settings { $0.allowsPublic = true }, lookup: { _, _ in [near, far] })
            #expect(try await bold.models() == [])
        }
    }

    @Test func theNameIsLookedUpOncePerRequest() async throws {
        try await ScriptedServer.run([.send(Responses.json(#"{"data":[]}"#))]) { server in
            let near = try SocketAddress(ipAddress: "127.0.0.1", port: server.port)
            let asked = Pieces()
            let settings = try server.settings { settings in
                if let address = try? ModelAddress(parsing: "http://models.test:9/v1") { settings.address = address }
            }
            let client = ModelClient(settings) { host, port in
                asked.append("\(host) \(port)")
                return [near]
            }
            #expect(try await client.models() == [])
            #expect(asked.all == ["models.test 9"])
            #expect(await server.ledger.requests.first?.contains("Host: models.test:9\r\n") == true)
        }
    }

    @Test func aNameWithoutAddressIsAnError() async throws {
        let settings = ModelServer(address: try ModelAddress(parsing: "http://nowhere.invalid:80"))
        await #expect(throws: ModelServerError.unresolvable(host: "nowhere.invalid")) {
            try await ModelClient(settings, lookup: { _, _ in [] }).models()
        }
    }

    @Test func theSystemKnowsThisMachine() async throws {
        #expect(try await HostResolver.system("127.0.0.1", 80) == [SocketAddress(ipAddress: "127.0.0.1", port: 80)])
        #expect(try await HostResolver.system("::1", 80) == [SocketAddress(ipAddress: "::1", port: 80)])
        #expect(try await !HostResolver.system("localhost", 80).isEmpty)
    }

    @Test func theNextAddressIsTriedIfOneDoesNotListen() async throws {
        let closed = try await ScriptedServer.run([]) { $0.port }
        let nobody = try SocketAddress(ipAddress: "127.0.0.1", port: closed)
        try await ScriptedServer.run([.send(Responses.json(#"{"data":[]}"#))]) { server in
            let near = try SocketAddress(ipAddress: "127.0.0.1", port: server.port)
            let found = ModelClient(try server.settings(), lookup: { _, _ in [nobody, near] })
            #expect(try await found.models() == [])
            let lost = ModelClient(try server.settings(), lookup: { _, _ in [nobody] })
            await #expect(throws: ModelServerError.unreachable("127.0.0.1:\(closed)")) { try await lost.models() }
        }
    }

    @Test func aBusyServerIsAskedOnceMore() async throws {
        let busy = Responses.json("", status: "429 Too Many Requests", headers: "Retry-After: 7\r\n")
        try await ScriptedServer.run([.send(busy)], [.send(Responses.json(#"{"data":[{"id":"a"}]}"#))]) { server in
            let waits = Pieces()
            let client = ModelClient(try server.settings(), wait: { waits.append("\($0)") })
            #expect(try await client.models() == ["a"])
            #expect(waits.all == ["7.0 seconds"])
        }
    }

    @Test(arguments: [
        ("Retry-After: 10\r\n", Duration.seconds(10), ["10.0 seconds"], 2), ("", nil, ["1.0 seconds"], 2),
        ("Retry-After: Fri, 27 Nov 2026 10:00:00 GMT\r\n", nil, ["1.0 seconds"], 2),
        ("Retry-After: 11\r\n", .seconds(11), [], 1), ("Retry-After: -5\r\n", nil, ["1.0 seconds"], 2),
    ])
    func aServerThatStaysBusyIsAnError(header: String, after: Duration?, waited: [String], tries: Int) async throws {
        let busy = Responses.json("", status: "429 Too Many Requests", headers: header)
        try await ScriptedServer.run([.send(busy)]) { server in
            let waits = Pieces()
            let client = ModelClient(try server.settings(), wait: { waits.append("\($0)") })
            await #expect(throws: ModelServerError.busy(retryAfter: after)) { try await client.models() }
            #expect(waits.all == waited)
            #expect(try await server.connectionsSoFar() == tries)
        }
    }

    @Test(arguments: [
        (#"{"error":{"message":"out of\u0007 memory"}}"#, "out of memory"), (#"{"error":"gone"}"#, "gone"),
        (#"{"object":"error","message":"bad"}"#, "bad"), ("<html>", nil), ("", nil),
    ])
    func anErrorStatusIsReportedAndNotRetried(body: String, message: String?) async throws {
        try await ScriptedServer.run([.send(Responses.json(body, status: "500 Oops"))]) { server async throws in
            await #expect(throws: ModelServerError.status(500, message: message)) {
                try await server.client().models()
            }
            #expect(try await server.connectionsSoFar() == 1)
        }
    }

    @Test func responsesThatAreNoResponsesAreErrors() async throws {
        #expect(try await Self.error(.send("SSH-2.0-OpenSSH\r\n\r\n")) == .malformed(.http))
        #expect(try await Self.error(.send(Responses.json("{"))) == .malformed(.body))
        #expect(try await Self.error(.send(Responses.json("[]"))) == .malformed(.body))
        #expect(try await Self.error(.send(Responses.json("{}"))) == .malformed(.body))
        #expect(try await Self.error(.send(Responses.json(#"{"error":{"message":"a"}}"#))) == .reported(message: "a"))
        #expect(try await Self.error(.send(Responses.json(#"{"error":{}}"#))) == .reported(message: nil))
        #expect(try await Self.error(.send("HTTP/1.1 204 No Content\r\n\r\n")) == .status(204, message: nil))
    }

    @Test func cutResponsesAreErrors() async throws {
        #expect(try await Self.error() == .cut(text: ""))
        #expect(try await Self.error(.send("HTTP/1.1 200 OK\r\nContent-")) == .cut(text: ""))
        #expect(try await Self.error(.send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{}")) == .cut(text: ""))
        let error = try await Self.error(.send("HTTP/1.1 500 Oops\r\nContent-Length: 9\r\n\r\n{}"))
        #expect(error == .status(500, message: nil))
    }

    @Test func emptyChoicesAreAnError() async throws {
        for body in [#"{"choices":[]}"#, "{}", #"{"choices":[{"index":0}]}"#] {
            try await ScriptedServer.run([.send(Responses.json(body))]) { server in
                await #expect(throws: ModelServerError.malformed(.noChoices)) {
                    try await server.client().chat(Self.request)
                }
            }
        }
    }

    @Test func responsesThatAreTooLargeAreErrors() async throws {
        let long = String(repeating: "x", count: ModelServerLimits.headBytes)
        #expect(try await Self.error(.send("HTTP/1.1 200 OK\r\nX: \(long)\r\n\r\n"), .hold) == .tooLarge(.head))
        let many = String(repeating: "X: y\r\n", count: ModelServerLimits.headFields + 1)
        #expect(try await Self.error(.send("HTTP/1.1 200 OK\r\n\(many)\r\n")) == .tooLarge(.head))
        let body = String(repeating: " ", count: ModelServerLimits.bodyBytes)
        #expect(try await Self.error(.send("HTTP/1.1 200 OK\r\n\r\n\(body) "), .hold) == .tooLarge(.body))
        #expect(try await Self.error(.send("HTTP/1.1 500 Oops\r\n\r\n\(body)"), .hold) == .status(500, message: nil))
    }
}
