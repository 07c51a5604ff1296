import ParlanceAssistant
import Testing

@Suite(.timeLimit(.minutes(30))) struct ModelClientTests {
    private static let request = ChatRequest(messages: [.init(.user, "Hi?")], maximumTokens: 20)

    @Test func aPlainAnswerIsRead() async throws {
        try await ScriptedServer.run([.send(Responses.chat("Hello", reason: "length"))]) { server in
            let answer = try await server.client().chat(Self.request)
            #expect(answer == ChatAnswer(text: "Hello", model: "talker:1b", finishReason: .length))
        }
    }

    @Test func theRequestSaysWhatIsWanted() async throws {
        try await ScriptedServer.run([.send(Responses.chat("{}"))]) { server in
            var request = Self.request
            request.schema = ["type": "object", "properties": ["n": ["type": "integer", "minimum": 1]]]
            _ = try await server.client().chat(request)
            let sent = try #require(await server.ledger.requests.first)
            let parts = sent.split(separator: "\r\n\r\n")
            #expect(
                parts.first?.split(separator: "\r\n").filter { !$0.hasPrefix("Content-Length") } == [
                    "POST /v1/chat/completions HTTP/1.1", "Host: 127.0.0.1:\(server.port)", "Accept: application/json",
                    "Accept-Encoding: identity", "Connection: close", "Content-Type: application/json",
                ]
            )
            #expect(
                parts.last == """
                    {"max_tokens":20,"messages":[{"content":"Hi?","role":"user"}],"model":"talker","response_format":\
                    {"json_schema":{"name":"answer","schema":{"properties":{"n":{"minimum":1,"type":"integer"}},\
                    "type":"object"},"strict":true},"type":"json_schema"},"stream":false,"temperature":0}
                    """
            )
        }
    }

    @Test func modelsAreListedInTheirOrder() async throws {
        let body = #"{"object":"list","data":[{"id":"b","object":"model"},{"id":"a\u001b[31m"}]}"#
        try await ScriptedServer.run([.send(Responses.json(body))]) { server async throws in
            #expect(try await server.client().models() == ["b", "a[31m"])
            #expect(await server.ledger.requests.first?.hasPrefix("GET /v1/models HTTP/1.1\r\n") == true)
        }
    }

    @Test func withoutAModelOrRoomNothingIsSent() async throws {
        try await ScriptedServer.run([.send(Responses.chat("Hello"))]) { server in
            let bare = try server.client {
                $0.chatModel = nil
                $0.embeddingModel = nil
            }
            await #expect(throws: ModelServerError.noModel(.chat)) { try await bare.chat(Self.request) }
            await #expect(throws: ModelServerError.noModel(.embeddings)) { try await bare.embed(["a"]) }
            let small = try server.client { $0.tokenBudget = 26 }
            await #expect(throws: ModelServerError.overBudget(tokens: 27, budget: 26)) {
                try await small.chat(Self.request)
            }
            #expect(try await server.connectionsSoFar() == 0)
        }
    }

    private static func vectors(of body: String, texts: [String]) async throws -> [[Float]] {
        try await ScriptedServer.run([.send(Responses.json(body))]) { try await $0.client().embed(texts) }
    }

    @Test func vectorsComeInTheOrderOfTheTexts() async throws {
        let body = #"{"data":[{"index":1,"embedding":[0.5,-2e-3]},{"index":0,"embedding":[1,2]}]}"#
        #expect(try await Self.vectors(of: body, texts: ["a", "b"]) == [[1, 2], [0.5, -0.002]])
    }

    @Test(arguments: [
        (#"{"data":[{"index":0,"embedding":[1]}]}"#, ModelServerError.malformed(.count)),
        (#"{}"#, .malformed(.count)),
        (#"{"data":[{"index":0,"embedding":[1]},{"index":0,"embedding":[1]}]}"#, .malformed(.index)),
        (#"{"data":[{"index":1,"embedding":[1]},{"index":2,"embedding":[1]}]}"#, .malformed(.index)),
        (#"{"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":[1,2]}]}"#, .malformed(.dimensions)),
        (#"{"data":[{"index":0,"embedding":[]},{"index":1,"embedding":[]}]}"#, .malformed(.dimensions)),
        (#"{"data":[{"index":0,"embedding":[NaN]},{"index":1,"embedding":[1]}]}"#, .malformed(.body)),
        (#"{"data":[{"index":0,"embedding":[null]},{"index":1,"embedding":[1]}]}"#, .malformed(.body)),
        (#"{"error":"no such model"}"#, .reported(message: "no such model")),
    ])
    func vectorsThatCannotBeRightAreRefused(body: String, error: ModelServerError) async throws {
        await #expect(throws: error) { try await Self.vectors(of: body, texts: ["a", "b"]) }
    }

    @Test func numbersThatAreTooLargeAreRefused() async throws {
        await #expect(throws: ModelServerError.self) {
            try await Self.vectors(of: #"{"data":[{"index":0,"embedding":[1e39]}]}"#, texts: ["a"])
        }
    }

    @Test func manyTextsGoInSeveralRequests() async throws {
        func response(_ count: Int) -> ScriptedServer.Step {
            let entries = (0..<count).map { #"{"index":\#($0),"embedding":[\#($0)]}"# }.joined(separator: ",")
            return .send(Responses.json(#"{"data":[\#(entries)]}"#))
        }
        let batch = ModelServerLimits.embeddingBatch
        try await ScriptedServer.run([response(batch)], [response(1)]) { server in
            let vectors = try await server.client().embed(Array(repeating: "a", count: batch + 1))
            #expect(vectors.map { $0.first } == (0..<batch).map { Float($0) } + [0])
            #expect(try await server.connectionsSoFar() == 2)
        }
        try await ScriptedServer.run([response(1)]) { server async throws in
            #expect(try await server.client().embed([]) == [])
            #expect(try await server.connectionsSoFar() == 0)
        }
    }
}
