import ParlanceCore
import ParlanceWire

/// A query as somebody types it, and a text of a stranger that it is compared with.
enum SearchFuzz {
    static func run(_ bytes: UnsafeRawBufferPointer) {
        let parts = bytes.split(separator: 0, maxSplits: 1, omittingEmptySubsequences: false)
        let typed = String(decoding: parts.first.map { Array($0) } ?? [], as: UTF8.self)
        let text = String(decoding: parts.count > 1 ? Array(parts[1]) : [], as: UTF8.self)
        readWords(text)
        find(text, in: text)
        guard let query = try? SearchQuery(parsing: typed) else { return }
        promise(query.terms.count <= Limits.searchTerms, "too many terms")
        if let match = SearchMatch(query.terms, in: text) { mark(match, in: text) }
        for term in query.terms {
            promise(term.words.allSatisfy { !$0.isEmpty && !$0.contains(0x20) }, "a word with a space")
        }
    }

    private static func readWords(_ text: String) {
        let read = SearchText(text)
        var end = 0
        for word in read.words {
            promise(word.place.lowerBound == end && word.place.count > 0, "words are not one behind the other")
            promise(word.place.count <= Limits.searchWordBytes, "a word is too long")
            promise(read.folded[word.place.upperBound] == 0x20, "no space behind a word")
            promise(!read.bytes(of: word).contains { $0 <= 0x20 || $0 == 0x22 }, "a word that FTS5 would divide")
            promise(word.range.upperBound <= text.utf8.count && !word.range.isEmpty, "a word outside the text")
            promise(
                (word.range.lowerBound + 1...word.range.upperBound).contains(word.firstEnd),
                "a first character outside"
            )
            end = word.place.upperBound + 1
        }
        promise(end == read.folded.count, "something behind the last word")
        promise(
            read.parts.split(separator: 0x20).allSatisfy {
                String(decoding: $0, as: UTF8.self).unicodeScalars.count == 3
            },
            "a part of another length"
        )
    }

    /// What is typed is found where it stands.
    private static func find(_ typed: String, in text: String) {
        guard let term = SearchTerm(typed) else { return }
        guard let match = SearchMatch([term], in: text) else { return promise(false, "a text does not contain itself") }
        mark(match, in: text)
    }

    private static func mark(_ match: SearchMatch, in text: String) {
        var end = -1
        for range in match.ranges {
            promise(range.lowerBound > end && !range.isEmpty && range.upperBound <= text.utf8.count, "a wrong mark")
            end = range.upperBound
        }
        let excerpt = SearchExcerpt(of: text, marking: match.ranges)
        promise(excerpt.text.count <= Limits.searchExcerptCharacters, "a long excerpt")
        promise(
            excerpt.isCutBefore || excerpt.isCutAfter || Array(excerpt.text.utf8) == Array(text.utf8),
            "a changed text"
        )
        promise(match.ranges.isEmpty || !excerpt.marks.isEmpty, "an excerpt without a mark")
        var last = -1
        for mark in excerpt.marks {
            promise(mark.lowerBound > last && !mark.isEmpty, "marks of an excerpt touch")
            last = mark.upperBound
        }
        promise(last <= excerpt.text.unicodeScalars.count, "a mark outside the excerpt")
    }

    static var seeds: [[UInt8]] {
        [
            ("lunch \"good morning\" boat* *ladder*", "A good morning for lunch in the boathouse with a ladder"),
            ("from:Bob in:\"Night watch\" after:2026-11-01 before:today has:file key", "Who has the key?"),
            ("*sprech*", "Teambesprechung in der Straße 12, İstanbul, ＦＵＬＬ"),
            ("会議 東京", "明日は東京で会議です。Tokyo 東京"), ("ประชุม", "มีประชุมตอนเย็น"), ("👍", "ok 👍🏽 👨‍👩‍👧‍👦"),
            ("회의", "내일 회의는 몇 시에 시작하나요?"), ("हिन्दी", "मैं हिन्दी बोलता हूँ"), ("שלום", "שָׁלוֹם לכולם"),
            ("10:30", "at 10:30 or ١٠:٣٠"), ("e\u{301}te\u{301}*", "l'été, e\u{301}te\u{301}s"), ("\"", "\""),
        ].map { Array($0.0.utf8) + [0] + Array($0.1.utf8) }
    }
}
