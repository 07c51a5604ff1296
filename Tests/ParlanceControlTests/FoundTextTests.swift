import ParlanceControl
import ParlanceWords
import Testing

@testable import parlance

/// What `parlance search` prints.
@Suite struct FoundTextTests {
    private static let now = ControlTime("2025-11-21T12:00:00.000Z") ?? ControlTime(milliseconds: 0)

    private static func hit(_ text: String, _ marks: [SearchHit.Mark], in title: String, by name: String?) -> SearchHit
    {
        SearchHit(
            id: "abcdefghijklmnop",
            conversation: title,
            kind: .group,
            title: title,
            sender: name.map { Person(id: "b", displayName: $0) } ?? Person(id: "a", displayName: "Ada", me: true),
            time: ControlTime("2025-11-20T08:00:00.000Z") ?? now,
            excerpt: .init(text: text, marks: marks, cutBefore: true)
        )
    }

    private static func lines(_ reply: SearchReply, offset: Int = 0, isColoured: Bool = false) -> [String] {
        let clock = LocalClock(now: now) { _ in 0 }
        return FoundText(reply: reply, offset: offset, clock: clock, style: TextStyle(isColoured: isColoured)).lines
    }

    @Test func hitsOfAConversationStandTogether() {
        let hits = [
            Self.hit("the key\nis", [.init(from: 4, to: 7)], in: "Crew", by: "Bob\u{1B}"),
            Self.hit("a key", [.init(from: 2, to: 5)], in: "Eve", by: nil),
            Self.hit("é key", [.init(from: 2, to: 5)], in: "Crew", by: nil),
        ]
        let reply = SearchReply(hits: hits, found: 9, more: true)
        #expect(
            Self.lines(reply) == [
                "Crew", "  yesterday 08:00  abcdefghijkl  Bob\\u{1B}  …the key is",
                "  yesterday 08:00  abcdefghijkl  You        …é key", "Eve",
                "  yesterday 08:00  abcdefghijkl  You        …a key", "Messages 1-3 of 9. Further ones: --offset 3",
            ]
        )
        let coloured = Self.lines(reply, isColoured: true)
        #expect(coloured[1].contains("the \u{1B}[1;33mkey\u{1B}[0m is"))
        #expect(coloured[2].contains("é \u{1B}[1;33mkey\u{1B}[0m"))
    }

    @Test func whatIsMissingIsSaid() {
        var reply = SearchReply(hits: [], found: 0, more: false)
        #expect(Self.lines(reply) == ["No message found."])
        reply.why = "Nobody here is called Bob."
        #expect(Self.lines(reply) == ["No message found. Nobody here is called Bob."])
        reply = SearchReply(hits: [], found: 7, more: false)
        #expect(Self.lines(reply, offset: 20) == ["No more messages fit: 7 in all."])
        var cut = SearchReply(hits: [], found: 1000, more: false)
        cut.atLeast = true
        let words = "Only the newest 1000 matches are listed; there are more."
        #expect(Self.lines(cut, offset: 1000).first?.hasPrefix(words) == true)
        cut.hits = [Self.hit("a key", [], in: "Crew", by: "Bob")]
        #expect(Self.lines(cut, offset: 999).last?.hasPrefix(words) == true)
        cut.more = true
        #expect(Self.lines(cut, offset: 20).last?.hasPrefix(words) == false)
        reply.unsearched = 4000
        #expect(Self.lines(reply, offset: 20).last?.contains("4000 entries") == true)
    }

    /// A reply of another daemon may have marks that do not fit its text.
    @Test func wrongMarksAreLeftOut() {
        let marks = [(-1, 2), (1, 1), (3, 1), (2, 4), (3, 5), (4, 900)].map { SearchHit.Mark(from: $0.0, to: $0.1) }
        let pieces = SearchHit.Excerpt(text: "abcdef", marks: marks).pieces
        #expect(pieces.map(\.text) == ["ab", "cd", "ef"] && pieces.map(\.isMarked) == [false, true, false])
    }
}
