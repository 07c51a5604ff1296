import ArgumentParser
import ParlanceControl

/// `TEXT...`: a text about a message.
struct MessageTextArguments: ParsableArguments {
    @Argument(
        parsing: .captureForPassthrough,
        help: "The text; the words are joined by spaces. A single - reads it from standard input."
    )
    var text: [String] = []

    func whole() throws -> String {
        try TypedText.whole(text)
    }
}
