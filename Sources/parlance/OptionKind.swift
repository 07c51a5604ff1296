import ArgumentParser

/// What a word that begins with dashes is for a command, as the parser of the command says.
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
        do {
            _ = try command.parse([String(name)])
            self = .flag
        } catch {
            let message = command.message(for: error)
            if message.starts(with: #/Missing value for/#) {
                self = name == word ? .valued : .flag
            } else {
                self = message.starts(with: #/Unknown option/#) ? .none : .flag
            }
        }
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
