import Testing

@testable import ParlanceAssistant

@Suite struct RulesTests {
    private static let team = ["Nora", "Felix", "Amal", "Dr. Brandt"]
    private static let pair = ["Nora", "Felix"]

    private static func actions(_ text: String, _ members: [String] = team) -> [FoundAction] {
        // Wednesday, 4 March 2026, 10:30 in Berlin.
        let message = ReadMessage(sender: "Nora", text: text, mentions: members, time: 1_772_616_600_000, offset: 3600)
        return Rules.actions(in: message, members: members)
    }

    @Test(arguments: [
        ("Felix, please water the plants before Friday", "water the plants", "Felix", "2026-03-06"),
        ("@Amal can you rename the folder by tomorrow?", "rename the folder", "Amal", "2026-03-05"),
        ("I'll bake a cake for Sunday", "bake a cake", "Nora", "2026-03-08"),
        ("We have to empty the cellar by March 20", "empty the cellar", nil, "2026-03-20"),
        ("Someone needs to feed the cat tonight", "feed the cat", nil, "2026-03-04"),
        ("Amal will paint the fence on Monday", "paint the fence", "Amal", "2026-03-09"),
        ("Thanks for yesterday! Could you return the ladder, Felix?", "return the ladder", "Felix", nil),
        ("don't forget to lock the shed", "lock the shed", nil, nil),
        ("The roof must be checked by Friday", "The roof must be checked", nil, "2026-03-06"),
        ("TODO: buy screws", "buy screws", nil, nil),
        ("Dr. Brandt, could you sign the form by noon?", "sign the form", "Dr. Brandt", "2026-03-04T12:00"),
        ("if you have time, please sweep the yard", "sweep the yard", nil, nil),
        ("Can Felix fetch the keys tomorrow?", "fetch the keys", "Felix", "2026-03-05"),
        ("Felix needs to book the hall by Friday", "book the hall", "Felix", "2026-03-06"),
    ])
    func englishActionsAreFound(text: String, task: String, assignee: String?, deadline: String?) {
        let found = Self.actions(text)
        #expect(found.map(\.task) == [task])
        #expect(found.first?.assignee == assignee)
        #expect(found.first?.deadline?.text == deadline)
    }

    @Test(arguments: [
        ("Felix, bitte gieß bis Freitag die Blumen", "gieß die Blumen", "Felix", "2026-03-06"),
        ("Ich bestelle morgen die Farbe", "die Farbe bestellen", "Nora", "2026-03-05"),
        ("Die Leiter bringe ich am Montag zurück", "Die Leiter zurückbringen", "Nora", "2026-03-09"),
        ("Wir müssen bis Ende März den Keller räumen", "den Keller räumen", nil, "2026-03-31"),
        ("Kann jemand heute Abend die Katze füttern?", "die Katze füttern", nil, "2026-03-04"),
        ("Amal kümmert sich um den Zaun", "um den Zaun kümmern", "Amal", nil),
        ("Könntest du die Leiter holen, Felix?", "die Leiter holen", "Felix", nil),
        ("Felix, holst du morgen den Schlüssel ab?", "den Schlüssel abholen", "Felix", "2026-03-05"),
        ("Schick mir bitte die Liste", "Schick mir die Liste", nil, nil),
        ("Vergiss nicht, den Schuppen abzuschließen", "den Schuppen abzuschließen", nil, nil),
        ("Das Dach muss bis Freitag geprüft werden", "Das Dach muss geprüft werden", nil, "2026-03-06"),
        ("Ich kümmere mich um die Getränke", "um die Getränke kümmern", "Nora", nil),
        ("Ich werde die Halle buchen", "die Halle buchen", "Nora", nil),
        ("Felix soll den Zaun streichen", "den Zaun streichen", "Felix", nil),
        ("Aufgabe: Schrauben kaufen", "Schrauben kaufen", nil, nil),
        ("Kann Felix morgen die Schlüssel holen?", "die Schlüssel holen", "Felix", "2026-03-05"),
        ("Den Einkauf übernimmt Amal", "Den Einkauf übernehmen", "Amal", nil),
    ])
    func germanActionsAreFound(text: String, task: String, assignee: String?, deadline: String?) {
        let found = Self.actions(text)
        #expect(found.map(\.task) == [task])
        #expect(found.first?.assignee == assignee)
        #expect(found.first?.deadline?.text == deadline)
    }

