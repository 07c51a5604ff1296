import ParlanceControl
import ParlanceCore
import Testing

/// What people are shown of a name, and what is taken for the same name, are decided in two rooms that do not know each other.
@Suite struct NameMarkTests {
    /// Else somebody could be shown under a name that nobody compared with those that are known.
    @Test func whatIsNotShownOfANameDoesNotTellItFromAnother() {
        var hidden = 0
        for value in UInt32(0x80)...0x1FFFF {
            guard let scalar = Unicode.Scalar(value), NameText.plain("Bob\(Character(scalar))") == "Bob" else {
                continue
            }
            hidden += 1
            #expect("Bob\(Character(scalar))".likeness == "bob", "U+\(String(value, radix: 16))")
        }
        #expect(hidden > 5, "check marks are not shown")
    }
}
