import Foundation

@testable import ParlanceAssistant

/// Which messages have the words of a question, as the search of the store finds them (protocol/assistant.md, "Questions").
struct WordIndex {
    private let messages: [(id: String, words: [String])]

    init(_ texts: [(id: String, text: String)]) {
        messages = texts.map { ($0.id, Self.words($0.text)) }
    }

    /// The weight of a question's words that each message has, as a share of the weight of all.
    func shares(of question: String) -> [String: Double] {
        var shares: [String: Double] = [:]
        var total = 0.0
        for word in QuestionWords.of(question) {
            let query = QuestionWords.query(word)
            let isPrefix = query.hasSuffix("*")
            let wanted = Self.words(query.filter { $0 != "*" && $0 != "\"" }).joined()
            let found = messages.filter { message in
                message.words.contains { isPrefix ? $0.hasPrefix(wanted) : $0 == wanted }
            }
            let weight = log(1 + Double(messages.count) / Double(max(1, found.count)))
            total += weight
            for message in found { shares[message.id, default: 0] += weight }
        }
        return shares.mapValues { $0 / total }
    }

    private static func words(_ text: String) -> [String] {
        text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
            .split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }
}
