import ParlanceControl
import ParlanceCore
import ParlanceErrorCode
import ParlanceProfile
import ParlanceRecords
import ParlanceWords

/// What there is to know about one setting; `SettingKey.descriptor` is the table of all.
struct SettingDescriptor: Sendable {
    /// The form of a value.
    enum Form: Equatable, Sendable {
        case text, number, flag, list
        case word([String])
    }

    let form: Form
    let effect: SettingInfo.Effect
    /// One or two sentences for people.
    let meaning: Phrase
    /// The value as it is given on a command line: one text, any number of them for a list, none for a name that is not
    /// set.
    let texts: @Sendable (Settings) -> [String]
    /// Reads such a value.
    let read: @Sendable ([String], inout Settings) throws(SettingFault) -> Void
    /// Copies the value from one to the other.
    let copy: @Sendable (Settings, inout Settings) -> Void

    init<Value>(
        _ path: any WritableKeyPath<Settings, Value> & Sendable,
        _ form: Form,
        _ effect: SettingInfo.Effect,
        _ meaning: Phrase,
        texts: @escaping @Sendable (Value) -> [String],
        read: @escaping @Sendable ([String]) throws(SettingFault) -> Value
    ) {
        self.form = form
        self.effect = effect
        self.meaning = meaning
        self.texts = { texts($0[keyPath: path]) }
        self.read = { (given, settings) throws(SettingFault) in settings[keyPath: path] = try read(given) }
        copy = { $1[keyPath: path] = $0[keyPath: path] }
    }

    /// A setting of any number of values.
    static func list<Element>(
        _ path: any WritableKeyPath<Settings, [Element]> & Sendable,
        _ effect: SettingInfo.Effect,
        _ meaning: Phrase,
        text: @escaping @Sendable (Element) -> String,
        element: @escaping @Sendable (String) throws(SettingFault) -> Element
    ) -> SettingDescriptor {
        let read: @Sendable ([String]) throws(SettingFault) -> [Element] = { given throws(SettingFault) in
            var elements: [Element] = []
            for each in given { elements.append(try element(each)) }
            return elements
        }
        return SettingDescriptor(path, .list, effect, meaning, texts: { $0.map(text) }, read: read)
    }

    /// A setting that takes one of some words.
    ///
    /// - Parameter problem: says that a text is none of them, as in `"loud" is not a log level`.
    static func word<Word: RawRepresentable<String> & CaseIterable & Sendable>(
        _ path: any WritableKeyPath<Settings, Word> & Sendable,
        _ effect: SettingInfo.Effect,
        _ problem: @escaping @Sendable (String) -> Phrase,
        _ meaning: Phrase
    ) -> SettingDescriptor {
        let known = Word.allCases.map(\.rawValue)
        let read: @Sendable ([String]) throws(SettingFault) -> Word = { given throws(SettingFault) in
            let text = try SettingFault.one(given)
            guard let word = Word(rawValue: text) else {
                throw .value(
                    Phrase.joined(
                        [problem(text.withoutControlCharacters), NearestWord.question(text, among: known)].compactMap {
                            $0
                        }
                    ),
                    advice: Phrase("Use one of: \(known.joined(separator: ", ")).")
                )
            }
            return word
        }
        return SettingDescriptor(path, .word(known), effect, meaning, texts: { [$0.rawValue] }, read: read)
    }
}

extension SettingDescriptor.Form {
    /// What a value has to be, for people.
    var words: Phrase {
        switch self {
        case .text: Phrase("a text")
        case .number: Phrase("a number")
        case .flag: Phrase("true or false")
        case .list: Phrase("a list of texts, such as [\"one\", \"two\"]")
        case .word(let known): Phrase("one of \(known.joined(separator: ", "))")
        }
    }

    /// The only words that a value can be; `nil` if others are allowed.
    var allowed: [String]? {
        switch self {
        case .word(let known): known
        case .flag: ["true", "false"]
        case .text, .number, .list: nil
        }
    }
}

/// Why a value is not valid; the caller knows where it was found.
enum SettingFault: Error {
    /// It is of another form than the setting.
    case form
    case value(_ message: Phrase, advice: Phrase)

    /// The only text of a value.
    static func one(_ given: [String]) throws(SettingFault) -> String {
        guard given.count == 1 else { throw .form }
        return given[0]
    }

    /// The error for people, which says whether the command line or the environment is wrong.
    func error(_ key: SettingKey, at place: SettingPlace, _ given: [String]) -> DaemonError {
        var error = error(key, at: place.text(for: key), given)
        error.isUsage = place == .flag || place == .variable
        return error
    }

    /// The error for people.
    ///
    /// - Parameters:
    ///   - place: where the value was found.
    ///   - given: the value.
    func error(_ key: SettingKey, at place: Phrase, _ given: [String]) -> DaemonError {
        let value = given.joined(separator: " ").withoutControlCharacters
        return switch self {
        case .form where value.isEmpty:
            DaemonError(
                .invalidValue,
                "\(place): the value is missing.",
                advice: "It takes \(key.descriptor.form.words). See: parlance config list"
            )
        case .form where key.descriptor.form == .text && given.count > 1:
            DaemonError(
                .invalidValue,
                "\(place): \"\(given[given.count - 1].withoutControlCharacters)\" is one word too many.",
                advice: "Put a value of several words in quotes: \(ShellWord.quoted(value))"
            )
        case .form:
            DaemonError(
                .invalidValue,
                "\(place): \"\(value)\" does not fit.",
                advice: "It takes \(key.descriptor.form.words). See: parlance config list"
            )
        case .value(let message, let advice): DaemonError(.invalidValue, Phrase("\(place): \(message)"), advice: advice)
        }
    }
}
