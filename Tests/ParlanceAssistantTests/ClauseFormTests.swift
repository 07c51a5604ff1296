import Testing

@testable import ParlanceAssistant

/// Forms of actions and decisions that have no fixed opening words.
@Suite struct ClauseFormTests {
    private static let team = ["Nora", "Felix", "Amal", "Dr. Brandt"]

    private static func message(_ text: String, mentions: [String] = team) -> ReadMessage {
        // Wednesday, 4 March 2026, 10:30 in Berlin.
        ReadMessage(sender: "Nora", text: text, mentions: mentions, time: 1_772_616_600_000, offset: 3600)
    }

    private static func actions(_ text: String) -> [FoundAction] {
        Rules.actions(in: message(text), members: team)
    }

    @Test(arguments: [
        ("ladder -> Felix", "ladder", "Felix"),
        ("me → sandwiches", "sandwiches", "Nora"),
        ("Felix you're on ladders", "ladders", "Felix"),
        ("Felix, the attic is yours", "the attic", "Felix"),
        ("Amal's going to fix the hinge", "fix the hinge", "Amal"),
        ("I'm bringing the drill on Friday", "bringing the drill", "Nora"),
        ("it would be great if someone could sweep the attic", "sweep the attic", nil),
        ("the gutter needs unblocking", "the gutter needs unblocking", nil),
        ("I still need the keys from Amal", "the keys", "Amal"),
        ("we need Felix to sign the lease", "sign the lease", "Felix"),
        ("who can hold the ladder on Friday?", "hold the ladder", nil),
        ("Felix, mind checking the fuse?", "checking the fuse", "Felix"),
        ("when you get home please water the fern", "water the fern", nil),
        ("Felix, sweep the attic will you", "sweep the attic", "Felix"),
        ("don't forget the paint brushes", "the paint brushes", nil),
        ("I'll have the fence painted by Monday", "have the fence painted", "Nora"),
        ("Tasks for Felix: sweep the attic", "sweep the attic", "Felix"),
    ])
    func englishFormsAreFound(text: String, task: String, assignee: String?) {
        let found = Self.actions(text)
        #expect(found.map(\.task) == [task])
        #expect(found.first?.assignee == assignee)
    }

    /// Many nouns are verbs as well; a number or a letter behind one is no object if it belongs to a thing that is spoken of.
    @Test(arguments: [
        "tank 3 is full", "Tank 3 ist voll", "tank B is full", "tanks 3 and 4 are full", "tank 3 and 4 are full",
        "pump 2 is leaking", "Pumpe 2 leckt", "gate 4 has failed", "test 4 failed", "order 5 arrived yesterday",
        "plan B is better", "plan A failed", "check 2 was fine", "book 3 is on the shelf", "line 2 works again",
        "Tank 3 hat ein Leck", "lock 2, 3 and 5 were broken",
    ])
    func aThingWithANumberIsNoTask(text: String) {
        #expect(Self.actions(text).isEmpty)
    }

    @Test(arguments: [
        ("print 3 badges", "print 3 badges"), ("order 3 used laptops", "order 3 used laptops"),
        ("print 2 of the badges", "print 2 of the badges"), ("test 4 pumps by Friday", "test 4 pumps"),
        ("paint a folded box", "paint a folded box"),
    ])
    func aNumberOfThingsIsATask(text: String, task: String) {
        #expect(Self.actions(text).map(\.task) == [task])
    }

    @Test(arguments: [
        ("print the badges (deadline 2026-12-05)", "print the badges"),
        ("Can you print the badges (deadline: 2026-12-05)?", "print the badges"),
        ("print the badges (by Friday)", "print the badges"), ("print the badges [by Friday!]", "print the badges"),
        ("print the badges (by Friday) and the list", "print the badges and the list"),
        ("print the badges (both sides, by Friday)", "print the badges (both sides)"),
        ("bitte die Ausweise drucken (bis Freitag)", "die Ausweise drucken"),
    ])
    func noEmptyBracketsStayOfADeadline(text: String, task: String) {
        let found = Self.actions(text)
        #expect(found.map(\.task) == [task])
        #expect(found.first?.deadline != nil)
    }

    @Test(arguments: [
        ("Die Rinne gehört gereinigt", "Die Rinne gehört gereinigt", nil),
        ("Der Müll muss raus", "Der Müll muss raus", nil),
        ("Laternen basteln nicht vergessen!", "Laternen basteln", nil),
        ("wäre toll, wenn jemand den Hof fegt", "den Hof fegt", nil),
        ("Ich brauche von dir noch die Maße, Felix", "die Maße", "Felix"),
        ("Felix, du bestellst das Holz", "das Holz bestellen", "Felix"),
        ("Musik mach ich", "Musik machen", "Nora"),
        ("schicke dir gleich die Liste", "dir die Liste schicken", "Nora"),
        ("Amal repariert am Freitag die Pumpe", "die Pumpe reparieren", "Amal"),
        ("Um die Musik kümmert sich Felix", "Um die Musik kümmern", "Felix"),
        ("Felix, hättest du Zeit, die Tonne zu leeren?", "die Tonne zu leeren", "Felix"),
        ("Wer holt am Samstag die Bänke?", "die Bänke holen", nil),
        ("Ich räum den Keller auf", "den Keller aufräumen", "Nora"),
    ])
    func germanFormsAreFound(text: String, task: String, assignee: String?) {
        let found = Self.actions(text)
        #expect(found.map(\.task) == [task])
        #expect(found.first?.assignee == assignee)
    }

    @Test func aVerbIsSharedByTwoNames() {
        let found = Self.actions("@Felix you do the walls, @Amal the ceiling")
        #expect(found.map(\.task) == ["do the walls", "the ceiling"])
        #expect(found.map(\.assignee) == ["Felix", "Amal"])
    }

