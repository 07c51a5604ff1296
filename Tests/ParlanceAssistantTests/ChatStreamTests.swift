import NIOCore
import ParlanceRandom
import Testing

@testable import ParlanceAssistant

@Suite(.timeLimit(.minutes(30))) struct ChatStreamTests {
    private static let request = ChatRequest(messages: [.init(.user, "Hi?")], maximumTokens: 20)

    /// Streams the response and returns the pieces and the result.
    private static func stream(_ steps: [ScriptedServer.Step]) async throws -> (pieces: [String], answer: ChatAnswer) {
        try await ScriptedServer.run(steps) { server in
            let pieces = Pieces()
            let answer = try await server.client().chat(request) { pieces.append($0) }
            return (pieces.all, answer)
        }
    }

    private static let hello = ChatAnswer(text: "Hello", model: "talker:1b", finishReason: .stop)
    private static let body = [
        Responses.role, Responses.delta("Hel"), Responses.delta(""), Responses.delta("lo"), Responses.stop,
        Responses.done,
    ]

    @Test func chunksGiveDeltasAndAnAnswer() async throws {
        let (pieces, answer) = try await Self.stream([.send(Responses.chunked(Self.body))])
        #expect(pieces == ["Hel", "lo"])
        #expect(answer == Self.hello)
    }

    @Test func theEndOfTheConnectionEndsAStream() async throws {
        #expect(try await Self.stream([.send(Responses.open(Self.body.joined()))]).answer == Self.hello)
    }

    @Test func aLengthEndsAStream() async throws {
        let text = Self.body.joined()
        let response = "\(Responses.streamHead)Content-Length: \(text.utf8.count)\r\n\r\n\(text)"
        #expect(try await Self.stream([.send(response)]).answer == Self.hello)
    }

    @Test func commentsCRLFAndUsageChunksDoNotMatter() async throws {
        let usage = #"data: {"choices":[],"usage":{"total_tokens":3}}"# + "\n\n"
        let text = ([": ping\n\n"] + Self.body.flatMap { [$0, ":\n\n"] }.dropLast() + [usage]).joined()
        let response = Responses.open(
            text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\r\n")
        )
        #expect(try await Self.stream([.send(response)]).answer == Self.hello)
    }

    @Test func theServerNeedNotCloseAfterTheEnd() async throws {
        for end in [Responses.done, Responses.stop] {
            let text = Responses.chunked([Responses.delta("Hello"), end], isWhole: false)
            #expect(try await Self.stream([.send(text), .hold]).answer.text == "Hello")
        }
    }

    @Test func aReasonToFinishIsEnoughWithoutDone() async throws {
        let text = Responses.open(Responses.delta("Hello") + Responses.stop)
        #expect(try await Self.stream([.send(text)]).answer == Self.hello)
    }

    @Test func doneIsEnoughWithoutAReason() async throws {
        let (_, answer) = try await Self.stream([.send(Responses.open(Responses.delta("Hello") + "data: [DONE]\n"))])
        #expect(answer == ChatAnswer(text: "Hello", model: "talker:1b", finishReason: nil))
    }

    @Test(arguments: [
        Responses.open(Responses.role + Responses.delta("Hel")),
        Responses.open(Responses.delta("Hel") + "data: {\"choi"),
        Responses.chunked([Responses.delta("Hel")]),
        Responses.chunked([Responses.delta("Hel"), "data: "], isWhole: false),
        "\(Responses.streamHead)Content-Length: 9999\r\n\r\n\(Responses.delta("Hel"))",
    ])
    func aCutStreamIsReportedWithWhatCame(response: String) async throws {
        await #expect(throws: ModelServerError.cut(text: "Hel")) { try await Self.stream([.send(response)]) }
    }

    @Test func anEmptyStreamHasNoChoices() async throws {
        await #expect(throws: ModelServerError.malformed(.noChoices)) {
            try await Self.stream([.send(Responses.open(Responses.done))])
        }
    }

    @Test func anEmptyAnswerIsAnAnswer() async throws {
        let (pieces, answer) = try await Self.stream([.send(Responses.open(Responses.role + Responses.stop))])
        #expect(pieces.isEmpty)
        #expect(answer == ChatAnswer(text: "", model: nil, finishReason: .stop))
    }

    @Test(arguments: [
        #"data: {"error":{"message":"no memory","code":500}}"#, #"data: {"error":"no memory"}"#,
        #"error: {"code":500,"message":"no memory"}"#,
    ])
    func anErrorInTheStreamIsAnError(event: String) async throws {
        await #expect(throws: ModelServerError.reported(message: "no memory")) {
            try await Self.stream([.send(Responses.open(Responses.delta("Hel") + event + "\n\n"))])
        }
    }

    @Test(arguments: [
        "data: {", "data: []", #"data: {"choices":"x"}"#, #"data: {"choices":[{"delta":{"content":1}}]}"#,
    ])
    func anEventOfAnotherFormIsAnError(event: String) async throws {
        await #expect(throws: ModelServerError.malformed(.event)) {
            try await Self.stream([.send(Responses.open(event + "\n\n"))])
        }
    }

    @Test func invalidTextIsAnError() async throws {
        let bytes = Array(Responses.open("").utf8) + Array(#"data: {"choices":[{"delta":{"content":""#.utf8)
        await #expect(throws: ModelServerError.malformed(.event)) {
            try await Self.stream([.sendBytes(bytes + [0xc3, 0x28] + Array("\"}}]}\n\n".utf8))])
        }
    }

    @Test func aServerThatCannotStreamMaySendItAtOnce() async throws {
        let (pieces, answer) = try await Self.stream([.send(Responses.chat("Hello"))])
        #expect(pieces == ["Hello"])
        #expect(answer == Self.hello)
    }

    @Test func anErrorInsteadOfAStreamIsAnError() async throws {
        await #expect(throws: ModelServerError.reported(message: "no such model")) {
            try await Self.stream([.send(Responses.json(#"{"error":{"message":"no such model"}}"#))])
        }
    }

    @Test func longLinesAndLongAnswersAreRefused() async throws {
        let line = "data: " + String(repeating: "x", count: ModelServerLimits.lineBytes)
        await #expect(throws: ModelServerError.tooLarge(.line)) {
            try await Self.stream([.send(Responses.open(line)), .hold])
        }
        let long = String(repeating: "x", count: 20 * ModelServerLimits.answerBytesPerToken)
        let text = Responses.open(Responses.delta(long) + Responses.delta("x"))
        await #expect(throws: ModelServerError.tooLarge(.answer)) { try await Self.stream([.send(text)]) }
    }

    @Test func aLongStreamIsRefused() throws {
        var reader = ChatReader(maximumTokens: 20, streamLimit: 10) { _ in }
        let bytes = ByteBuffer(string: ": ping\n").readableBytesView
        _ = try reader.read(bytes)
        #expect(throws: ModelServerError.tooLarge(.stream)) { try reader.read(bytes) }
    }

    @Test func onlyPartsOfAnAnswerShowThatItGoesOn() throws {
        var reader = ChatReader(maximumTokens: 20) { _ in }
        func progress(_ text: String) throws -> ResponseProgress {
            try reader.read(ByteBuffer(string: text).readableBytesView)
        }
        #expect(try progress(": ping\n\n") == .waiting)
        #expect(try progress(Responses.role) == .waiting)
        #expect(try progress(Responses.delta("")) == .waiting)
        #expect(try progress(#"data: {"choices":[]}"# + "\n\n") == .waiting)
        #expect(try progress(#"data: {"choices":[{"delta":{"reasoning_content":"Hm"}}]}"# + "\n\n") == .alive)
        #expect(try progress(Responses.delta("Hel")) == .alive)
        #expect(try progress(Responses.stop) == .complete)
        #expect(try reader.finish(isWhole: false).text == "Hel")
    }

    @Test func whereTheBytesAreCutDoesNotMatter() async throws {
        var random = SplitMix.printingSeed()
        let text = "Grüße 漢字 👩‍👩‍👧!"
        let body = text.unicodeScalars.map { Responses.delta(String($0)) } + [Responses.stop, Responses.done]
        for response in [Responses.chunked(body), Responses.open(body.joined())] {
            var rest = Array(response.utf8)[...]
            var steps: [ScriptedServer.Step] = []
            while !rest.isEmpty {
                let part = rest.prefix(Int.random(in: 1...40, using: &random))
                steps.append(.sendBytes(Array(part)))
                rest = rest.dropFirst(part.count)
            }
            let (pieces, answer) = try await Self.stream(steps)
            #expect(answer.text.utf8.elementsEqual(text.utf8))
            #expect(pieces.joined() == answer.text)
        }
    }
}
