import ParlanceControl
import ParlanceTexts
import ParlanceWords

// Text for the terminal about people.
extension NameText {
    /// How far somebody is trusted, in the words of a table.
    static func words(_ trust: Trust) -> Phrase {
        trust == .accepted ? Phrase("not verified") : trust.words
    }

    static func role(_ trust: Trust) -> TextStyle.Role {
        switch trust {
        case .verified: .good
        case .blocked: .bad
        case .unknown, .accepted: .plain
        }
    }

    /// Advice about somebody whose safety number was not compared; `who` is the name that the user typed.
    static func compareAdvice(_ who: String) -> Phrase {
        let command = ShellWord.command("parlance verify", [who])
        return Phrase("To be sure who it is, compare safety numbers: \(command)")
    }
}
