import Foundation
import GRDB
import ParlanceControl
import ParlanceWaiting
import ParlanceWords
import Synchronization
import Testing

@testable import ParlanceAssistant

/// What is asked and answered is kept, and goes with what it rests on.
@Suite(.timeLimit(.minutes(30))) struct TalkTests {
    /// An assistant that is on and has read everything, beside a server whose connections take these scripts.
    private struct World {
        let node: LittleNode
        let assistant: Assistant
        let server: ScriptedServer
        let store: AssistantStore
        let events = Events()

        func ask(_ question: String, who: String? = nil, limit: Int? = nil, turn: String? = nil) async throws
            -> AskReply
        {
            try await assistant.ask(AskOperation(question: question, who: who, limit: limit, turn: turn)) {
                events.add($0)
            }
        }

        func talk(_ who: String? = nil) async throws -> [TalkTurn] {
            try await assistant.talk(TalkOperation(who: who), node).turns
        }

        /// Waits until the assistant has read what the node told.
        func settle() async throws {
            try await eventually("all is read") { try assistant.turn(nil, node).reading == nil }
        }
    }

    private final class Events: Sendable {
        private let kept = Mutex<[AnswerEvent]>([])
        private let signal = AsyncStream.makeStream(of: AnswerEvent.self)

        func add(_ event: AnswerEvent) {
            kept.withLock { $0.append(event) }
            signal.continuation.yield(event)
        }

        var all: [AnswerEvent] { kept.withLock { $0 } }

        func next() async { for await _ in signal.stream { break } }
    }

    private static func answer(_ pieces: String...) -> [ScriptedServer.Step] {
        [.send(Responses.chunked(pieces.map(Responses.delta) + [Responses.stop, Responses.done]))]
    }

    private static let models: [ScriptedServer.Step] = [.send(Responses.json(#"{"data":[{"id":"talker"}]}"#))]

    /// - Parameter scripts: for the connections after the one that names the model; empty: no model is used.
    private func withWorld(
        _ scripts: [ScriptedServer.Step]...,
        body: @Sendable (World) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "talk-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try await ScriptedServer.run(all: [Self.models] + scripts) { server in
            let node = LittleNode(["The ferry leaves at nine.", "The pump leaks again."])
            let assistant = Assistant(folder: folder.path, timeLimits: ScriptedServer.patience)
            try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await assistant.run(node) }
                defer { group.cancelAll() }
                _ = try assistant.turn(true, node)
                let world = World(node: node, assistant: assistant, server: server, store: try assistant.opened())
                try await world.settle()
                if !scripts.isEmpty {
                    let address = "http://127.0.0.1:\(server.port)"
                    _ = try await assistant.use(ModelServerOperation(address: address), node)
                }
                try await body(world)
            }
        }
    }

    @Test func aQuestionIsKeptWithItsAnswer() async throws {
        try await withWorld { world in
            let reply = try await world.ask("When does the ferry leave?")
            #expect(reply.sources.map(\.id) == ["m1"])
            let turn = try #require(try await world.talk().first)
            #expect(turn.question == "When does the ferry leave?" && turn.answer == nil && turn.model == .rules)
            #expect(turn.sources == reply.sources)
            // Each conversation has a talk of its own, and who asks for messages has none.
            _ = try await world.ask("What leaks?", who: "Bob")
            _ = try await world.ask("What leaks?", who: "Bob", limit: 3)
            #expect(try await world.talk("Bob").map(\.question) == ["What leaks?"])
            #expect(try await world.talk().count == 1)
            #expect(try await world.assistant.clear(TalkClearOperation(who: "Bob"), world.node).turns == 1)
            #expect(try await world.talk("Bob").isEmpty)
            #expect(try await world.talk().count == 1)
            #expect(try await world.assistant.clear(TalkClearOperation(all: true), world.node).turns == 1)
        }
    }

    @Test func piecesComeBeforeTheReply() async throws {
        try await withWorld(Self.answer("At ni", "ne [1][7].")) { world in
            let reply = try await world.ask("When does the ferry leave?", turn: "t")
            let events = world.events.all
            #expect(events == [AnswerEvent(turn: "t", text: "At ni"), AnswerEvent(turn: "t", text: "ne [1][7].")])
            #expect(reply.answer == "At nine [1].")
            #expect(try await world.talk().map(\.answer) == ["At nine [1]."])
        }
    }

    @Test func whoeverGivesNoLabelGetsNoPieces() async throws {
        try await withWorld(Self.answer("At nine [1].")) { world in
            let reply = try await world.ask("When does the ferry leave?")
            #expect(reply.answer == "At nine [1]." && world.events.all.isEmpty)
        }
    }

    @Test func cancellingEndsTheRequestAndKeepsNothing() async throws {
        let script: [ScriptedServer.Step] = [.send(Responses.open(Responses.delta("At"))), .hold]
        try await withWorld(script) { world in
            async let asked = world.ask("When does the ferry leave?", turn: "t")
            await world.events.next()
            await #expect(throws: ControlError.self) { try await world.ask("What leaks?", turn: "t") }
            #expect(!world.assistant.cancel(AskCancelOperation(turn: "other")).cancelled)
            #expect(world.assistant.cancel(AskCancelOperation(turn: "t")).cancelled)
            // The connection of the question is closed, which was the second one.
            var ends = 0
            for await _ in world.server.ended {
                ends += 1
                if ends == 2 { break }
            }
            let reply = try await asked
            #expect(reply.answer == nil && reply.problem == "You cancelled the answer." && reply.sources.count == 1)
            #expect(reply.model == .rules)
            #expect(try await world.talk().isEmpty)
            #expect(!world.assistant.cancel(AskCancelOperation(turn: "t")).cancelled)
        }
    }

    @Test func offEndsWhatIsUnderWayAndKeepsNothing() async throws {
        let script: [ScriptedServer.Step] = [.send(Responses.open(Responses.delta("At"))), .hold]
        try await withWorld(script) { world in
            async let asked = world.ask("When does the ferry leave?", turn: "t")
            await world.events.next()
            #expect(try world.assistant.turn(false, world.node).on == false)
            do {
                Issue.record("\(try await asked)")
            } catch {
                #expect(error as? ControlError == .assistantOff)
            }
            _ = try world.assistant.turn(true, world.node)
            #expect(try await world.talk().isEmpty)
        }
    }

    @Test func aTurnGoesWithItsMessage() async throws {
        try await withWorld { world in
            _ = try await world.ask("When does the ferry leave?")
            _ = try await world.ask("What leaks?")
            world.node.withdraw("m1")
            #expect(try await world.talk().map(\.question) == ["What leaks?"])
            try await eventually("it is removed") { try world.store.turns(about: nil).count == 1 }
            // Another text is another message.
            world.node.write("m2", "All is dry.")
            #expect(try await world.talk().isEmpty)
            try await eventually("it is removed") { try world.store.turns(about: nil).isEmpty }
        }
    }

    /// What the model was told of earlier answers may stand in a later one.
    @Test func aTurnGoesWithTheMessagesOfTurnsBeforeIt() async throws {
        let first = Self.answer("At nine [1].")
        try await withWorld(first, Self.answer("The pump [1]."), Self.answer("No [1].")) { world in
            _ = try await world.ask("When does the ferry leave?")
            _ = try await world.ask("What leaks?")
            #expect(try await world.talk().count == 2)
            world.node.withdraw("m1")
            #expect(try await world.talk().isEmpty)
            try await eventually("both are removed") { try world.store.turns(about: nil).isEmpty }
        }
    }

    @Test func aMessageThatGoesWhileTheModelWritesTakesTheTurn() async throws {
        try await withWorld(Self.answer("At ", "nine [1].")) { world in
            let node = world.node
            let reply = try await world.assistant.ask(
                AskOperation(question: "When does the ferry leave?", turn: "t")
            ) { _ in node.withdraw("m1") }
            #expect(reply.answer == nil && reply.sources.isEmpty && reply.problem == .messagesGone, "\(reply)")
            #expect(try world.store.turns(about: nil).isEmpty)
        }
    }

    @Test func aQuestionThatCannotBeKeptIsAnsweredAndSaysSo() async throws {
        try await withWorld { world in
            try world.store.queue.write { db in try db.execute(sql: "DROP TABLE turn") }
            let reply = try await world.ask("When does the ferry leave?")
            #expect(reply.sources.map(\.id) == ["m1"] && reply.kept == nil)
            let reason = ControlError.assistantFile(world.assistant.path).message.english
            #expect(reply.problem?.english == "\(reason) The question is not kept.")
        }
    }

    @Test func theModelGetsTheTurnsBefore() async throws {
        try await withWorld(Self.answer("At nine [1]."), Self.answer("It leaks [1]."), Self.answer("")) { world in
            _ = try await world.ask("When does the ferry leave?")
            _ = try await world.ask("What leaks?")
            let requests = await world.server.ledger.requests.filter { $0.hasPrefix("POST") }
            try #require(requests.count == 2)
            #expect(!requests[0].contains("Answer: "))
            #expect(requests[1].contains("Question: When does the ferry leave? Answer: At nine ."))
        }
    }

    @Test func labelsHaveAFewBytesAndQuestionsALimit() throws {
        let questions = Questions()
        #expect(throws: ControlError.self) { try questions.begin("") }
        #expect(throws: ControlError.self) { try questions.begin(String(repeating: "x", count: 65)) }
        let first = try questions.begin("a")
        #expect(throws: ControlError.questionUnderWay("a")) { try questions.begin("a") }
        #expect(!questions.end(first))
        for _ in 0..<AssistantLimits.questionsUnderWay { _ = try questions.begin(nil) }
        #expect(throws: ControlError.assistantBusy) { try questions.begin("b") }
    }

    @Test func manySmallPiecesAreToldTogether() {
        let events = Events()
        let teller = AnswerTeller("t") { events.add($0) }
        let count = AssistantLimits.answerPieces + AssistantLimits.answerPieceBytes
        for _ in 0..<count { teller.add("x") }
        #expect(events.all.count == AssistantLimits.answerPieces + 1)
        #expect(events.all.map(\.text).joined().count == count)
    }
}
