import ArgumentParser
import ParlanceControl
import ParlanceWords

/// What a word that begins with dashes is for a command.
enum OptionKind {
    /// An option that takes no value, or has it behind an equals sign.
    case flag
    /// An option whose value is the next word.
    case valued
    /// No option of the command.
    case none

    init(_ word: String, of command: any ParsableCommand.Type) {
        let name = word.prefix { $0 != "=" }
        // No command has short options but this.
        guard name.hasPrefix("--") && name.count > 2 || name == "-h" else {
            self = .none
            return
        }
        switch Self.definition(of: name, in: command) {
        case "option"?: self = name == word ? .valued : .flag
        case "flag"?: self = .flag
        default: self = .none
        }
    }

    /// What the library says of an option: `option` or `flag`. It tells its definitions as JSON only.
    private static func definition(of name: Substring, in command: any ParsableCommand.Type) -> String? {
        // The main command has this for all.
        if name == "--version" { return "flag" }
        return arguments(of: command).first { names(of: $0).contains { $0 == name } }?["kind"]?.text
    }

    private static func arguments(of command: any ParsableCommand.Type) -> [JSON] {
        let tool = try? JSONParser.parse(Array(command._dumpHelp().utf8))
        guard case .array(let arguments)? = tool?["command"]?["arguments"] else { return [] }
        return arguments
    }

    /// The names of an argument with their dashes; a positional one has none.
    private static func names(of argument: JSON) -> [String] {
        guard case .array(let names)? = argument["names"] else { return [] }
        return names.compactMap { spelt in
            spelt["name"]?.text.map { (spelt["kind"]?.text == "short" ? "-" : "--") + $0 }
        }
    }

    /// The option of the command that somebody meant by a word that is none: the only one that begins so, or the nearest.
    static func meant(by word: String, of command: any ParsableCommand.Type) -> String? {
        guard word.hasPrefix("--") else { return nil }
        let typed = String(word.drop { $0 == "-" }.prefix { $0 != "=" })
        let options = arguments(of: command).flatMap { names(of: $0) }.filter { $0.hasPrefix("--") }
        let words = options.map { String($0.dropFirst(2)) }
        // One letter can begin anything.
        let begun = typed.count > 1 ? NearestWord.begun(by: typed, among: words) : nil
        return (begun ?? NearestWord.of(typed, among: words)).map { "--" + $0 }
    }

    /// Whether a word looks like an option with one dash, such as `-f` or `-file`: one letter, or the name of an option of
    /// the command. Other programs have such options; here `-5`, `-)` and `-fine` are texts.
    static func isShort(_ word: String, of command: any ParsableCommand.Type) -> Bool {
        let name = word.prefix { $0 != "=" }.dropFirst()
        guard word.hasPrefix("-"), let first = name.first, first.isASCII, first.isLetter else { return false }
        return name.count == 1 || definition(of: "--\(name)", in: command) != nil
    }

    /// The option of the command that somebody meant by a word with one dash: the one of that name, or the only one that
    /// begins with the letter.
    static func meant(byShort word: String, of command: any ParsableCommand.Type) -> String? {
        guard isShort(word, of: command) else { return nil }
        let name = String(word.dropFirst().prefix { $0 != "=" })
        let words = arguments(of: command).flatMap { names(of: $0) }.filter { $0.hasPrefix("--") }
        return words.contains("--" + name) ? "--" + name : NearestWord.begun(by: "--" + name, among: words)
    }

    /// Whether all of the words are options of the command, and none lacks its value.
    static func areAll(_ words: [String], of command: any ParsableCommand.Type) -> Bool {
        var rest = words[...]
        while let word = rest.popFirst() {
            switch OptionKind(word, of: command) {
            case .flag: break
            case .valued: guard rest.popFirst() != nil else { return false }
            case .none: return false
            }
        }
        return true
    }

    /// The last of the words if it is an option of the command whose value is missing.
    static func unfinished(_ words: some Collection<String>, of command: any ParsableCommand.Type) -> String? {
        var rest = words[...]
        while let word = rest.first {
            switch OptionKind(word, of: command) {
            case .flag: rest = rest.dropFirst()
            case .valued:
                guard rest.count > 1 else { return word }
                rest = rest.dropFirst(2)
            case .none: return nil
            }
        }
        return nil
    }

    /// How many of the words are options of the command with their values: all until the first that is none.
    static func count(_ words: ArraySlice<String>, of command: any ParsableCommand.Type) -> Int {
        var rest = words
        while let word = rest.first {
            switch OptionKind(word, of: command) {
            case .flag: rest.removeFirst()
            // A value that is missing is for the parser to say.
            case .valued: rest = rest.dropFirst(2)
            case .none: return words.count - rest.count
            }
        }
        return words.count
    }
}
