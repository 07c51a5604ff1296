import Testing

@testable import ParlanceWords

/// The commands that a text names reach the daemon that was meant.
@Suite struct CommandOptionsTests {
    private func text(_ phrase: Phrase, in language: Language = .english) -> String {
        CommandOptions.$current.withValue(" --profile '{1} parlance peers'") { phrase.text(in: language) }
    }

    private let given = "parlance --profile '{1} parlance peers'"

    @Test func ourOwnCommandsHaveThem() {
        #expect(text("To see: parlance outbox") == "To see: \(given) outbox")
        #expect(
            text("See 'parlance peers', then: parlance send \("Bob") TEXT")
                == "See '\(given) peers', then: \(given) send Bob TEXT"
        )
        #expect(text("parlance doctor") == "\(given) doctor")
        #expect(text("\(Phrase("Try \(1)")): parlance doctor") == "Try 1: \(given) doctor")
        #expect(text("Nothing was changed. See \"parlance peers\" for who is.", in: .german).contains("\(given) peers"))
        #expect(Phrase("To see: parlance outbox").english == "To see: parlance outbox")
    }

    @Test func aWordOfTheSentenceIsNoCommand() {
        for sentence in [
            "Install parlance again.", "Use parlance and parlanced of the same version.", "my-parlance peers",
            "Start it with: parlanced", "~/.local/share/parlance peers", "To see all commands: parlance --help",
        ] {
            #expect(text(Phrase(stringLiteral: sentence)) == sentence)
        }
    }

    /// Without it the command would restart another node.
    @Test func theServiceIsThatOfTheProfile() {
        func text(_ options: String) -> String {
            CommandOptions.$current.withValue(options) {
                Phrase("As a service: systemctl --user restart parlanced. See: parlance status").english
            }
        }
        #expect(text("").contains("restart parlanced. See: parlance status"))
        #expect(
            text(" --profile work --socket /s")
                == "As a service: systemctl --user restart parlanced-work. See: parlance --profile work --socket /s status"
        )
        #expect(text(" --socket /s").contains("restart parlanced. See: parlance --socket /s status"))
    }

    /// Somebody may have written it.
    @Test func aValueStaysAsItIs() {
        #expect(text("\("parlance peers") and \("Bob")") == "parlance peers and Bob")
        #expect(text(Phrase(verbatim: "parlance peers")) == "parlance peers")
        #expect(
            text("On the other machine: \(Phrase(elsewhere: "parlance doctor"))")
                == "On the other machine: parlance doctor"
        )
        #expect(text(Phrase(kept: ["{1}: parlance peers", "parlance id"])) == "parlance id: \(given) peers")
    }

    @Test func aCommandThatIsAValueHasThemInFront() {
        let phrase: Phrase = "Again: \(Phrase(command: "parlance alias abc 'parlance peers'"))"
        #expect(text(phrase) == "Again: \(given) alias abc 'parlance peers'")
        #expect(phrase.english == "Again: parlance alias abc 'parlance peers'")
    }
}
