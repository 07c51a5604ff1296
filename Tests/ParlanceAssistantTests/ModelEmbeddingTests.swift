import ParlanceAssistant
import Testing

/// Embeddings of a model server, with the client alone.
@Suite(.timeLimit(.minutes(30))) struct ModelEmbeddingTests {
    private static func embeddings(_ script: ScriptedServer.Step..., texts: [String] = ["a", "b"]) async throws
        -> [[Float]]
    {
        try await ScriptedServer.run(script) { try await $0.client().embeddings(texts) }
    }

    @Test func theRequestHasAllTexts() async throws {
        let body = #"{"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":[2]}]}"#
        try await ScriptedServer.run([.send(Responses.json(body))]) { server in
            #expect(try await server.client().embeddings(["Fähre", "b"]) == [[1], [2]])
            let sent = try #require(await server.ledger.requests.first)
            let parts = sent.split(separator: "\r\n\r\n")
            #expect(
                parts.first?.split(separator: "\r\n").filter { !$0.hasPrefix("Content-Length") } == [
                    "POST /v1/embeddings HTTP/1.1", "Host: 127.0.0.1:\(server.port)", "Accept: application/json",
                    "Accept-Encoding: identity", "Connection: close", "Content-Type: application/json",
                ]
            )
            #expect(parts.last == #"{"encoding_format":"float","input":["Fähre","b"],"model":"pointer"}"#)
        }
    }

    @Test func theyComeInTheOrderOfTheTexts() async throws {
        let body = #"{"data":[{"index":1,"embedding":[0.5,-2e-3]},{"index":0,"embedding":[1,2]}]}"#
        #expect(try await Self.embeddings(.send(Responses.json(body))) == [[1, 2], [0.5, -0.002]])
    }

    @Test(arguments: [
        (#"{"data":[{"index":0,"embedding":[1]}]}"#, ModelServerError.malformed(.count)),
        ("{}", .malformed(.count)),
        (#"{"data":[{"index":0,"embedding":[1]},{"index":0,"embedding":[1]}]}"#, .malformed(.index)),
        (#"{"data":[{"index":1,"embedding":[1]},{"index":2,"embedding":[1]}]}"#, .malformed(.index)),
        (#"{"data":[{"embedding":[1]},{"index":1,"embedding":[1]}]}"#, .malformed(.body)),
        (#"{"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":[1,2]}]}"#, .malformed(.dimensions)),
        (#"{"data":[{"index":0,"embedding":[]},{"index":1,"embedding":[]}]}"#, .malformed(.dimensions)),
        (#"{"data":[{"index":0,"embedding":[NaN]},{"index":1,"embedding":[1]}]}"#, .malformed(.body)),
        (#"{"data":[{"index":0,"embedding":[null]},{"index":1,"embedding":[1]}]}"#, .malformed(.body)),
        (#"{"error":"no such model"}"#, .reported(message: "no such model")),
    ])
    func whatCannotBeRightIsRefused(body: String, error: ModelServerError) async throws {
        await #expect(throws: error) { try await Self.embeddings(.send(Responses.json(body))) }
    }

    @Test func numbersThatAreTooLargeAreRefused() async throws {
        for number in ["1e39", "-1e400"] {
            let body = #"{"data":[{"index":0,"embedding":[\#(number)]}]}"#
            let error = await #expect(throws: ModelServerError.self) {
                try await Self.embeddings(.send(Responses.json(body)), texts: ["a"])
            }
            #expect(error == .malformed(.body) || error == .malformed(.notFinite))
        }
    }

    private static func response(_ count: Int, _ dimensions: Int = 1) -> ScriptedServer.Step {
        let entries = (0..<count).map { number in
            let numbers = Array(repeating: "\(number)", count: dimensions).joined(separator: ",")
            return #"{"index":\#(number),"embedding":[\#(numbers)]}"#
        }
        return .send(Responses.json(#"{"data":[\#(entries.joined(separator: ","))]}"#))
    }

    @Test func theyHaveAsManyNumbersAsIsSaid() async throws {
        let most = ModelServerLimits.dimensions.upperBound
        #expect(try await Self.embeddings(Self.response(1, most), texts: ["a"]).first?.count == most)
        await #expect(throws: ModelServerError.malformed(.dimensions)) {
            try await Self.embeddings(Self.response(1, most + 1), texts: ["a"])
        }
        try await ScriptedServer.run([Self.response(1, 3)]) { server async throws in
            #expect(try await server.client().embeddings(["a"], dimensions: 3) == [[0, 0, 0]])
            await #expect(throws: ModelServerError.malformed(.dimensions)) {
                try await server.client().embeddings(["a"], dimensions: 4)
            }
        }
    }

    @Test func manyTextsGoInSeveralRequests() async throws {
        let batch = ModelServerLimits.embeddingBatch
        let texts = Array(repeating: "a", count: batch + 1)
        try await ScriptedServer.run([Self.response(batch)], [Self.response(1)]) { server async throws in
            #expect(try await server.client().embeddings(texts).map { $0.first } == (0..<batch).map { Float($0) } + [0])
            #expect(try await server.connectionsSoFar() == 2)
        }
        try await ScriptedServer.run([Self.response(batch)], [Self.response(1, 2)]) { server async throws in
            await #expect(throws: ModelServerError.malformed(.dimensions)) {
                try await server.client().embeddings(texts)
            }
        }
        try await ScriptedServer.run([Self.response(1)]) { server async throws in
            #expect(try await server.client().embeddings([]) == [])
            #expect(try await server.connectionsSoFar() == 0)
        }
    }

    @Test func aBusyServerIsAskedOnceMore() async throws {
        let busy = Responses.json("", status: "429 Too Many Requests", headers: "Retry-After: 7\r\n")
        try await ScriptedServer.run([.send(busy)], [Self.response(1)]) { server in
            let waits = Pieces()
            let client = ModelClient(try server.settings(), wait: { waits.append("\($0)") })
            #expect(try await client.embeddings(["a"]) == [[0]])
            #expect(waits.all == ["7.0 seconds"])
        }
    }

    @Test func failuresAreThoseOfAnyRequest() async throws {
        let oops = Responses.json(#"{"error":{"message":"input is too large"}}"#, status: "500 Oops")
        await #expect(throws: ModelServerError.status(500, message: "input is too large")) {
            try await Self.embeddings(.send(oops))
        }
        let moved = Responses.json("", status: "307 Temporary Redirect", headers: "Location: http://other:1/\r\n")
        await #expect(throws: ModelServerError.redirected(to: "http://other:1/")) {
            try await Self.embeddings(.send(moved))
        }
        await #expect(throws: ModelServerError.cut(text: "")) {
            try await Self.embeddings(.send("HTTP/1.1 200 OK\r\nContent-Length: 900\r\n\r\n{\"data\":["))
        }
        let body = String(repeating: " ", count: ModelServerLimits.bodyBytes)
        await #expect(throws: ModelServerError.tooLarge(.body)) {
            try await Self.embeddings(.send("HTTP/1.1 200 OK\r\n\r\n\(body) "), .hold)
        }
    }
}
