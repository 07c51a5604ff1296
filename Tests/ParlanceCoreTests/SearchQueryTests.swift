import ParlanceCore
import ParlanceWire
import Testing

/// The language of queries.
@Suite struct SearchQueryTests {
    private func words(_ term: SearchTerm) -> [String] { term.words.map { String(decoding: $0, as: UTF8.self) } }

    @Test func everyKindOfTermIsRead() throws {
        let query = try SearchQuery(parsing: #"  Lunch "good morning" boat* *ladder* *rung "old cl"* e-mail  "#)
        #expect(
            query.terms.map { words($0) } == [
                ["lunch"], ["good", "morning"], ["boat"], ["ladder"], ["rung"], ["old", "cl"], ["e", "mail"],
            ]
        )
        #expect(query.terms.map(\.kind) == [.phrase, .phrase, .beginning, .part, .part, .beginning, .phrase])
        #expect(query.from.isEmpty && query.within.isEmpty && query.after == nil && !query.hasFile)
    }

    @Test func fieldsAreRead() throws {
        let query = try SearchQuery(
            parsing: #"from:Bob FROM:"Ada Lovelace" in:„Night watch“ after:2026-11 before:yesterday has:file tea"#
        )
        #expect(query.from == ["Bob", "Ada Lovelace"] && query.within == ["Night watch"] && query.hasFile)
        #expect(query.before == .yesterday && query.terms.map { words($0) } == [["tea"]])
        let today = try #require(CivilDay(year: 2024, month: 3, day: 1))
        #expect(query.after?.day(on: today) == CivilDay(year: 2026, month: 11, day: 1))
        #expect(query.before?.day(on: today) == CivilDay(year: 2024, month: 2, day: 29))
        #expect(SearchDay.today.day(on: today) == today)
        #expect(CivilDay(year: 2025, month: 1, day: 1)?.before == CivilDay(year: 2024, month: 12, day: 31))
        #expect(CivilDay(year: 1970, month: 1, day: 1)?.before == CivilDay(year: 1970, month: 1, day: 1))
        #expect(CivilDay(year: 1900, month: 2, day: 29) == nil && CivilDay(year: 2100, month: 2, day: 29) == nil)
    }

    @Test func whatLooksLikeAFieldAndIsNoneIsSearched() throws {
        let query = try SearchQuery(parsing: #"10:30 https://example.org/a "from:bob" note:this"#)
        #expect(query.otherFields == ["10", "https", "note"])
        #expect(query.from.isEmpty)
        #expect(
            query.terms.map { words($0) } == [
                ["10", "30"], ["https", "example", "org", "a"], ["from", "bob"], ["note", "this"],
            ]
        )
    }

    @Test(
        arguments: [
            ("", .nothing), ("   ", .nothing), ("\"lunch", .openQuotation), ("from:", .emptyField("from")),
            ("in:\" \"", .emptyField("in")), ("after:friday", .notADay("after", "friday")),
            ("before:2026-13", .notADay("before", "2026-13")), ("before:2026-02-30", .notADay("before", "2026-02-30")),
            ("after:26-1-1", .notADay("after", "26-1-1")), ("after:2026 after:2027", .twice("after")),
            ("after:+123", .notADay("after", "+123")), ("has:picture", .unknownThing("picture")), ("*", .noWord("*")),
            ("\"\"", .noWord("")), ("...", .noWord("...")), ("*ab*", .badPart("*ab*")), ("*a-b*", .badPart("*a-b*")),
        ] as [(String, SearchFault)]
    )
    func faultsSayWhatIsWrong(typed: String, fault: SearchFault) {
        #expect(throws: fault) { try SearchQuery(parsing: typed) }
    }

    @Test func queriesAreBounded() throws {
        let fault = { (typed: String) in
            _ = #expect(throws: SearchFault.tooManyTerms) { try SearchQuery(parsing: typed) }
        }
        _ = try SearchQuery(parsing: Array(repeating: "a", count: Limits.searchTerms).joined(separator: " "))
        fault(Array(repeating: "a", count: Limits.searchTerms + 1).joined(separator: " "))
        fault(Array(repeating: "from:a", count: Limits.searchTerms + 1).joined(separator: " "))
        fault(Array(repeating: "in:a", count: Limits.searchTerms + 1).joined(separator: " "))
        _ = try SearchQuery(parsing: String(repeating: "a", count: Limits.searchQueryBytes))
        #expect(throws: SearchFault.tooLong) {
            try SearchQuery(parsing: String(repeating: "a", count: Limits.searchQueryBytes + 1))
        }
    }
}

