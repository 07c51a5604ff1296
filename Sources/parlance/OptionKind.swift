import ArgumentParser

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
        // The library tells nobody its options but in the help: "  --file <path>   What it is" and "  -h, --help   …".
        let help = ParlanceCommand.helpMessage(for: command, includeHidden: true, columns: Self.columns)
        for line in help.split(separator: "\n").drop(while: { $0 != "OPTIONS:" }) where line.hasPrefix("  -") {
            let words = line.split(separator: " ")
            for (place, shown) in words.prefix(2).enumerated() where shown == name || shown == "\(name)," {
                let takesValue = words.count > place + 1 && words[place + 1].hasPrefix("<")
                self = takesValue && name == word ? .valued : .flag
                return
            }
        }
        self = .none
    }

    /// So wide that no line of the help is broken.
    private static let columns = 10_000

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
