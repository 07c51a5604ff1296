import Foundation
import ParlanceControl
import ParlanceWaiting
import ParlanceWords
import Testing

@testable import ParlanceAssistant

/// Embeddings of messages by a model server.
@Suite(.timeLimit(.minutes(30))) struct EmbeddingTests {
    private struct World: Sendable {
        let folder: URL
        let node: LittleNode
        let models: MeaningServer
        let address: String
        let server: ScriptedServer
        var assistant: Assistant

        var embedding: ModelInfo { ModelInfo(name: "near", address: address) }

        /// Names models of the server, and waits until all that comes of that is done.
        func use(_ model: String? = nil, embedding: String? = nil) async throws -> AssistantInfo {
            _ = try await assistant.use(
                ModelServerOperation(address: address, model: model, embedding: embedding),
                node
            )
            return try await settled()
        }

        func settled() async throws -> AssistantInfo {
            try await eventually("all is read") { try assistant.turn(nil, node).reading == nil }
            return try assistant.turn(nil, node)
        }

        func ask(_ question: String, limit: Int? = 5, isAside: Bool = false, turn: String? = nil) async throws
            -> AskReply
        {
            let operation = AskOperation(question: question, limit: limit, turn: turn)
            return try await assistant.ask(operation, isAside: isAside) { _ in }
        }

        /// The messages that have an embedding of the model that is named now.
        func embedded() throws -> [String] {
            let maker = try #require(assistant.maker)
            return try assistant.opened().vectors(in: nil, of: maker.identity, dimensions: maker.dimensions)
                .places.map(\.message).sorted()
        }
    }

    private static let texts = ["Die Fähre legt um neun ab.", "Die Pumpe leckt wieder."]

    /// - Parameter scripts: for the first connections; then the server of the world answers.
    private func withWorld(
        _ scripts: [ScriptedServer.Step]...,
        body: @Sendable (World) async throws -> Void
    ) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "embedding-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let models = MeaningServer()
        try await ScriptedServer.run(all: scripts + [models.script]) { server in
            let world = World(
                folder: folder,
                node: LittleNode(Self.texts),
                models: models,
                address: "http://127.0.0.1:\(server.port)",
                server: server,
                assistant: Self.assistant(folder)
            )
            try await running(world) { world in
                _ = try world.assistant.turn(true, world.node)
                _ = try await world.settled()
                try await body(world)
            }
        }
    }

    private static func assistant(_ folder: URL) -> Assistant {
        Assistant(folder: folder.path, timeLimits: ScriptedServer.patience)
    }

    private func running(_ world: World, _ body: @Sendable (World) async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { await world.assistant.run(world.node) }
            defer { group.cancelAll() }
            try await body(world)
        }
    }

    @Test func oldAndNewMessagesAreFoundByTheirMeaning() async throws {
        try await withWorld { world in
            let info = try await world.use(embedding: "near")
            #expect(info.model == world.embedding && info.chat == nil && info.problem == nil)
            #expect(try world.embedded() == ["m1", "m2"])
            let reply = try await world.ask("Wann geht das Schiff?")
            #expect(reply.sources.map(\.id) == ["m1"] && reply.model == world.embedding && reply.problem == nil)
            world.node.write("m3", "Das Schiff kam gestern.")
            world.node.write("m2", "Das Schiff ist voll.")
            try await eventually("they are embedded") { try world.embedded() == ["m1", "m2", "m3"] }
            #expect(Set(try await world.ask("When is the ferry?").sources.map(\.id)) == ["m1", "m2", "m3"])
            #expect(world.assistant.findsByMeaning)
            // Each text is sent once, and each question; the first is the sample.
            let sent = [VectorMaker.sample, "Das Schiff kam gestern.", "Das Schiff ist voll."]
            let asked = ["Wann geht das Schiff?", "When is the ferry?"]
            #expect(world.models.texts.sorted() == (Self.texts + sent + asked).sorted())
        }
    }

    /// A message is read while embeddings are made.
    @Test func whatIsReadMeanwhileIsEmbeddedToo() async throws {
        try await withWorld { world in
            _ = try await world.use(embedding: "near")
            world.node.holdNext()
            defer { world.node.release() }
            world.node.write("m3", "Das Schiff kam gestern.")
            try await eventually("it is being read") { world.node.isHolding }
            _ = try await world.assistant.use(
                ModelServerOperation(address: world.address, embedding: "near"),
                world.node
            )
            try await eventually("what lacks an embedding was looked for") { !world.assistant.isMakingVectors }
            world.node.release()
            #expect(try await world.settled().problem == nil)
            #expect(try world.embedded() == ["m1", "m2", "m3"])
        }
    }

    @Test func withAnotherModelAllAreMadeAnew() async throws {
        try await withWorld { world in
            _ = try await world.use(embedding: "near")
            let before = try #require(world.assistant.maker)
            #expect(try await world.use(embedding: "wide").model?.name == "wide")
            #expect(try world.embedded() == ["m1", "m2"])
            #expect(world.assistant.maker?.dimensions == 5 && before.dimensions == 3)
            let store = try world.assistant.opened()
            #expect(try store.vectors(in: nil, of: before.identity, dimensions: 3).isEmpty)
            #expect(try await world.ask("Wann geht das Schiff?").model.name == "wide")
            // With no server the ones that it made go too.
            _ = try await world.assistant.use(ModelServerOperation(), world.node)
            #expect(try await world.settled().model == .rules)
            #expect(try store.lacking(after: nil, limit: 9).count == 2)
        }
    }

    @Test func withoutTheServerWordsAreComparedUntilItIsBack() async throws {
        try await withWorld { world in
            _ = try await world.use(embedding: "near")
            let before = ContinuousClock.now
            world.models.setAway(true)
            world.node.write("m3", "Bob, please paint the mast by Friday.")
            let away = try await world.settled()
            #expect(away.problem?.english.contains("was cut") == true && away.messages == 3, "\(away)")
            #expect(try await world.assistant.actions(ActionsOperation(), world.node).actions.count == 1)
            #expect(try world.embedded() == ["m1", "m2"])
            let reply = try await world.ask("Wo ist die Fähre?", limit: nil)
            #expect(reply.sources.map(\.id) == ["m1"] && reply.model == .rules)
            #expect(reply.problem?.english.hasSuffix("Only words were compared.") == true, "\(reply)")
            // Before the pause is over it is not asked again, and later only once each time.
            let connections = try await world.server.connectionsSoFar()
            _ = world.assistant.rest(at: before)
            #expect(try await world.settled().problem != nil)
            #expect(try await world.server.connectionsSoFar() == connections + 1, "the count has one of its own")
            world.models.setAway(false)
            _ = world.assistant.rest(at: .now + AssistantLimits.vectorPause)
            #expect(try await world.settled().problem == nil)
            #expect(try world.embedded() == ["m1", "m2", "m3"])
            #expect(try await world.ask("Wann geht das Schiff?").problem == nil)
        }
    }

    /// A server that has no time now refuses no text.
    @Test(arguments: ["503 Loading model", "502 Bad Gateway", "401 Unauthorized", "404 Not Found"])
    func whatHasNothingToDoWithTheTextIsNoRefusal(status: String) async throws {
        try await withWorld { world in
            _ = try await world.use(embedding: "near")
            world.models.setStatus(status)
            world.node.write("m3", "Das Schiff kam gestern.")
            #expect(try await world.settled().problem != nil)
            #expect(try world.assistant.opened().lacking(after: nil, limit: 9).map(\.message) == ["m3"])
            world.models.setStatus(nil)
            _ = world.assistant.rest(at: .now + AssistantLimits.vectorPause)
            #expect(try await world.settled().problem == nil)
            #expect(try world.embedded() == ["m1", "m2", "m3"])
        }
    }

    /// That nothing lacks an embedding does not show that the server is back.
    @Test func aProblemStaysUntilTheModelIsAskedAgain() async throws {
        try await withWorld { world in
            _ = try await world.use(embedding: "near")
            world.models.setAway(true)
            #expect(try await world.ask("Wann geht das Schiff?").problem != nil)
            for pauses in [1, 10] {
                _ = world.assistant.rest(at: .now + AssistantLimits.vectorPause * pauses)
                #expect(try await world.settled().problem != nil)
            }
            world.models.setAway(false)
            _ = world.assistant.rest(at: .now + AssistantLimits.vectorPause * 100)
            #expect(try await world.settled().problem == nil)
        }
    }

    /// What fails at a server that is not used any more is no problem.
    @Test func aProblemGoesWithItsServer() async throws {
        try await withWorld { world in
            _ = try await world.use(embedding: "near")
            let before = try #require(world.assistant.maker)
            world.models.setAway(true)
            world.node.write("m3", "Das Schiff kam gestern.")
            #expect(try await world.settled().problem != nil)
            _ = try await world.assistant.use(ModelServerOperation(), world.node)
            #expect(try await world.settled().problem == nil)
            world.assistant.noteQuestion("No.", of: before)
            #expect(try await world.settled().problem == nil)
        }
    }

    /// The last word counts, whichever server answers first.
    @Test func aServerThatAnswersTooLateIsNotTaken() async throws {
        try await withWorld { world in
            let server = AssistantStore.Server(address: world.address, model: "talker", allowsPublic: false)
            let first = try world.assistant.beginChoice()
            _ = try await world.assistant.use(ModelServerOperation(), world.node)
            #expect(throws: ControlError.otherChoice) { try world.assistant.take(server, first) }
            let second = try world.assistant.beginChoice()
            _ = try world.assistant.turn(false, world.node)
            #expect(throws: ControlError.assistantOff) { try world.assistant.take(server, second) }
            _ = try world.assistant.turn(true, world.node)
            #expect(throws: ControlError.otherChoice) { try world.assistant.take(server, second) }
            #expect(world.assistant.server == nil)
        }
    }

    /// A search by words does not wait for a server that was away a moment ago; a question finds out that it is back.
    @Test func aQuestionFindsOutThatTheServerIsBack() async throws {
        try await withWorld { world in
            _ = try await world.use(embedding: "near")
            world.models.setAway(true)
            let first = try await world.ask("Wann geht das Schiff?")
            #expect(first.sources.isEmpty && first.problem != nil && first.problem != .messagesGone)
            let requests = await world.server.ledger.requests.count
            #expect(try await world.ask("Wann geht das Schiff?", isAside: true).problem == first.problem)
            #expect(await world.server.ledger.requests.count == requests)
            #expect(try world.assistant.turn(nil, world.node).problem != nil)
            world.models.setAway(false)
            let asked = try await world.ask("Wann geht das Schiff?", limit: nil)
            #expect(asked.sources.map(\.id) == ["m1"] && asked.problem == nil)
            #expect(try await world.settled().problem == nil)
            #expect(try await world.ask("Wann geht das Schiff?").sources.map(\.id) == ["m1"])
        }
    }

    private static let models = Responses.json(#"{"data":[{"id":"near"}]}"#)
    private static let sample = Responses.json(#"{"data":[{"index":0,"embedding":[1,2,3]}]}"#)

    @Test func aQuestionCanBeCancelledWhileItIsEmbedded() async throws {
        let both = Responses.json(#"{"data":[{"index":0,"embedding":[1,2,3]},{"index":1,"embedding":[1,2,4]}]}"#)
        try await withWorld([.send(Self.models)], [.send(Self.sample)], [.send(both)], [.hold]) { world in
            #expect(try await world.use(embedding: "near").problem == nil)
            async let asked = world.ask("Wo ist die Fähre?", limit: nil, turn: "t")
            try await eventually("it is asked") { await world.server.ledger.requests.count == 4 }
            #expect(world.assistant.cancel(AskCancelOperation(turn: "t")).cancelled)
            let reply = try await asked
            #expect(reply.problem == "You cancelled the answer." && reply.kept == nil, "\(reply)")
            #expect(try world.assistant.turn(nil, world.node).problem == nil)
        }
    }

    @Test func offRemovesAllAndEndsTheRequest() async throws {
        try await withWorld([.send(Self.models)], [.send(Self.sample)], [.hold]) { world in
            let operation = ModelServerOperation(address: world.address, embedding: "near")
            _ = try await world.assistant.use(operation, world.node)
            try await eventually("it is asked") { await world.server.ledger.requests.count == 3 }
            #expect(try world.assistant.turn(nil, world.node).reading == true)
            // Reading by the rules goes on meanwhile.
            world.node.write("m3", "Bob, please paint the mast by Friday.")
            try await eventually("it is read") { try world.assistant.turn(nil, world.node).messages == 3 }
            #expect(try world.assistant.turn(false, world.node).on == false)
            var ends = 0
            for await _ in world.server.ended {
                ends += 1
                if ends == 3 { break }
            }
            #expect(try FileManager.default.contentsOfDirectory(atPath: world.folder.path).isEmpty)
            _ = try world.assistant.turn(true, world.node)
            let info = try await world.settled()
            #expect(info.model == .rules && info.problem == nil && world.models.texts.isEmpty)
        }
    }

    @Test func anEmbeddingGoesWithItsMessage() async throws {
        try await withWorld { world in
            _ = try await world.use(embedding: "near")
            world.node.withdraw("m1")
            try await eventually("it is gone") { try world.embedded() == ["m2"] }
            #expect(try await world.ask("Wann geht das Schiff?").sources.isEmpty)
        }
    }

    @Test func aChatModelGetsNoEmbeddings() async throws {
        try await withWorld { world in
            let info = try await world.use()
            #expect(info.chat == ModelInfo(name: "talker", address: world.address) && info.model == .rules)
            world.node.write("m3", "Das Schiff kam gestern.")
            _ = try await world.settled()
            #expect(try await world.ask("Wo ist die Fähre?", limit: nil).answer == "At nine [1].")
            #expect(world.models.texts.isEmpty && world.models.chats == 1)
            // With both, each does its part.
            let both = try await world.use("talker", embedding: "near")
            #expect(both.model == world.embedding && both.chat?.name == "talker")
            let reply = try await world.ask("Wann geht das Schiff?", limit: nil)
            #expect(reply.answer == "At nine [1]." && reply.model.name == "talker", "\(reply)")
        }
    }

    @Test func whatIsNamedMustWork() async throws {
        try await withWorld { world async throws in
            let unknown = ModelServerOperation(address: world.address, embedding: "far")
            await #expect(throws: ControlError.self) { try await world.assistant.use(unknown, world.node) }
            #expect(try world.assistant.opened().server() == nil && world.assistant.maker == nil)
            // A name without a tag means the latest, as in Ollama.
            #expect(try await world.use("tagged").chat?.name == "tagged:latest")
            world.models.setStatus("500 out of memory")
            let failing = ModelServerOperation(address: world.address, embedding: "near")
            let error = await #expect(throws: ControlError.self) { try await world.assistant.use(failing, world.node) }
            #expect(error?.message.english.contains("gave the error 500") == true, "\(String(describing: error))")
        }
        try await withWorld([.send(Self.models)], [.send(Responses.chat("What?"))]) { world async throws in
            let operation = ModelServerOperation(address: world.address, embedding: "near")
            let error = await #expect(throws: ControlError.self) {
                try await world.assistant.use(operation, world.node)
            }
            #expect(error?.message.english.hasSuffix("gave an error, or no embeddings.") == true)
            #expect(try world.assistant.opened().server() == nil)
        }
    }

    /// As with one that is longer than the model can take.
    @Test func aTextThatTheServerRefusesHoldsUpNoOther() async throws {
        try await withWorld { world in
            world.node.write("m3", "This is \(MeaningServer.refused).")
            _ = try await world.settled()
            #expect(try await world.use(embedding: "near").problem == nil)
            #expect(try world.embedded() == ["m1", "m2"])
            #expect(try world.assistant.opened().lacking(after: nil, limit: 9).isEmpty)
        }
    }

    @Test func aStartMakesOnlyWhatIsMissing() async throws {
        try await withWorld { world in
            _ = try await world.use(embedding: "near")
            let count = world.models.texts.count
            world.models.setAway(true)
            world.node.write("m3", "Das Schiff kam gestern.")
            #expect(try await world.settled().problem != nil)
            world.models.setAway(false)
            var next = world
            next.assistant = Self.assistant(world.folder)
            try await running(next) { next in
                try await eventually("it is on") { try next.assistant.turn(nil, next.node).on }
                let info = try await next.settled()
                #expect(info.model == next.embedding && info.messages == 3)
                #expect(try next.embedded() == ["m1", "m2", "m3"] && next.models.texts.count == count + 1)
            }
        }
    }

    @Test func asMuchOfATextIsSentAsIsSaid() {
        let most = ModelServerOperation.sentCharacters
        #expect(VectorMaker.beginning("ab") == "ab")
        #expect(VectorMaker.beginning(String(repeating: "a", count: most + 1)).count == most)
        let long = "e" + String(repeating: "\u{301}", count: 2 * most)
        #expect(VectorMaker.beginning(long).unicodeScalars.count == most)
    }
}
