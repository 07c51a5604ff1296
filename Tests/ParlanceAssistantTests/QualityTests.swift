import Foundation
import Testing

@testable import ParlanceAssistant
@testable import ParlanceEmbedding

/// What the assistant finds in labelled data (Data/README.md). contrib/bench --assistant prints these figures.
@Suite struct QualityTests {
    /// The rules were made with `known.jsonl` and `training.jsonl`. `unseen.jsonl` is only measured: never change a rule after a look at it.
    @Test(arguments: ["known.jsonl", "training.jsonl", "unseen.jsonl"]) func rulesFindActionsAndDecisions(file: String)
        throws
    {
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

    /// How well queries find the messages that answer them.
    private struct Found {
        var (hits, ranks, count) = (0, 0.0, 0)

        mutating func note(_ rank: Int?) {
            count += 1
            hits += rank.map { $0 < 5 } == true ? 1 : 0
            ranks += rank.map { 1 / Double($0 + 1) } ?? 0
        }

        var hit5: Double { Double(hits) / Double(count) }
        var line: String { String(format: "Hit@5 %.3f, MRR %.3f (%d pairs)", hit5, ranks / Double(count), count) }
    }

    /// Words that stand in most German questions.
    private static let german: Set<Substring> = [
        "am", "auf", "aus", "bei", "beim", "das", "den", "der", "die", "ein", "eine", "für", "im", "ist", "mit", "nach",
        "nicht",
        "und", "von", "wann", "warum", "welche", "wer", "wie", "wo", "zu", "zum", "zur",
    ]

    private static func isGerman(_ text: String) -> Bool {
        let text = text.lowercased()
        return text.contains { "äöüß".contains($0) } || text.split(separator: " ").contains { german.contains($0) }
    }

    /// Paraphrases in a pool of 2,000 messages: by words, by the real model, and by both as the assistant scores them. The model
    /// was trained on English texts.
    @Test(.enabled(if: ModelData.folder != nil, "needs PARLANCE_MODEL, a folder with the model"))
    func paraphrasesAreFoundByTheirMeaning() throws {
        let embedder = Embedder(folder: try #require(ModelData.folder))
        let pool: [Pooled] = try LabelledData.lines("pool.jsonl")
        let texts = WordIndex(pool.map { ($0.id, $0.text) })
        var index = VectorIndex(of: VectorMaker.builtInIdentity, dimensions: MiniLM.dimensions)
        for message in pool { index.add(message.id, in: "", try embedder.embed(message.text).bytes) }
        var found: [String: Found] = [:]
        for pair in try LabelledData.lines("pairs.jsonl") as [Pair] {
            let shares = texts.shares(of: pair.query)
            let near = index.nearest(pool.count, to: try embedder.embed(pair.query))
            let cosines = Dictionary(uniqueKeysWithValues: near.map { ($0.message, $0.cosine) })
            func note(_ level: String, _ score: (String) -> Double) {
                let own = score(pair.id)
                let rank = own > 0 ? pool.count { score($0.id) > own } : nil
                for language in [Self.isGerman(pair.query) ? "German" : "English", "all"] {
                    found["\(pair.set), \(language), \(level)", default: Found()].note(rank)
                }
            }
            note("words") { shares[$0] ?? 0 }
            note("model") { cosines[$0] ?? 0 }
            note("both") { (cosines[$0] ?? 0) + AssistantLimits.wordWeight * (shares[$0] ?? 0) }
        }
        for (name, found) in found.sorted(by: { $0.key < $1.key }) { print("assistant \(name): \(found.line)") }
        // Fewer mean that a change has harmed them.
        #expect(found["unseen, English, both"].map { $0.hit5 >= 0.6 } == true)
    }
}