/// Which texts fit, and how well.
@Suite struct SearchMatchTests {
    private func match(_ typed: String, _ text: String) throws -> SearchMatch? {
        SearchMatch(try SearchQuery(parsing: typed).terms, in: text)
    }

    /// The text with `[ ]` around the marks.
    private func marked(_ typed: String, _ text: String) throws -> String? {
        guard let ranges = try match(typed, text)?.ranges else { return nil }
        var bytes = Array(text.utf8)
        for range in ranges.reversed() {
            bytes.insert(UInt8(ascii: "]"), at: range.upperBound)
            bytes.insert(UInt8(ascii: "["), at: range.lowerBound)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(
        arguments: [
            ("lunch", "Lunch? LUNCH!", "[Lunch]? [LUNCH]!"), ("lunch", "lunches", nil),
            ("lunch*", "lunches", "[lunches]"),
            ("strasse", "Die Straße", "Die [Straße]"), ("\"good morning\"", "A good, morning", "A [good, morning]"),
            ("\"good morning\"", "morning good", nil), ("*sprech*", "Teambesprechung!", "[Teambesprechung]!"),
            ("会議", "明日の会議です", "明日の[会議]です"), ("会", "明日の会議", "明日の[会]議"), ("議", "会議", "会[議]"), ("*会議*", "大会議室", "大[会議]室"),
            ("東京会議", "東京の会議", nil), ("เย็น", "ตอนเย็นนี้", "ตอน[เย็น]นี้"), ("회의", "회의는 언제", "[회의]는 언제"),
            ("tea tea", "tea", "[tea]"), ("a b", "b a", "[b] [a]"), ("👍", "ok 👍🏽", "ok [👍]🏽"),
        ] as [(String, String, String?)]
    )
    func textsAreMarkedWhereTheyFit(typed: String, text: String, expected: String?) throws {
        #expect(try marked(typed, text) == expected)
    }

    @Test func closerAndWholeWordsFitBetter() throws {
        let rank = { (typed: String, text: String) in try #require(try match(typed, text)).relevance }
        #expect(try rank("boat key", "the boat key is here") > rank("boat key", "the boat is old, and I have no key"))
        #expect(try rank("boat*", "boat ahoy") > rank("boat*", "boathouse ahoy"))
        #expect(try rank("*house*", "house ahoy") > rank("*house*", "boathouse ahoy"))
        #expect(try rank("key", "key key key") > rank("key", "a key for you"))
        let long = String(repeating: "and so on ", count: 40)
        #expect(try rank("key", "the key") > rank("key", "the key " + long))
        // What fits alike is equal, so that the newest comes first.
        #expect(try rank("key", "who has the key") == rank("key", "I have a key"))
    }

    @Test func excerptsShowTheMarks() throws {
        let long =
            String(repeating: "before it ", count: 50) + "the key is blue " + String(repeating: "after it ", count: 50)
        let terms = try SearchQuery(parsing: "key blue").terms
        let excerpt = SearchExcerpt(of: long, marking: try #require(SearchMatch(terms, in: long)).ranges)
        #expect(excerpt.isCutBefore && excerpt.isCutAfter && excerpt.text.count <= Limits.searchExcerptCharacters)
        let scalars = Array(excerpt.text.unicodeScalars)
        let words = excerpt.marks.map { range in String(String.UnicodeScalarView(scalars[range])) }
        #expect(words == ["key", "blue"])
        #expect(excerpt.text.hasPrefix("before") || excerpt.text.hasPrefix("it"))
        let short = SearchExcerpt(of: "das é 会議", marking: [7..<13])
        #expect(short.text == "das é 会議" && short.marks == [6..<8] && !short.isCutBefore && !short.isCutAfter)
        let family = String(repeating: "👨‍👩‍👧‍👦", count: 3_000)
        let wide = SearchExcerpt(of: family, marking: [25_000..<25_025])
        #expect(wide.text.count <= Limits.searchExcerptCharacters && wide.isCutBefore)
        #expect(SearchExcerpt(of: "plain", marking: []).text == "plain")
    }

    @Test(
        arguments: [
            ("when does it leave", true), ("at 18:00?", true), ("from:Bob", false), ("in:Crew x", false),
            ("after:2026 x", false), ("has:file x", false), ("\"good morning\"", false), ("lun*", false),
            ("*nch*", false),
        ]
    )
    func wordsAloneArePlain(query: String, isPlain: Bool) throws {
        #expect(try SearchQuery(parsing: query).isPlain == isPlain)
    }
}
