/// Which texts of several say most: those that share their words with the others (SumBasic, Nenkova and Vanderwende 2005).
enum Centrality {
    /// The places of the texts that say most, ascending.
    ///
    /// - Parameter count: how many at most.
    static func most(_ texts: [String], count: Int) -> [Int] {
        let words = texts.map { QuestionWords.of($0, limit: wordsOfText) }
        var frequency: [String: Double] = [:]
        let total = Double(max(1, words.reduce(0) { $0 + $1.count }))
        for word in words.joined() { frequency[word, default: 0] += 1 / total }
        var chosen: [Int] = []
        var rest = Set(texts.indices.filter { words[$0].count >= leastWords })
        while chosen.count < count, !rest.isEmpty {
            let score = { (place: Int) in
                words[place].reduce(0) { $0 + frequency[$1, default: 0] } / Double(words[place].count)
            }
            guard let best = rest.min(by: { (-score($0), $0) < (-score($1), $1) }) else { break }
            rest.remove(best)
            chosen.append(best)
            // What is said need not be said again.
            for word in words[best] { frequency[word] = frequency[word].map { $0 * $0 } }
        }
        return chosen.sorted()
    }

    /// Words of a text that are compared: long texts say no more for their length.
    private static let wordsOfText = 64
    /// A text with fewer telling words says little by itself: "ok, thanks".
    private static let leastWords = 3
}
