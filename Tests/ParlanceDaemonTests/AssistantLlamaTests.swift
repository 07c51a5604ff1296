import ParlanceWaiting
import Testing

@testable import ParlanceControl

extension AssistantProgramTests {
    /// The assistant with the server of llama.cpp.
    @Suite struct AssistantLlamaTests {
        @Test(.enabled(if: LlamaServer.python != nil, "needs PARLANCE_LLAMA, a Python with xllamacpp and gguf"))
        func llamaAnswersAndMakesEmbeddings() async throws {
            try await Lab.run(limit: .seconds(120)) { lab in
                let server = try LlamaServer(in: lab.folder)
                defer { server.end() }
                let pair = try await Pair.meeting(in: lab)
                let texts = ["The ferry leaves at nine.", "Agreed, we take the blue paint.", "Die Pumpe leckt wieder."]
                for text in texts { try await pair.bob.send(text, to: "Ada") }
                _ = try await pair.ada.ask(AssistantOperation(on: true))
                let chat = try #require(try await pair.ada.ask(ModelServerOperation(address: server.address)).chat)
                let both = ModelServerOperation(address: server.address, model: chat.name, embedding: chat.name)
                #expect(try await pair.ada.ask(both).model == chat)
                try await eventually("all is embedded", within: .seconds(30)) {
                    let info = try await pair.ada.ask(AssistantOperation())
                    return info.reading == nil && info.problem == nil && info.messages ?? 0 > texts.count
                }
                // Whatever the numbers are, a text is nearest to itself.
                for text in texts {
                    let found = try await pair.ada.ask(AskOperation(question: text, limit: 1))
                    #expect(found.sources.map(\.excerpt) == [text] && found.model == chat, "\(found)")
                }
                let reply = try await pair.ada.ask(AskOperation(question: "When does the ferry leave?"))
                #expect(reply.answer?.isEmpty == false && reply.model == chat && reply.kept != nil, "\(reply)")
                // Such a model seldom ends its JSON. Then it says so, and what the rules found stands.
                let summary = try await pair.ada.ask(SummaryOperation(who: "Bob"))
                let isWhole = summary.answer != nil && summary.problem == nil && summary.model == chat
                let isByRules = summary.answer == nil && summary.problem != nil && summary.model == .rules
                #expect(isWhole || isByRules, "\(summary)")
                #expect(isWhole || !summary.points.isEmpty, "what the rules found stands")
            }
        }
    }
}
