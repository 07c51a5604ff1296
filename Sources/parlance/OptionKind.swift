import ArgumentParser
import ParlanceControl

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
        let tool = try? JSONParser.parse(Array(command._dumpHelp().utf8))
        guard case .array(let arguments)? = tool?["command"]?["arguments"] else { return nil }
        let meant = arguments.first { argument in
            guard case .array(let names)? = argument["names"] else { return false }
            return names.contains { spelt in
                guard let text = spelt["name"]?.text else { return false }
                return (spelt["kind"]?.text == "short" ? "-" : "--") + text == name
            }
        }
        return meant?["kind"]?.text
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
