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

    private static func length(of text: UnsafePointer<CChar>) -> Int {
        var length = 0
        while text[length] != 0 { length += 1 }
        return length
    }
}
