/// A language in which the programs speak to people.
package enum Language: String, CaseIterable, Sendable {
    case english = "en"
    case german = "de"

    /// The language of the task: that of the running command. A program sets it once, at its start.
    @TaskLocal package static var current = Language.english

    /// The language of a tag such as `de` or `de-AT` (BCP 47), or of a locale such as `de_AT.UTF-8`; nil if the programs
    /// do not speak it.
    package init?(tag: String) {
        let language = tag.prefix { $0 != "_" && $0 != "-" && $0 != "." && $0 != "@" }
        self.init(rawValue: language.lowercased())
    }

    /// The language of a user, from the variables that gettext reads (GNU gettext manual, "Locale Environment
    /// Variables").
    ///
    /// The locale is the first of `LC_ALL`, `LC_MESSAGES` and `LANG` that is set. `LANGUAGE` is a list of preferences that
    /// come before it, unless the locale is `C`.
    package init(environment: (String) -> String?) {
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap(environment).first { !$0.isEmpty } ?? "C"
        guard !["C", "POSIX"].contains(locale.prefix { $0 != "." }) else {
            self = .english
            return
        }
        let preferences = (environment("LANGUAGE") ?? "").split(separator: ":").map(String.init)
        self = (preferences + [locale]).lazy.compactMap { Language(tag: $0) }.first ?? .english
    }
}

extension Language {
    /// The key under which an encoder carries the language of its reader.
    private static let key = CodingUserInfoKey(rawValue: "language")

    /// What an encoder for readers of this language carries.
    package var userInfo: [CodingUserInfoKey: Any] {
        guard self != .english, let key = Self.key else { return [:] }
        return [key: self]
    }

    static func of(_ encoder: any Encoder) -> Language {
        key.flatMap { encoder.userInfo[$0] as? Language } ?? .english
    }
}

/// A text for the user of the running command, in that user's language.
package func say(_ phrase: Phrase) -> String { phrase.text(in: .current) }

/// The text in the sense that `hint` names.
package func say(_ phrase: Phrase, hint: String) -> String { Phrase(phrase, hint: hint).text(in: .current) }

/// Several texts, such as the headers of a table.
package func say(_ phrases: [Phrase]) -> [String] { phrases.map { $0.text(in: .current) } }