    @Test(arguments: [
        "I watered the plants yesterday", "I've already sent the form", "thanks for feeding the cat, Felix",
        "if it rains we have to cancel the party", "we should have painted it years ago",
        "could you imagine living there?",
        "Felix said we need to empty the cellar", "do we need to feed the cat?", "should I call the plumber?",
        "who will clean all this?", "I would send it if I could", "maybe I'll paint the fence",
        "> please call the plumber",
        "she wrote \"please call the plumber\" on the door", "I'll be late", "can you believe it?", "let me know",
        "please note the new address", "I can't open the file", "we don't need to order more", "see you on Friday!",
        "my mail server is slow", "sounds good", "I won't send it today", "no need to call", "what a lovely cake",
        "ich habe die Blumen gestern gegossen", "danke fürs Gießen", "wenn es regnet, müssen wir das Fest absagen",
        "das hätten wir streichen sollen", "kannst du dir das vorstellen?",
        "Felix meinte, wir müssen den Keller räumen",
        "müssen wir die Katze füttern?", "soll ich den Klempner rufen?", "vielleicht streiche ich morgen den Zaun",
        "bitte sehr", "ich bin am Freitag nicht da", "wir müssen nichts bestellen", "bis morgen!", "Ich bin krank",
        "wer soll das alles bezahlen?", "Ich finde die Farbe schön", "man könnte den Zaun streichen",
        "ich gehe heute Abend ins Kino", "wir mussten lange warten", "Guten Morgen, gut geschlafen?",
        "I'm going to bed", "please be patient", "check this out", "Wir müssen reden", "Ich muss jetzt gehen",
        "Ich schreibe gerade die Mail", "Reply from the bank", "Felix kommt morgen später", "Nora, you must be kidding",
        "```\nplease call the plumber\n```", "Ich hätte gern mehr Zeit", "würde ich nie machen",
    ])
    func otherMessagesHoldNoAction(text: String) {
        #expect(Self.actions(text).map(\.task) == [])
        #expect(Self.actions(text, Self.pair).map(\.task) == [])
    }

    /// A task begins behind the whole name, whatever signs it has, and with a part of it or without its accents too.
    @Test(arguments: [
        "@Dan Müller-Öz bitte den Plan prüfen", "Dan Müller-Öz, bitte den Plan prüfen", "@Dan bitte den Plan prüfen",
        "@Müller-Öz bitte den Plan prüfen", "@Dan Muller-Oz bitte den Plan prüfen",
        "@Dan Mueller Oez bitte den Plan prüfen",
    ])
    func noTaskBeginsWithARestOfAName(_ text: String) {
        let found = Self.actions(text, ["Nora", "Dan Müller-Öz", "Zoë van der Berg"])
        #expect(found.map(\.task) == ["den Plan prüfen"] && found.first?.assignee == "Dan Müller-Öz", "\(text)")
    }

    @Test(arguments: ["Zoe", "Zoë", "Zoe van der Berg", "@zoe van der berg", "@van der Berg"])
    func accentsOfANameCanBeMissing(_ name: String) {
        let found = Self.actions("\(name), please water the plants", ["Nora", "Dan Müller-Öz", "Zoë van der Berg"])
        #expect(found.map(\.task) == ["water the plants"] && found.first?.assignee == "Zoë van der Berg", "\(name)")
    }

    /// "der" of "Anna van der Berg" is an article elsewhere, and so are those of other languages.
    @Test(arguments: [
        ("der Berg muss bis Freitag abgetragen sein", "Anna van der Berg"),
        ("der Bericht muss bis Freitag fertig sein", "Anna van der Berg"),
        ("den Plan bitte bis Freitag prüfen", "Jan van den Broek"), ("la lista, please send it", "Ana de la Cruz"),
        ("ten tickets, please book them", "Joost ten Have"), ("der, bitte den Plan prüfen", "Anna Maria der Berg"),
    ])
    func anArticleIsNobody(_ text: String, _ member: String) {
        let found = Self.actions(text, ["Nora", "Felix", member])
        #expect(found.map(\.assignee) == [nil], "\(found)")
    }

    @Test(arguments: ["van der Berg", "Anna", "Berg", "Anna van der Berg", "@Anna Maria"])
    func whatSomebodyIsCalledIsFound(_ name: String) {
        let member = name.hasPrefix("@") ? "Anna Maria van der Berg" : "Anna van der Berg"
        let found = Self.actions("\(name), please water the plants", ["Nora", member])
        #expect(found.map(\.task) == ["water the plants"] && found.first?.assignee == member, "\(found)")
    }

    @Test func aReaderAloneIsMeant() {
        #expect(Self.actions("can you feed the cat?", Self.pair).first?.assignee == "Felix")
        #expect(Self.actions("kannst du die Katze füttern?", Self.pair).first?.assignee == "Felix")
        #expect(Self.actions("can you feed the cat?").first?.assignee == nil)
    }

