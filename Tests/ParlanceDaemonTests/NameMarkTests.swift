import ParlanceCore
import ParlanceWords
import Testing

@testable import ParlanceDaemon
@testable import ParlanceNode
@testable import ParlanceProfile

/// Which characters of a name are not shown, and which do not count in comparisons of names, is decided in two separate
/// components.
@Suite struct NameMarkTests {
    /// A character that is not shown must not count in a comparison; otherwise two names that look the same would
    /// differ.
    @Test func whatIsNotShownOfANameDoesNotTellItFromAnother() {
        var hidden = 0
        for value in UInt32(0x80)...0x1FFFF {
            guard let scalar = Unicode.Scalar(value), NameText.plain("Bob\(Character(scalar))") == "Bob" else {
                continue
            }
            hidden += 1
            #expect("Bob\(Character(scalar))".likeness == "bob", "U+\(String(value, radix: 16))")
            // Nor can users give themselves such a name.
            #expect("Bob \(Character(scalar))".faultAsName == .checkMark, "U+\(String(value, radix: 16))")
        }
        #expect(hidden > 5, "check marks are not shown")
    }

    /// What stands for the user in a list of messages is nobody's name, in whatever language the list is.
    @Test func whatTheUserIsCalledIsNobodysName() {
        for language in Language.allCases {
            Language.$current.withValue(language) {
                #expect(say("You").isReservedName && say("you").isReservedName)
                #expect(say("you", hint: "whom").isReservedName)
            }
        }
    }

    /// A login can be called so; the user is then asked for a name, as before the first choice.
    @Test func aLoginThatIsCalledSoIsNoName() {
        #expect(OpenedProfile.loginName("ada") == "ada")
        for login in ["me", "all", "YOU", ""] { #expect(OpenedProfile.loginName(login) == "parlance") }
    }
}
