import Testing

@testable import ParlanceTerminal

@Suite struct DisplayWidthTests {
    @Test(
        arguments: [
            ("a", 1), ("é", 1), ("e\u{301}", 1), ("日", 2), ("한", 2), ("\u{1112}\u{1161}\u{11AB}", 2), ("ｱ", 1),
            ("Ａ", 2),
            ("👍", 2), ("👍🏽", 2), ("👩‍👩‍👧", 2), ("🇳🇴", 2), ("❤️", 2), ("❤", 1), ("1️⃣", 2), ("🪼", 2), ("✓", 1), ("─", 1),
            ("●", 1), ("नि", 2), ("ก็", 1), ("\u{301}", 0), ("…", 1), ("𠀀", 2),
        ] as [(Character, Int)]
    )
    func columnsOfACharacter(_ character: Character, _ columns: Int) {
        #expect(DisplayWidth.of(character) == columns)
    }

    @Test func terminalsAgreeOnPlainCharactersOnly() {
        for character in "aé日Ａ✓─" as String { #expect(DisplayWidth.isCertain(character), "\(character)") }
        for character in "e\u{301}👍👩‍👧❤️1️⃣नि" as String { #expect(!DisplayWidth.isCertain(character), "\(character)") }
    }

    @Test func theRangesAscend() {
        #expect(WideRanges.all.count > 100)
        for (first, second) in zip(WideRanges.all, WideRanges.all.dropFirst()) {
            #expect(first.upperBound + 1 < second.lowerBound)
        }
    }
}