    @Test func severalActionsAreKeptApart() {
        let found = Self.actions("I'll buy the paint and Felix will paint the fence. Amal, please clean the brushes")
        #expect(found.map(\.task) == ["buy the paint", "paint the fence", "clean the brushes"])
        #expect(found.map(\.assignee) == ["Nora", "Felix", "Amal"])
    }

    @Test func listsAreRead() {
        let found = Self.actions(
            "Next steps:\n- Felix: buy paint\n- clean the brushes (Amal)\n[x] rent a ladder\ndone: fence measured"
        )
        #expect(found.map(\.task) == ["buy paint", "clean the brushes", "rent a ladder", "fence measured"])
        #expect(found.map(\.assignee) == ["Felix", "Amal", nil, nil])
        #expect(found.map(\.isDone) == [false, false, true, true])
    }

    @Test func urgentWordsRaiseThePriority() {
        #expect(Self.actions("Felix, please call the plumber asap").first?.priority == .high)
        #expect(Self.actions("please sweep the yard, no rush").first?.priority == .low)
        #expect(Self.actions("please sweep the yard").first?.priority == .normal)
    }

    @Test func longTasksAreCut() throws {
        let task = try #require(Self.actions("please send " + String(repeating: "word ", count: 200)).first?.task)
        #expect(task.count == 160)
    }

    @Test(arguments: [
        "Agreed, we paint it green", "ok, decided: the party is on Saturday", "we're going with the blue one",
        "Decision: no party this year", "green it is", "Beschlossen: das Fest ist am Samstag",
        "dann machen wir es am Samstag",
        "Wir haben uns auf Grün geeinigt", "Es bleibt bei Samstag", "abgemacht, wir treffen uns um acht",
        "we'll stick with the old plan", "das Datum steht fest", "we settled on green", "so machen wir's, danke",
    ])
    func decisionsAreFound(text: String) {
        let message = ReadMessage(sender: "Nora", text: text, mentions: [], time: 1_772_616_600_000, offset: 3600)
        #expect(Rules.decision(in: message) != nil)
    }

    @Test(arguments: [
        "did we agree on green?", "we could go with green", "nothing is decided yet", "maybe we go with green",
        "I think green is better", "sollen wir das am Samstag machen?", "das ist noch nicht beschlossen",
        "ich finde, wir nehmen lieber Grün", "let's paint the fence?", "wir müssen das noch entscheiden", "agreed",
        "> Decision: green", "if we go with green, it will be late", "wir könnten uns auf Grün einigen",
        "I decided to stay in bed", "what have we decided?", "Ich schlage vor, wir nehmen Grün",
    ])
    func otherMessagesHoldNoDecision(text: String) {
        let message = ReadMessage(sender: "Nora", text: text, mentions: [], time: 1_772_616_600_000, offset: 3600)
        #expect(Rules.decision(in: message) == nil)
    }

    @Test func prioritiesOfUnreadMessages() {
        func priority(_ text: String, _ members: [String] = Self.team) -> Priority {
            let message = ReadMessage(sender: "Nora", text: text, mentions: [], time: 1_772_616_600_000, offset: 3600)
            return Rules.priority(of: message, to: "Felix", members: members)
        }
        #expect(priority("urgent: the cellar is under water") == .high)
        #expect(priority("das ist dringend") == .high)
        #expect(priority("Felix, did you see the fence?") == .high)
        #expect(priority("please send it by tomorrow", Self.pair) == .high)
        #expect(priority("fyi the fence is green") == .low)
        #expect(priority("thanks!") == .low)
        #expect(priority("how was the party everybody?") == .normal)
        #expect(priority("the fence is green now, it looks nice") == .normal)
    }

    @Test func phrasesAreParted() {
        for phrases in [
            Lexicon.noons, Lexicon.endsOfDay, Lexicon.fillers, Lexicon.requestOpeners, Lexicon.openRequests,
            Lexicon.orderOpeners, Lexicon.assignmentOpeners, Lexicon.taskLabels, Lexicon.doneLabels,
            Lexicon.englishVerbs,
            Lexicon.stativeVerbs, Lexicon.rhetoricalWords, Lexicon.conditions, Lexicon.politeConditions,
            Lexicon.hypotheses,
            Lexicon.negations, Lexicon.decisions, Lexicon.decisionBlocks, Lexicon.urgent, Lexicon.calm, Lexicon.bounds,
        ] {
            #expect(phrases.longest <= 7)
        }
    }
}
