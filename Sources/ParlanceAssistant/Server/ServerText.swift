/// Short texts that a server wrote for people: messages, names, targets.
enum ServerText {
    /// The text without control and format signs, cut to `ModelServerLimits.messageLetters`.
    static func bounded(_ text: String) -> String {
        let kept = text.unicodeScalars.lazy
            .filter { scalar in
                switch scalar.properties.generalCategory {
                case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse, .unassigned: false
                default: true
                }
            }
            .prefix(ModelServerLimits.messageLetters)
        return String(String.UnicodeScalarView(kept))
    }
}
