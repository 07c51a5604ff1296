import ParlanceCore
import ParlanceWire
import Testing

/// The words of a text as search compares them.
@Suite struct SearchTextTests {
    private func words(_ text: String) -> [String] {
        let text = SearchText(text)
        return text.words.map { String(decoding: text.bytes(of: $0), as: UTF8.self) }
    }

    @Test(
        arguments: [
            ("Hello, world!", ["hello", "world"]), ("", []), ("!?…", []), ("don't", ["don", "t"]),
            ("e-mail_to 10:30", ["e", "mail", "to", "10", "30"]), ("MÜLLER Müller", ["muller", "muller"]),
            ("Straße STRASSE", ["strasse", "strasse"]), ("Łódź øre Æther", ["lodz", "ore", "aether"]),
            ("İstanbul ISTANBUL ılık", ["istanbul", "istanbul", "ilik"]),
            ("Ὀδυσσεύς ΟΔΥΣΣΕΥΣ", ["οδυσσευσ", "οδυσσευσ"]),
            ("Ёлка ёлка", ["елка", "елка"]), ("tiếng Việt", ["tieng", "viet"]), ("ＦＵＬＬ１２", ["full12"]),
            ("١٠ १०", ["10", "10"]),
            ("مُحَمَّد محمد أحمد", ["محمد", "محمد", "احمد"]), ("שָׁלוֹם שלום", ["שלום", "שלום"]), ("हिन्दी", ["हिन्दी"]),
            ("👍🏽 ok ❤️", ["👍", "ok", "❤"]), ("5 €", ["5", "€"]), ("soft\u{AD}ware", ["software"]),
        ] as [(String, [String])]
    )
    func wordsAreFolded(text: String, expected: [String]) {
        #expect(words(text).map { Array($0.utf8) } == expected.map { Array($0.utf8) }, "\(text): \(words(text))")
    }

    @Test func decomposedLettersAreTheSameWords() {
        #expect(SearchText("e\u{301}te\u{301}").folded == SearchText("été").folded)
        #expect(SearchText("ha\u{301}\u{300}b").folded == SearchText("HAB").folded)
    }

    @Test func scriptsWithoutSpacesGivePairs() {
        #expect(words("東京会議") == ["東京", "京会", "会議", "議"])
        #expect(words("会") == ["会"])
        #expect(words("iPhoneで、会議。") == ["iphone", "で", "会議", "議"])
        #expect(words("회의는") == ["회의", "의는", "는"])
        // A vowel sign belongs to the character before it.
        #expect(words("ประชุม") == ["ปร", "ระ", "ะชุ", "ชุม", "ม"])
    }

    @Test func everyWordKnowsItsPlace() {
        for text in ["Ein Straßenfest – café, 東京 e\u{301}!", "👍🏽👍", "a\u{300}", "ประชุม ok"] {
            let read = SearchText(text)
            var last = 0
            for word in read.words {
                #expect(word.range.lowerBound >= last || word.kind != .whole)
                last = max(last, word.range.lowerBound)
                let utf8 = Array(text.utf8)[word.range]
                let piece = String(decoding: utf8, as: UTF8.self)
                #expect(SearchText(piece).bytes(of: SearchText(piece).words[0]) == read.bytes(of: word))
                #expect(word.firstEnd > word.range.lowerBound && word.firstEnd <= word.range.upperBound)
            }
        }
    }

    @Test func longWordsAreCut() {
        let long = String(repeating: "é", count: 10_000)
        let text = SearchText(long + " end")
        #expect(text.words.map(\.place.count) == [Limits.searchWordBytes, 3])
        #expect(text.words[0].range == 0..<20_000)
        let marks = "ก" + String(repeating: "\u{E34}", count: 10_000)
        #expect(SearchText(marks).words.map(\.place.count).allSatisfy { $0 <= Limits.searchWordBytes })
    }

    @Test func partsAreThreeCharactersEachOnce() {
        let parts = { String(decoding: SearchText($0).parts, as: UTF8.self) }
        #expect(parts("banana") == "ana ban nan ")
        #expect(parts("ab") == "")
        #expect(parts("Öl für") == "fur ")
        #expect(parts("東京会議") == "")
        #expect(parts("дом") == "дом ")
    }
}
