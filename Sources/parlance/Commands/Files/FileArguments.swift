import ArgumentParser
import ParlanceControl
import ParlanceWire
import ParlanceWords

/// The files of a message, and its text.
struct FileArguments: ParsableArguments {
    @Option(
        name: .customLong("file"),
        help: ArgumentHelp(
            "Send this file or folder; may be given several times. A single - takes standard input.",
            valueName: "path"
        )
    )
    var files: [UserPath] = []

    @Option(name: .customLong("text"), help: "The text, instead of the words after WHO.")
    var optionText: String?

    @Option(help: "How a file from standard input is called.")
    var name: String?

    @Flag(help: "Leave in pictures what they tell, such as where and when they were taken.")
    var keepMetadata = false

    /// Whether there has to be a text behind WHO.
    var needsWords: Bool { files.isEmpty && optionText == nil }

    /// The text, which is read from standard input if the user wants that.
    func whole(_ words: [String]) throws -> String {
        try optionText ?? (words.isEmpty ? "" : TypedText.whole(words))
    }

    /// Refuses what does not fit together.
    ///
    /// - Parameter text: the words behind WHO.
    func check(_ text: [String]) throws(ControlFailure) {
        func wrong(_ message: Phrase, _ advice: Phrase) -> ControlFailure {
            ControlFailure(code: ControlFailure.usage, message: message, advice: advice)
        }
        if optionText != nil, !text.isEmpty {
            throw wrong(Phrase("The text is given twice."), Phrase("Give it with --text or after WHO, not both."))
        }
        guard files.count <= Limits.filesPerMessage else {
            throw wrong(
                Phrase("A message takes \(Limits.filesPerMessage) files, and these are \(files.count)."),
                Phrase("Put them into a folder and send that.")
            )
        }
        let piped = files.count { $0 == "-" }
        if piped == 0, name != nil {
            throw wrong(
                Phrase("--name is for a file from standard input."),
                Phrase("Add --file -, or leave --name out.")
            )
        }
        guard piped > 0 else { return }
        if piped > 1 || text == ["-"] {
            throw wrong(
                Phrase("Standard input can be taken only once."),
                Phrase("Give the text, or another file, in another way.")
            )
        }
        if name?.isEmpty != false {
            throw wrong(Phrase("A file from standard input has no name."), Phrase("Add one: --name report.pdf"))
        }
        if Terminal.isInputTerminal {
            throw wrong(
                Phrase("Standard input is the keyboard."),
                Phrase("Send what another program writes: PROGRAM | parlance send ...")
            )
        }
    }
}
