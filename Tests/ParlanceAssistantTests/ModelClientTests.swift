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
                    "POST /v1/chat/completions HTTP/1.1", "Host: 127.0.0.1:\(server.port)", "Accept: text/event-stream",
                    "Accept-Encoding: identity", "Connection: close", "Content-Type: application/json",
                ]
            )
            #expect(
                parts.last == """
                    {"max_tokens":20,"messages":[{"content":"Hi?","role":"user"}],"model":"talker","response_format":\
                    {"json_schema":{"name":"answer","schema":{"properties":{"n":{"minimum":1,"type":"integer"}},\
                    "type":"object"},"strict":true},"type":"json_schema"},"stream":true,"temperature":0}
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
            let bare = try server.client { ($0.chatModel, $0.embeddingModel) = (nil, nil) }
            await #expect(throws: ModelServerError.noModel) { try await bare.chat(Self.request) }
            await #expect(throws: ModelServerError.noModel) { try await bare.embeddings(["a"]) }
            let small = try server.client { $0.tokenBudget = 26 }
            await #expect(throws: ModelServerError.overBudget(tokens: 27, budget: 26)) {
                try await small.chat(Self.request)
            }
            #expect(try await server.connectionsSoFar() == 0)
        }
    }
}
