import ParlanceControl
import ParlanceCore
import Testing

@testable import ParlanceDaemon
@testable import ParlanceNode
@testable import ParlanceProfile

/// What looks like a mention and means nobody.
@Suite struct MentionGuessTests {
    private let names = ["Dan Müller-Öz", "Zoë", "Bob", "Bobby Ray", "Ann Lee", "Ann Kim"]

    private func meant(_ text: String, isGroup: Bool = true) -> [String] {
        MentionGuess(names, others: ["Cleo", "Bbobby"], isGroup: isGroup).guesses(in: text)
            .compactMap(\.meant)
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

    /// Somebody who is known and is not in the group, by the whole name or the first of several.
    @Test(
        arguments: [
            ("@Finn please look", "Finn Olsen"), ("@finn olsen: look", "Finn Olsen"), ("@Hal", "Hal"), ("@Hall", nil),
            // A member is meant first.
            ("@Dan can you?", nil), ("@Dan Berg can you?", "Dan Berg"),
        ] as [(String, String?)]
    )
    func whoIsNotInTheGroupIsTold(text: String, name: String?) {
        let absent = ["Finn Olsen", "Hal", "Dan Berg"].map { ($0, [$0]) }
        let guess = MentionGuess(names, others: [], absent: { absent }, isGroup: true)
        #expect(guess.guesses(in: text).map(\.absent) == [name])
    }

    /// Any name counts, the one that is shown is told; a name that two of them have is told as it is.
    @Test func whoIsNotInTheGroupHasSeveralNames() {
        let absent = [
            ("Chef", ["Chef", "Finn Olsen"]), ("Hal~1234", ["Hal~1234", "Hal"]), ("Hal~5678", ["Hal~5678", "Hal"]),
        ]
        let guess = MentionGuess(names, others: [], absent: { absent }, isGroup: true)
        for (text, name) in [("@Finn look", "Chef"), ("@chef look", "Chef"), ("@hal look", "Hal")] {
            #expect(guess.guesses(in: text).map(\.absent) == [name], "\(text)")
        }
    }

    @Test(arguments: [
        ("@qqq please", 1), ("ask @qqq: now", 1), ("@qqq, @vvv and @qqq", 2), ("@qqa @qqb @qqc @qqd @qqe", 3),
        ("@2pm", 0),
        ("@types/node", 0), ("@qqq.de", 0), ("@qqq:x.org", 0), ("@qqq@x.org", 0), ("`@qqq`", 0), ("me@qqq.de", 0),
    ])
    func whatIsLikeNoNameIsTold(text: String, count: Int) {
        let found = MentionGuess(names, others: ["Cleo"], isGroup: true).guesses(in: text)
        #expect(found.count == count && found.allSatisfy { $0.meant == nil && $0.absent == nil }, "\(found)")
        #expect(MentionGuess(["Bob"], others: ["Cleo"], isGroup: false).guesses(in: text).isEmpty)
    }
}
