import ParlanceControl
import ParlanceCore
import Testing

@testable import ParlanceDaemon

/// What looks like a mention and means nobody.
@Suite struct MentionGuessTests {
    private let names = ["Dan Müller-Öz", "Zoë", "Bob", "Bobby Ray", "Ann Lee", "Ann Kim"]

    private func meant(_ text: String, isGroup: Bool = true) -> [String] {
        MentionGuess(names, others: ["Cleo", "Bbobby"], isGroup: isGroup).guesses(in: text).map(\.meant)
    }

    @Test(arguments: [
        ("@Dan can you?", ["Dan Müller-Öz"]), ("@dan: please", ["Dan Müller-Öz"]), ("hello @zoe.", []),
        ("@Dan and @Dan", ["Dan Müller-Öz"]), ("@Dan, @Bobby", ["Dan Müller-Öz", "Bobby Ray"]),
        ("@Dan Müller-Öz can you?", []), ("@Dan Muller-Oz", []),
        ("@Bob", []), ("@bobby", ["Bobby Ray"]), ("@all", []), ("@Ann", []), ("mail dan@Dan.de", []),
        ("@", []), ("@@Dan", []), ("nobody", []), ("@Danny", []), ("@Bob's", []),
    ])
    func isFound(text: String, meant: [String]) {
        #expect(self.meant(text) == meant)
    }

    /// A letter too many, too few, another one, or two that changed places.
    @Test(arguments: [
        ("@Bbo can you?", ["Bob"]), ("@Bo", ["Bob"]), ("@Zeo, look", ["Zoë"]), ("@Zo", ["Zoë"]),
        ("@Bobyb", ["Bobby Ray"]),
        ("@Dna please", ["Dan Müller-Öz"]), ("@alle: Essen", ["all"]), ("@al", ["all"]), ("@Bbo's plan", ["Bob"]),
        ("@Bbo\u{2019}s plan", ["Bob"]), ("@Da", ["Dan Müller-Öz"]), ("@Anm", []), ("@nobody", []), ("@Xyz", []),
    ])
    func whatIsMisspeltIsFound(text: String, meant: [String]) {
        #expect(self.meant(text) == meant)
    }

    /// Where a mention can stand, one that means nobody can, and nowhere else.
    @Test(arguments: [
        ("(@Bbo)", ["Bob"]), ("*@Bbo*", ["Bob"]), ("\"@Dan\"", ["Dan Müller-Öz"]), ("Hi!@Bbo", ["Bob"]),
        ("cc:@Bbo", ["Bob"]), ("请@Bbo看", ["Bob"]), ("`@Bbo`", []), ("> @Bbo", []), ("x/@Bbo", []), ("mailto:@Bbo", []),
        ("bo@Bbo.de", []), ("@Bob/core", []), ("@bob.de", []), ("@Bob:x.org", []), ("@Bob_2", []),
    ])
    func itStandsWhereAMentionCan(text: String, meant: [String]) {
        #expect(self.meant(text) == meant)
    }

    /// The writer, and a member by another name, are somebody.
    @Test func whoeverIsMentionedIsNotGuessed() {
        #expect(meant("@Cleo, @Bbobby") == [])
        // Zoë is less near.
        #expect(meant("@Cloe") == [] && meant("@Cloee") == [])
    }

    @Test func twoPeopleHaveNoAll() {
        #expect(meant("@alle", isGroup: false) == [] && meant("@Bbo", isGroup: false) == ["Bob"])
        #expect(MentionGuess([], others: ["Ada"], isGroup: false).guesses(in: "@Adda").isEmpty)
    }

    /// A list of thousands of accounts takes no longer than a list of few.
    @Test func onlyTheFirstAreLookedAt() {
        let many = (1...10_000).map { "@x\($0)" }.joined(separator: " ")
        #expect(meant(many + " @Bbo") == [] && meant("@Bbo " + many) == ["Bob"])
    }
}
