import FoundationEssentials
import Synchronization
import Testing

@testable import ParlanceControl
@testable import parlance

/// The second list of `parlance search`, with the built command.
@Suite(.timeLimit(.minutes(30))) struct SearchByMeaningTests {
    private func search(_ words: [String], _ fixture: ServerFixture) async throws -> CommandTests.Outcome {
        try await CommandTests.run(["search"] + words, socket: fixture.path)
    }

    @Test func whatIsNearInMeaningStandsBelow() async throws {
        try await ServerFixture.with { fixture in
            let heading = "Near in meaning:\n"
            let without = try await search(["boat"], fixture)
            #expect(without.code == 0 && !without.output.contains(heading), "\(without)")
            fixture.node.state.withLock { $0.findsByMeaning = true }
            let both = try await search(["boat"], fixture)
            let parts = both.output.components(separatedBy: heading)
            #expect(both.code == 0 && parts.count == 2, "\(both)")
            #expect(parts.first.map { without.output + "\n" == $0 } == true, "\(both)")
            #expect(parts.last?.contains("The ferry leaves at nine.") == true && parts.last?.contains("75 %") == true)
            // Programs, and who wants the newest, do not ask for it.
            for words in [["boat", "--json"], ["boat", "--newest"]] {
                let alone = try await search(words, fixture)
                #expect(alone.code == 0 && !alone.output.contains("ferry"), "\(words): \(alone)")
            }
        }
    }
}
