import ParlanceWords

/// What people read is a `Phrase` or goes through `say`, so that the catalogue can have it in their language.
enum PhraseRule {
    /// The files and folders whose sentences are for people.
    static let faces = [
        "Sources/parlance/", "Sources/parlanced/", "Sources/ParlanceChat/", "Sources/ParlanceControl/Client/",
        "Sources/ParlanceControl/Paths/", "Sources/ParlanceControl/Attention/", "Sources/ParlanceControl/Clock/",
        "Sources/ParlanceControl/Terminal/", "Sources/ParlanceControl/Server/SocketFile.swift",
        "Sources/ParlanceTexts/", "Sources/ParlanceWords/GivenOptions.swift", "Sources/ParlanceWords/Text/",
        "Sources/ParlanceDaemon/",
        "Sources/ParlanceNode/", "Sources/ParlanceProfile/",
        "Sources/ParlanceAssistant/AssistantErrors.swift",
        "Sources/ParlanceAssistant/Answers/Assistant+Chat.swift",
        "Sources/ParlanceNetwork/Links/DialFailure+System.swift",
        "Sources/ParlanceNetwork/Links/LinkService+Listening.swift",
        "Sources/ParlanceNetwork/Discovery/EmbeddedBackend", "Sources/ParlanceNetwork/Discovery/SystemBackend.swift",
        "Sources/ParlanceNetwork/Discovery/MulticastDiscovery+Backends.swift",
    ]

    /// Sentences that are not for people, or the same in every language, by the files where they are.
    static let asTheyAre: [String: Set<String>] = [
        // Commands as they are typed.
        "Sources/ParlanceChat/Chat+View.swift": ["parlance doctor"],
        "Sources/parlance/Commands/Service/ServiceCommands.swift": ["enable --now {1}", "disable --now {1}"],
        "Sources/parlance/Text/OverviewText.swift": ["parlance {1}"],
        // The names of the figures beneath it are English too.
        "Sources/parlance/Commands/StatsCommand.swift": ["Since the daemon started:"],
        "Sources/parlance/Service/UserManager.swift": [
            "systemctl --user show --property=Version", "systemctl --user --no-pager {1}", "loginctl enable-linger",
            "loginctl show-user {1} --property=Linger",
            "show {1} --property=LoadState,ActiveState,Result,UnitFileState,MainPID,FragmentPath,ActiveEnterTimestamp",
        ],
        // Units are the same in both languages.
        "Sources/ParlanceWords/Text/DurationText.swift": ["{1} min"],
        // For programs.
        "Sources/ParlanceDaemon/Daemon+Init.swift": ["made: {1}"],
        "Sources/ParlanceDaemon/Assembly.swift": ["ready: {1} {2}", "{1}, port {2}, socket {3}"],
        "Sources/ParlanceNetwork/Links/DialFailure+System.swift": ["the connection failed"],
    ]

    /// Files whose sentences are for programs: systemd, shells, browsers, and monitoring.
    private static let forPrograms: Set = [
        "Sources/parlance/Service/ServiceUnit.swift", "Sources/parlance/Commands/Export/ExportPage.swift",
        "Sources/ParlanceNode/Operations/StatsOperation.swift",
        "Sources/parlance/Completion/CompletionScript.swift",
    ]

    /// The targets that speak to people.
    private static let targets: Set = [
        "parlance", "parlanced", "ParlanceChat", "ParlanceWords", "ParlanceControl", "ParlanceFiles", "ParlanceWeb",
        "ParlanceAssistant", "ParlanceDaemon", "ParlanceNode", "ParlanceProfile", "ParlanceStore", "ParlanceTexts",
        "ParlanceNetwork",
    ]
    /// The calls whose argument is a phrase, or a list of phrases.
    private static let makers: Set = ["say", "Phrase", "TextTable"]
    /// Types whose message and advice, with or without a label, are phrases.
    private static let carriers: Set = [
        "ControlError", "ControlFailure", "DaemonError", "StoreError", "RefusalWords", "Problem", "finding",
        "LinkListenError",
    ]
    private static let carried: Set = ["", "message", "advice", "_"]
    /// What only programmers, logs, manual pages and help texts show.
    private static let unseen: Set = [
        "CommandConfiguration", "ArgumentHelp", "@Flag", "@Option", "@Argument", "@OptionGroup",
        "precondition", "preconditionFailure", "assert", "assertionFailure", "fatalError", "invariant", "broken",
        "ShellWord.command",
    ]

    /// A phrase of the sources.
    struct Found: Hashable {
        let key: String
        let hint: String?
    }

