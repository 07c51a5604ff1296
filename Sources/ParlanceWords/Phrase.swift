/// A text for people: English words with values, which are said in the reader's language when the reader is known.
///
/// The English text is the key of the catalogue, as with gettext; `{1}`, `{2}` and so on stand for its values.
///
/// - `say("Delivered to \(name).")` gives the text in the language of the running command.
/// - `Phrase("Delivered to \(name).")` waits for its reader, for instance until a connection writes a reply.
package struct Phrase: Sendable {
    package enum Value: Sendable {
        case text(String)
        case phrase(Phrase)
        /// A command of this program, for the reader to type.
        case command(Phrase)
    }

    /// The English text, with `{1}`, `{2}` and so on in place of its values.
    package let key: String
    /// Tells phrases apart that are one word in English and several in other languages; gettext's `msgctxt`.
    package let hint: String?
    package let values: [Value]
    /// Whether a period at its end is left out.
    private var isOpen = false

    /// The phrase itself: `Phrase("Delivered.")`, and `Phrase(isEdit ? "Edited." : "Sent.")`.
    package init(_ phrase: Phrase) {
        self = phrase
    }

    /// The phrase in the sense that `hint` names.
    package init(_ phrase: Phrase, hint: String) {
        key = phrase.key
        values = phrase.values
        self.hint = hint
    }

    /// A text that has no other language: a name, a command, the words of another program.
    package init(verbatim text: String) {
        self.init(key: "{1}", values: [.text(text)])
    }

    /// A command of this program with its words, such as `parlance alias ID NAME`: it gets the options of its reader.
    package init(command: Phrase) {
        self.init(key: "{1}", values: [.command(command)])
    }

    /// A command of this program whose words have no other language.
    package init(command: String) {
        self.init(command: Phrase(verbatim: command))
    }

    /// A command for another computer, or for somebody else: the options of this reader are not theirs.
    package init(elsewhere command: String) {
        self.init(verbatim: command)
    }

    /// A phrase that was kept as its `parts`.
    package init(kept parts: [String]) {
        self.init(key: parts.first ?? "", values: parts.dropFirst().map { .text($0) })
    }

    /// The key, and the values in English: what keeps a phrase until its reader is known.
    package var parts: [String] {
        [key]
            + values.map { value in
                switch value {
                case .text(let text): text
                case .phrase(let phrase), .command(let phrase): phrase.english
                }
            }
    }

    fileprivate init(key: String, values: [Value]) {
        self.key = key
        self.values = values
        hint = nil
    }

    /// The phrase in a language; in English if the catalogue lacks it.
    package func text(in language: Language) -> String {
        let pattern = language == .english ? key : Catalogue.of(language)?.text(for: key, hint: hint) ?? key
        let text = values.isEmpty ? CommandOptions.added(to: pattern[...]) : filled(pattern, in: language)
        return isOpen && text.hasSuffix(".") ? String(text.dropLast()) : text
    }

    private func filled(_ pattern: String, in language: Language) -> String {
        Pattern.filled(pattern, words: CommandOptions.added(to:)) { number in
            guard values.indices.contains(number - 1) else { return nil }
            return switch values[number - 1] {
            case .text(let text): text
            case .phrase(let phrase): phrase.text(in: language)
            case .command(let command): CommandOptions.added(toCommand: command.text(in: language))
            }
        }
    }

    /// The phrase in English.
    package var english: String { text(in: .english) }

    package var isEmpty: Bool { english.isEmpty }

    /// The phrase without the period at its end, to be a part of another.
    package var withoutPeriod: Phrase {
        var phrase = self
        phrase.isOpen = true
        return phrase
    }

    /// Several phrases, with a text between them that has no other language.
    package static func joined(_ phrases: [Phrase], by separator: String = " ") -> Phrase {
        guard let first = phrases.first else { return "" }
        return phrases.dropFirst().reduce(first) { "\($0)\(separator)\($1)" }
    }
}

extension Phrase: Hashable {
    /// Whether both say the same.
    package static func == (left: Phrase, right: Phrase) -> Bool {
        left.english == right.english && left.hint == right.hint
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(english)
    }
}

extension Phrase: CustomStringConvertible {
    package var description: String { english }
}

extension Phrase: ExpressibleByStringInterpolation {
    package init(stringLiteral value: String) {
        self.init(key: value, values: [])
    }

    package init(stringInterpolation: StringInterpolation) {
        self.init(key: stringInterpolation.key, values: stringInterpolation.values)
    }

    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var key = ""
        fileprivate var values: [Value] = []

        package init(literalCapacity: Int, interpolationCount: Int) {
            key.reserveCapacity(literalCapacity + 3 * interpolationCount)
        }

        package mutating func appendLiteral(_ literal: String) {
            key += literal
        }

        package mutating func appendInterpolation(_ phrase: Phrase) {
            append(.phrase(phrase))
        }

        package mutating func appendInterpolation(_ value: some CustomStringConvertible) {
            append(.text(value.description))
        }

        package mutating func appendInterpolation(_ error: any Error) {
            append(.text("\(error)"))
        }

        private mutating func append(_ value: Value) {
            values.append(value)
            key += "{\(values.count)}"
        }
    }
}

extension Phrase: Codable {
    /// A text that came from elsewhere is in its language already.
    package init(from decoder: any Decoder) throws {
        self.init(verbatim: try decoder.singleValueContainer().decode(String.self))
    }

    /// Written in the language of the encoder, otherwise in English.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text(in: Language.of(encoder)))
    }
}
