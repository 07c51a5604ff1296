import Testing

@testable import ParlanceWords

@Suite struct PhraseTests {
    @Test func theKeyHasNumbersInPlaceOfValues() {
        let phrase: Phrase = "Delivered to \("Ada") and \(3) more."
        #expect(phrase.key == "Delivered to {1} and {2} more.")
        #expect(phrase.english == "Delivered to Ada and 3 more.")
    }

    @Test func valuesMayStandInAnotherOrder() {
        #expect(Pattern.filled("{2} vor {1}", value: { ["A", "B"][$0 - 1] }) == "B vor A")
    }

    @Test func bracesWithoutAValueStayAsTheyAre() {
        let phrase: Phrase = "Send {\"id\":1} and {2} to \("Ada")."
        #expect(phrase.english == "Send {\"id\":1} and {2} to Ada.")
    }

    /// What somebody calls themselves is no pattern.
    @Test func aValueIsNotFilledAgain() {
        let phrase: Phrase = "\("{2}") and \("Bob")"
        #expect(phrase.english == "{2} and Bob")
    }

    @Test func aPhraseWithinAPhraseIsSaidInTheSameLanguage() {
        let phrase: Phrase = "\(Phrase(verbatim: "Ada")): \(Phrase("yesterday"))"
        #expect(phrase.english == "Ada: yesterday")
    }

    @Test func theLanguageOfTheTaskDecides() {
        Language.$current.withValue(.german) {
            #expect(say("Yesterday") == "Gestern")
            #expect(say("\("2 s") ago") == "vor 2 s")
            #expect(say("Tomorrow") == "Tomorrow", "a text that the catalogue lacks stays English")
            #expect(Phrase("Yesterday").english == "Yesterday")
        }
        #expect(say("Yesterday") == "Yesterday")
    }

    @Test func aHintTellsTwoSensesApart() {
        let date = Phrase("\("Montag"), \(17) \("November") \(2025)", hint: "date")
        #expect(date.english == "Montag, 17 November 2025")
        #expect(date.text(in: .german) == "Montag, 17. November 2025")
        #expect(Phrase("\(1), \(2) \(3) \(4)").text(in: .german) == "1, 2 3 4")
    }

    @Test func aPartHasNoPeriod() {
        let part = Phrase("\("Ada") is away.")
        #expect(Phrase.joined([part.withoutPeriod, "mDNS works"], by: "; ").english == "Ada is away; mDNS works")
    }
}
