import Foundation
import Testing

@testable import ParlanceControl

/// The second list of `parlance search`, with the built command.
@Suite(.timeLimit(.minutes(30))) struct SearchByMeaningTests {
    private static let near: AskReply = {
        var best = Sample.source("The ferry leaves at nine.")
        best.score = 0.75
        return AskReply(sources: [best], model: .miniLM)
    }()

    @Test func whatIsNearInMeaningStandsBelow() async throws {
        try await ServerFixture.with("Bob") { fixture in
            _ = try await fixture.hear("Is there a boat?", from: fixture.bob)
            let heading = "Near in meaning:\n"
            let without = try await fixture.run("search", "boat")
            #expect(without.code == 0 && without.output.contains("Is there a boat?"), "\(without)")
            #expect(!without.output.contains(heading), "\(without)")
            // As with the assistant on, and its embedding model of 90 MB.
            fixture.node.answer(SearchOperation.self) { asked, result in
                result.map { reply in
                    var reply = reply
                    if asked.near == true { reply.near = Self.near }
                    return reply
                }
            }
            let both = try await fixture.run("search", "boat")
            let parts = both.output.components(separatedBy: heading)
            #expect(both.code == 0 && parts.count == 2, "\(both)")
            #expect(parts.first.map { without.output + "\n" == $0 } == true, "\(both)")
            #expect(parts.last?.contains("The ferry leaves at nine.") == true && parts.last?.contains("75 %") == true)
            // Programs, and who wants the newest, do not ask for it.
            for words in [["boat", "--json"], ["boat", "--newest"]] {
                let alone = try await fixture.run(["search"] + words)
                #expect(alone.code == 0 && !alone.output.contains("ferry"), "\(words): \(alone)")
            }
        }
    }
}
