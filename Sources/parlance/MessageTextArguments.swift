import ArgumentParser
import ParlanceControl

/// `ID TEXT...`: a text about a message.
struct MessageTextArguments: ParsableArguments {
    @Argument(help: "The message's ID, its first 8 or more characters ('parlance history --ids' shows it), or last.")
    var id: String

    @Argument(
        parsing: .captureForPassthrough,
        help: "The text; the words are joined by spaces. A single - reads it from standard input."
    )
    var text: [String] = []

    func whole() throws -> String {
        try TypedText.whole(text)
    }
}