    /// Code stays whole, and no word of it counts.
    @Test(arguments: [
        ("please `rm -rf /`", "`rm -rf /`"), ("please `rm -rf /` in the container", "`rm -rf /` in the container"),
        ("Felix, please run `make test -j2 && please`", "run `make test -j2 && please`"),
        ("bitte `git push` bis Freitag", "`git push`"), ("please don't run `x`", nil),
        ("it says `please call Felix`", nil),
    ])
    func codeIsNotCut(text: String, task: String?) {
        #expect(Self.actions(text).map(\.task) == (task.map { [$0] } ?? []))
    }

    /// Whom a message mentions, its sender's node decides: a sign before a name is not enough.
    @Test(
        arguments: [
            ("ghcr.io/x:@Felix please update", [], nil), ("@Felix can you sweep the attic?", [], nil),
            ("can you sweep the attic @Felix", [], nil), ("@Felix: sweep the attic", [], nil),
            ("sweep the attic (@Felix)", [], nil), ("- sweep the attic @Felix", [], nil),
            ("x:@Felix's bringing the drill on Friday", ["Amal"], nil), ("@Felix will sweep the attic", ["Amal"], nil),
            ("@Felix can you sweep the attic?", ["Felix"], "Felix"),
            ("can you sweep the attic @Felix", ["Felix"], "Felix"),
            ("sweep the attic (@Felix)", ["Felix"], "Felix"), ("Felix, sweep the attic", [], "Felix"),
            ("Felix will ask info@Felix to sweep the attic", [], "Felix"),
        ] as [(String, [String], String?)]
    )
    func aSignBeforeANameIsNoMention(text: String, mentions: [String], assignee: String?) {
        let found = Rules.actions(in: Self.message(text, mentions: mentions), members: Self.team)
        #expect(Set(found.map(\.assignee)).subtracting([nil]) == Set([assignee].compactMap { $0 }), "\(found)")
        let priority = Rules.priority(
            of: Self.message("\(text)?", mentions: mentions),
            to: "Felix",
            members: Self.team
        )
        #expect((priority == .high) == (assignee != nil), "\(text)")
    }

    /// "bitte um" asks for a task too.
    @Test func whatIsAskedForIsATask() {
        #expect(Self.actions("Felix, bitte in Ruhe die Entschuldigung prüfen").count == 1)
        #expect(Self.actions("bitte den Zaun um die Ecke streichen").count == 1)
    }

    @Test func whoeverMustBeThereHasATask() {
        #expect(Self.actions("Felix must be at the door at 8").map(\.task) == ["be at the door"])
    }

    @Test func anEchoGivesTheDayOnly() {
        let found = Self.actions("I have to sweep the attic, I'll do it on Friday")
        #expect(found.map(\.task) == ["sweep the attic"])
        #expect(found.first?.deadline?.text == "2026-03-06")
    }

    @Test(arguments: [
        "Felix always brings the best bread", "it would have been great if someone had told me",
        "I never forget to lock up",
        "Amal bringt mich zum Lachen", "Felix bringt immer Kuchen mit", "the order arrived today", "stop it",
        "Felix is on holiday until Monday", "I need a break until Monday", "time to go home", "you're doing great",
        "das muss der Ort sein", "Die Wand wurde am Freitag gestrichen", "Stimmt, das passt mir am Freitag",
        "Der Regen muss wohl aufgehört haben", "wäre toll wenn wir gewinnen", "du bringst mich zum Lachen",
        "Felix will be there tomorrow", "Felix is going to be here on Monday", "Felix wird morgen da sein",
        "Please ignore this", "please ignore my last mail", "ignore that please", "can you ignore this one?",
        "ich bitte um Geduld", "Wir sind dran, ich bitte noch um etwas Geduld", "bitte um Verständnis für die Störung",
        "Bitte etwas Geduld", "bitte entschuldigt die Störung", "please have some patience",
        "please bear with us today",
        "I ask for your patience please",
        "bitte ignorieren", "ignoriere das bitte", "das bitte einfach ignorieren", "bitte ignoriert die letzte Mail",
    ])
    func remarksHoldNoAction(text: String) {
        #expect(Self.actions(text).map(\.task) == [])
    }

    @Test(arguments: [
        "we're dropping the green tiles", "we are not renewing the lease", "Result of the round: two cats, no dog",
        "The vote was 5:0 for the lake", "right, Tuesday it is", "so Lisbon then", "Approved. Go ahead with the tiles.",
        "Na gut, überzeugt. Wir nehmen den kleinen Saal.", "dann streichen wir den Ausflug", "Gut, dann Dienstag",
        "wir verlängern den Vertrag nicht", "Fazit der Runde: kein Hund", "damit steht der Termin",
        "Ab sofort wird montags gefegt", "We voted, and majority wants the lake",
        "nobody objected, so the fee stays at 5",
    ])
    func settledMattersAreDecisions(text: String) {
        #expect(Rules.decision(in: Self.message(text)) != nil)
    }

    @Test(arguments: [
        "we're not sure about the tiles", "Result of the match: 2:1", "Felix decided to leave early", "so no idea",
        "what is it then?", "dann bis morgen", "also keine Ahnung", "die Abstimmung ist morgen", "that's what it is",
        "abgemacht war eigentlich was anderes", "wir haben uns nicht geeinigt", "vote closes on Friday",
        "we decided nothing", "we agreed on nothing yesterday", "wir haben gestern nichts beschlossen",
        "the board made no decision", "wir haben keine Entscheidung getroffen",
    ])
    func openMattersAreNoDecisions(text: String) {
        #expect(Rules.decision(in: Self.message(text)) == nil)
    }
}
