import Foundation
import Testing

@testable import ParlanceAssistant

/// What the assistant finds in labelled data (Data/README.md). contrib/bench --assistant prints these figures.
@Suite struct QualityTests {
    /// The rules were made with `known.jsonl`. `unseen.jsonl` is only measured: never change a rule after a look at it.
    @Test(arguments: ["known.jsonl", "unseen.jsonl"]) func rulesFindActionsAndDecisions(file: String) throws {
        let quality = RuleQuality(try LabelledMessage.all(file))
        print("assistant \(file) actions: \(quality.actions)")
        print("assistant \(file) decisions: \(quality.decisions)")
        let hits = max(1, quality.actions.hits)
        print(
            "assistant \(file) assignees: \(quality.assignees) of \(hits), deadlines: \(quality.deadlines) of \(hits)"
        )
        // Fewer mean that a change of the rules has harmed them.
        #expect(quality.actions.f1 >= 0.75 && quality.actions.precision >= 0.8)
        #expect(quality.decisions.f1 >= 0.6 && quality.decisions.precision >= 0.7)
        #expect(Double(quality.assignees) >= 0.75 * Double(hits) && Double(quality.deadlines) >= 0.8 * Double(hits))
    }

    private struct Pair: Decodable {
        let query: String
        let id: String
        let set: String
    }

    private struct Pooled: Decodable {
        let id: String
        let text: String
    }

    /// Paraphrases in a pool of 2,000 messages, with the real model.
    @Test(.enabled(if: ModelData.folder != nil, "needs PARLANCE_MODEL, a folder with the model"))
    func paraphrasesAreFoundByTheirMeaning() throws {
        let embedder = Embedder(folder: try #require(ModelData.folder))
        let pool: [Pooled] = try LabelledData.lines("pool.jsonl")
        var index = VectorIndex()
        for message in pool { index.add(message.id, in: "", try embedder.embed(message.text).bytes) }
        var (hits, ranks, count) = (0, 0.0, 0)
        for pair in try LabelledData.lines("pairs.jsonl") as [Pair] where pair.set == "unseen" {
            let nearest = index.nearest(50, to: try embedder.embed(pair.query)).map(\.message)
            count += 1
            guard let rank = nearest.firstIndex(of: pair.id) else { continue }
            hits += rank < 5 ? 1 : 0
            ranks += 1 / Double(rank + 1)
        }
        let (hit5, mrr) = (Double(hits) / Double(count), ranks / Double(count))
        print(String(format: "assistant paraphrases: Hit@5 %.3f, MRR %.3f (%d pairs)", hit5, mrr, count))
        #expect(hit5 >= 0.4)
    }
}
