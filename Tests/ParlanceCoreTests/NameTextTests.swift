import ParlanceRecords
import Testing

@testable import ParlanceCore

/// What is shown of names, status texts and previews.
@Suite struct NameTextTests {
    @Test(
        arguments: [
            ("may I\ncome in", "may I come in"), ("a\tb", "a b"), ("a\r\nb", "a b"), ("a\n\nb", "a  b"),
            ("a\n\rb", "a  b"), ("a\u{2028}b\u{85}c", "a b c"), ("a\u{1B}[31mb", "a[31mb"), ("a\u{202E}b\u{7}", "ab"),
            ("Zoë 👩‍👩‍👧 日本", "Zoë 👩‍👩‍👧 日本"), ("\n", " "), ("", ""),
        ]
    )
    func breaksBecomeSpacesAndWhatSteersGoes(_ text: String, _ shown: String) {
        #expect(Array(text.withoutControlCharacters.utf8) == Array(shown.utf8))
        #expect(text.withoutControlCharacters.utf8.count <= text.utf8.count)
    }

    @Test func aNameOfBreaksAloneIsNone() {
        #expect("\u{2028}\u{2029}".faultAsName != nil)
        #expect(" \n".faultAsName != nil)
        #expect("Ada".faultAsName == nil)
    }
}
