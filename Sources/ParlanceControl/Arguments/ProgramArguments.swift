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

    /// The words with each empty value, as in `--name=`, as a word of its own: the library for arguments would take the next
    /// word for the value.
    ///
    /// - Parameter takesValue: whether the option of that name has a value.
    package static func withEmptyValues(in words: [String], where takesValue: (String) -> Bool) -> [String] {
        let options = words.prefix { $0 != "--" }
        return options.flatMap { word -> [String] in
            let name = String(word.dropLast())
            guard word.hasPrefix("--"), word.hasSuffix("="), !name.contains("="), takesValue(name) else {
                return [word]
            }
            return [name, ""]
        } + words[options.endIndex...]
    }

    private static func length(of text: UnsafePointer<CChar>) -> Int {
        var length = 0
        while text[length] != 0 { length += 1 }
        return length
    }
}
