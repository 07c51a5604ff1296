import ParlanceControl
import Testing

@testable import ParlanceDaemon

/// What looks like a mention and means nobody.
@Suite struct MentionGuessTests {
    private let names = ["Dan Müller-Öz", "Zoë", "Bob", "Bobby Ray", "Ann Lee", "Ann Kim"]

    @Test(arguments: [
        ("@Dan can you?", ["Dan Müller-Öz"]), ("@dan: please", ["Dan Müller-Öz"]), ("hello @zoe.", []),
        ("@Dan and @Dan", ["Dan Müller-Öz"]), ("@Dan, @Bobby", ["Dan Müller-Öz", "Bobby Ray"]),
        ("@Dan Müller-Öz can you?", []), ("@Dan Muller-Oz", []),
        ("@Bob", []), ("@bobby", ["Bobby Ray"]), ("@all", []), ("@Ann", []), ("@Da", []), ("mail dan@Dan.de", []),
        ("@", []), ("@@Dan", []), ("nobody", []), ("@Danny", []), ("@Bob's", []),
    ])
    func isFound(text: String, meant: [String]) {
        #expect(MentionGuess.guesses(in: text, among: names).map(\.meant) == meant)
    }
}