    static func literals(in file: SourceFile) -> [PhraseScanner.Literal] {
        guard file.tree == "Sources", targets.contains(file.target) else { return [] }
        return PhraseScanner.literals(of: file.lines.joined(separator: "\n"))
    }

    /// Sentences of the faces that are no phrases, and phrases that are made of pieces.
    static func violations(in file: SourceFile) -> [Violation] {
        literals(in: file).compactMap { literal in
            fault(of: literal, in: file).map {
                Violation(path: file.path, line: literal.line, message: "\"\(literal.key)\": \($0)")
            }
        }
    }

    private static func isFace(_ file: SourceFile) -> Bool {
        faces.contains { file.path.hasPrefix($0) } && !forPrograms.contains(file.path) && !file.isGenerated
    }

    private static func fault(of literal: PhraseScanner.Literal, in file: SourceFile) -> String? {
        if asTheyAre[file.path]?.contains(literal.key) == true || isUnseen(literal) { return nil }
        if isPhrase(literal) {
            return literal.isJoined ? "other languages order words differently: write it as one literal" : nil
        }
        guard isFace(file) else { return nil }
        if literal.isInside, literal.call.isEmpty, hasWords(literal.key), !literal.key.hasPrefix("--") {
            return "other languages order words differently: write two phrases, or Phrase(\"…\") inside"
        }
        if literal.key == "\"{1}\"" || literal.key == "'{1}'" {
            return "other languages have other quotation marks: write Phrase(\"…\", hint: \"quote\")"
        }
        guard isSentence(literal.key) else { return nil }
        return "people read this: write say(\"…\"), or Phrase(\"…\") if the reader is not known yet"
    }

    /// The phrases of a file that have words, or a hint that says what their values are.
    static func phrases(in file: SourceFile) -> [Found] {
        literals(in: file).filter { isPhrase($0) && (hasWords($0.key) || $0.hint != nil) }.map {
            Found(key: $0.key, hint: $0.hint)
        }
    }

    private static func isPhrase(_ literal: PhraseScanner.Literal) -> Bool {
        let name = String(literal.call.split(separator: ".").last ?? "")
        if makers.contains(name) { return literal.label.isEmpty }
        return carriers.contains(name) && carried.contains(literal.label)
            && isSentence(literal.key)
    }

    private static func isUnseen(_ literal: PhraseScanner.Literal) -> Bool {
        literal.calls.contains { unseen.contains($0) || $0.contains("logger.") || $0.contains("Logger.") }
            || ["hint", "elsewhere", "command"].contains(literal.label)
    }

    private static func hasWords(_ key: String) -> Bool { values(in: key).words.contains(where: \.isLetter) }

    /// Whether a text has at least two words, of which one is an ordinary one; a value counts as a word.
    static func isSentence(_ key: String) -> Bool {
        let words = key.split { $0 == " " || $0 == "\n" }.filter { $0.contains { $0.isLetter || $0 == "{" } }
        return words.count > 1
            && words.contains { word in
                let letters = word.drop { "\"('".contains($0) }.prefix { $0.isASCII && $0.isLetter }
                let rest = word.drop { "\"('".contains($0) }.dropFirst(letters.count)
                return letters.count > 1 && letters.dropFirst().allSatisfy(\.isLowercase)
                    && rest.allSatisfy { ".,:;!?)\"'".contains($0) }
            }
    }

    /// Compares the phrases of the sources with a catalogue.
    static func differences(_ phrases: Set<Found>, _ entries: [CatalogueFile.Entry], at path: String) -> [Violation] {
        var found: [Violation] = []
        var seen: Set<Found> = []
        for entry in entries {
            func report(_ what: String) {
                found.append(Violation(path: path, line: entry.line, message: "\"\(entry.english)\": \(what)"))
            }
            let phrase = Found(key: entry.english, hint: entry.hint)
            if !phrases.contains(phrase) { report("no source says this") }
            if !seen.insert(phrase).inserted { report("is here twice") }
            if entry.text.isEmpty { report("has no text") }
            if values(in: entry.text).numbers != values(in: entry.english).numbers { report("has other values") }
        }
        let missing = phrases.subtracting(seen).map { "\"\($0.key)\"\($0.hint.map { " (\($0))" } ?? "") is missing" }
        return found + missing.sorted().map { Violation(path: path, line: 0, message: $0) }
    }

    /// The values of a text, by their numbers, and the text without them.
    private static func values(in text: String) -> (numbers: Set<Substring>, words: String) {
        let pattern = /\{([0-9]+)\}/
        return (Set(text.matches(of: pattern).map(\.1)), text.replacing(pattern, with: ""))
    }
}
