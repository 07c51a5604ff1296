import CProgramArguments

/// The arguments of this program.
package enum ProgramArguments {
    /// Without the program's name, in the form of `ArgumentText`.
    package static var words: [String] {
        #if os(Linux)
        (1..<max(1, parlance_argument_count())).compactMap { index in
            parlance_argument(index).map { ArgumentText.text(UnsafeRawBufferPointer(start: $0, count: length(of: $0))) }
        }
        #else
        Array(CommandLine.arguments.dropFirst())
        #endif
    }

    /// The words with their values as they are meant. The library for arguments would take the next word for an empty
    /// value, as in `--name=`, so that becomes a word of its own; and it takes no word with a dash for a value, so a
    /// negative number is joined to its option: then the command says which values it takes.
    ///
    /// - Parameter takesValue: whether the option of that name has a value.
    package static func withPlainValues(in words: [String], where takesValue: (String) -> Bool) -> [String] {
        let options = words.prefix { $0 != "--" }
        var rest = options
        var result: [String] = []
        while let word = rest.popFirst() {
            let name = String(word.dropLast())
            if word.hasPrefix("--"), word.hasSuffix("="), !name.contains("="), takesValue(name) {
                result += [name, ""]
            } else if word.hasPrefix("--"), let next = rest.first, isNegative(next), !word.contains("="),
                takesValue(word)
            {
                rest.removeFirst()
                result.append("\(word)=\(next)")
            } else {
                result.append(word)
            }
        }
        return result + words[options.endIndex...]
    }

    /// Whether a word begins as a negative number does, such as `-3` or `-5m`. No option does.
    package static func isNegative(_ word: String) -> Bool {
        word.hasPrefix("-") && word.dropFirst().first?.isWholeNumber == true
    }

    private static func length(of text: UnsafePointer<CChar>) -> Int {
        var length = 0
        while text[length] != 0 { length += 1 }
        return length
    }
}
