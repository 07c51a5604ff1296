/// How a text fits the terms of a query.
package struct SearchMatch: Equatable, Sendable {
    /// Greater is better. Few degrees, so that of messages that fit alike the newest comes first.
    package var relevance: Int
    /// The places to mark, in bytes of UTF-8, ascending and apart.
    package var ranges: [Range<Int>]

    /// The words of a usual message. A shorter one is as good: only what is longer says less with the same words.
    private static let usualWords = 12
    /// The parameters of Okapi BM25: how soon more occurrences count no more, and how much the length of the text counts.
    /// Messages are short, so their length says less than that of documents.
    private static let (saturation, lengthWeight) = (1.2, 0.3)
    /// What words that stand together add for each term.
    private static let closeness = 0.5
    private static let degrees = 8.0

    /// - Returns: `nil` unless the text has every term. Without terms everything fits.
    package init?(_ terms: [SearchTerm], in text: String) {
        let text = SearchText(text)
        var found: [[SearchTerm.Occurrence]] = []
        for term in terms {
            let occurrences = term.occurrences(in: text)
            guard !occurrences.isEmpty else { return nil }
            found.append(occurrences)
        }
        ranges = Self.joined(zip(terms, found).flatMap { term, all in all.map { term.range(of: $0, in: text) } })
        // Okapi BM25 without its weight for rare words: every found text has every word.
        let excess = Double(max(Self.usualWords, text.words.count)) / Double(Self.usualWords)
        let length = 1 - Self.lengthWeight + Self.lengthWeight * excess
        var score = 0.0
        for all in found {
            let count = Double(all.count)
            let fit = Double(all.map(\.fit).max() ?? 0) / 100
            score += fit * count / (count + Self.saturation * length)
        }
        if found.count > 1 { score += Self.closeness * Double(found.count) * Self.closeness(of: found) }
        relevance = Int(score * Self.degrees)
    }

    /// 1 if the terms stand together, less the further they are apart.
    private static func closeness(of found: [[SearchTerm.Occurrence]]) -> Double {
        let least = found.reduce(0) { $0 + ($1.first?.words.count ?? 0) }
        var next = [Int](repeating: 0, count: found.count)
        var narrowest = Int.max
        // The narrowest window with one occurrence of each: move on whichever begins first.
        while true {
            let present = zip(found, next).map { $0[$1].words }
            let (first, last) = (present.map(\.lowerBound).min() ?? 0, present.map(\.upperBound).max() ?? 0)
            narrowest = min(narrowest, last - first + 1)
            guard let moved = present.firstIndex(where: { $0.lowerBound == first }),
                next[moved] + 1 < found[moved].count
            else { break }
            next[moved] += 1
        }
        return min(1, Double(least) / Double(max(1, narrowest)))
    }

    /// Ranges in order; those that touch become one.
    private static func joined(_ ranges: [Range<Int>]) -> [Range<Int>] {
        var joined: [Range<Int>] = []
        for range in ranges.sorted(by: { ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound) }) {
            if let last = joined.last, range.lowerBound <= last.upperBound {
                joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                joined.append(range)
            }
        }
        return joined
    }
}
