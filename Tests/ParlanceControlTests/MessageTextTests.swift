import ParlanceTexts
import ParlanceWords
import Testing

@testable import ParlanceControl
@testable import parlance

/// The texts in which people see messages and groups.
@Suite struct MessageTextTests {
    private static let ada = Person(id: "ada", displayName: "Ada")
    private static let bob = Person(id: "bob", displayName: "Bob")
    private static let me = Person(id: "me", displayName: "Me", me: true)
    private let noon = ControlTime("2025-11-21T12:00:00.000Z") ?? ControlTime(milliseconds: 0)

    private func message(_ text: String, mine: Bool = false, _ change: (inout MessageInfo) -> Void = { _ in })
        -> MessageInfo
    {
        var message = Sample.message(text, of: mine ? "Me" : "Ada", mine: mine, at: noon)
        change(&message)
        return message
    }

    private func lines(_ message: MessageInfo, withBlocked: Bool = false) -> [String] {
        let clock = LocalClock(now: noon) { _ in 0 }
        let style = TextStyle(isColoured: false)
        return MessageLines(nameWidth: 3, withBlocked: withBlocked, clock: clock, style: style).lines(message)
    }

    @Test func aMessageShowsWhatHasComeToIt() {
        let rich = message("yes,\nat one") {
            $0.answers = QuoteInfo(id: "m0", sender: Self.me, text: "lunch\u{1B} at one?")
            $0.versions = 2
            $0.mentionsMe = true
            $0.reactions = [
                ReactionInfo(emoji: "👍", count: 2, people: [Self.bob, Self.me]),
                ReactionInfo(emoji: "🎉", count: 1, people: [Self.ada]),
            ]
        }
        #expect(
            lines(rich) == [
                "12:00  Ada  > You: lunch\\u{1B} at one?", "            yes,",
                "            at one (edited) (mentions you)",
                "            👍 Bob and you  🎉 Ada",
            ]
        )
        let clock = LocalClock(now: noon) { _ in 0 }
        let several = MessageLines(nameWidth: 3, withGroup: true, clock: clock, style: TextStyle(isColoured: false))
        #expect(
            several.lines(message("one\ntwo") { $0.group = "Crew" }) == [
                "12:00  [Crew]  Ada  one", "                    two",
            ]
        )
        #expect(several.lines(message("one")) == ["12:00  Ada  one"])
        let folded = message("one") {
            $0.group = "Night watch"
            $0.blocked = true
        }
        #expect(
            several.lines(folded) == [
                "12:00  [Night watch]  (a message of Ada, whom you have blocked; "
                    + "parlance history 'Night watch' --blocked shows it)"
            ]
        )
        #expect(lines(message("one") { $0.waits = true }) == ["12:00  Ada  one (waits for an earlier message)"])
        let deleted = message("") {
            $0.deleted = DeletionInfo(by: Self.bob, time: $0.time)
            $0.versions = 2
        }
        #expect(lines(deleted) == ["12:00  Ada  (deleted by Bob)"])
    }

    @Test func whatSomebodyBlockedWroteIsFoldedAway() {
        let blocked = message("boo") { $0.blocked = true }
        #expect(lines(blocked) == ["12:00  (a message of Ada, whom you have blocked; --blocked shows it)"])
        #expect(lines(blocked, withBlocked: true) == ["12:00  Ada  boo"])
        let answer = message("what?", mine: true) {
            $0.answers = QuoteInfo(id: "m0", sender: Self.ada, text: "boo", blocked: true)
        }
        #expect(lines(answer) == ["12:00  You  > (a message of Ada)", "            what?"])
        #expect(MessageSummary.line(blocked, withSender: true) == "(a message of Ada, whom you have blocked)")
    }

    @Test(
        arguments: [
            (0, 0, [], "waits: Bob is offline"), (3, 0, [], "delivered 3/7"),
            (3, 1, [bob], "delivered 3/7, read by Bob"),
            (7, 2, [ada, bob], "delivered 7/7, read by Ada and Bob"),
            (7, 7, [ada, bob], "delivered 7/7, read by Ada, Bob and 5 more"),
        ] as [(Int, Int, [Person], String)]
    )
    func aGroupShowsHowManyHaveIt(_ delivered: Int, _ read: Int, _ readBy: [Person], _ words: String) {
        let own = message("x", mine: true) {
            $0.status = delivered == 0 ? .staged : .sent
            $0.waitingReason = "Bob is offline"
            $0.reach = ReachInfo(recipients: 7, delivered: delivered, read: read, readBy: readBy)
        }
        #expect(StatusText.words(own)?.english == words)
    }

    /// Not how many have it: that would hide that somebody never gets it.
    @Test func aGroupShowsWhyAMessageHasFailed() {
        let own = message("x", mine: true) {
            ($0.status, $0.waitingReason) = (.failed, "Bob is blocked")
            $0.reach = ReachInfo(recipients: 7, delivered: 3, read: 0, readBy: [])
        }
        #expect(StatusText.words(own)?.english == "failed: Bob is blocked")
    }

    @Test func aMessageForNobodyHasNoStatus() {
        #expect(lines(message("alone", mine: true)) == ["12:00  You  alone"])
    }

    @Test(
        arguments: [
            (NoteInfo(.created, people: [ada, bob], text: "Crew"), "Ada created the group \"Crew\" with Bob"),
            (NoteInfo(.created, text: "Diary"), "Ada created the group \"Diary\""),
            (NoteInfo(.added, people: [bob, me]), "Ada added Bob and you"),
            (NoteInfo(.removed, people: [me]), "Ada removed you"), (NoteInfo(.left), "Ada left"),
            (NoteInfo(.appointed, people: [bob]), "Ada made Bob an admin"),
            (NoteInfo(.appointed, people: [bob, me]), "Ada made Bob and you admins"),
            (NoteInfo(.dismissed, people: [bob]), "Ada removed Bob as admin"),
            (NoteInfo(.renamed, text: "Watch"), "Ada renamed the group to \"Watch\""),
            (NoteInfo(.topic, text: "the dock"), "Ada set the topic: the dock"),
            (NoteInfo(.topic, text: ""), "Ada removed the topic"),
            (NoteInfo(.lifetime, seconds: 604_800), "Ada wants messages to disappear after 7 days"),
            (NoteInfo(.lifetime, seconds: 0), "Ada turned disappearing messages off"),
            (
                NoteInfo(.forked),
                "Ada's messages go on in two branches here: a restored backup or a copied folder (parlance doctor)"
            ),
        ]
    )
    func aChangeOfTheGroupIsALineOfItsOwn(_ note: NoteInfo, _ sentence: String) {
        let line = message("") { $0.note = note }
        #expect(NoteText.phrase(note, of: line).english == sentence)
        #expect(lines(line) == ["12:00  * \(sentence)"], "a daemon that gives no sentence is older")
    }

    @Test func aChangeIsToldInTheWordsOfTheDaemon() {
        let note = NoteInfo(.left, sentence: Phrase(verbatim: "Ada has left\u{1B}."))
        let line = message("") { $0.note = note }
        #expect(lines(line) == ["12:00  * Ada has left\\u{1B}."])
        #expect(MessageSummary.line(line, withSender: true) == "* Ada has left\u{1B}.")
    }

    /// A list names the first people only; the number of the others is that of all.
    @Test(arguments: [6, 26, 39, 200]) func allPeopleOfANoteAreCounted(_ count: Int) {
        let named = Array(repeating: Self.bob, count: min(count, ControlLimits.peopleListed))
        let more = "Bob, Bob, Bob, Bob, Bob and \(count - 5) more"
        let added = message("") { $0.note = NoteInfo(.added, people: named, count: count) }
        #expect(NoteText.sentence(added) == "Ada added \(more)")
        // The members of a group are its author and these.
        let members = Array(([Self.ada] + named).prefix(ControlLimits.peopleListed))
        let created = message("") { $0.note = NoteInfo(.created, people: members, count: count + 1, text: "Crew") }
        #expect(NoteText.sentence(created) == "Ada created the group \"Crew\" with \(more)")
    }

    @Test func oneselfIsYou() {
        let note = message("", mine: true) { $0.note = NoteInfo(.renamed, text: "Watch") }
        #expect(NoteText.sentence(note) == "You renamed the group to \"Watch\"")
        #expect(MessageSummary.line(message("hi", mine: true), withSender: false) == "You: hi")
    }

    @Test(
        arguments: [
            ([], nil, "nobody"), (["A"], nil, "A"), (["A", "B"], nil, "A and B"), (["A", "B", "C"], nil, "A, B and C"),
            (["A", "B", "C", "D", "E", "F", "G"], nil, "A, B, C, D, E and 2 more"), (["A"], 4, "A and 3 more"),
        ] as [([String], Int?, String)]
    )
    func listsPeople(_ names: [String], _ count: Int?, _ list: String) {
        #expect(PeopleText.list(names, count: count).english == list)
    }

    @Test func aMessagesLifeFitsTheTerminal() {
        let long = Person(id: "longlong", displayName: String(repeating: "L", count: 64), trust: .verified)
        let receipt = MessageLife.Receipt(person: long, delivered: true, read: false, deliveredAt: noon)
        let version = MessageLife.Version(time: noon, text: "hi")
        let own = message("hi", mine: true) { $0.status = .delivered }
        let life = MessageLife(message: own, title: "Crew", recipients: [receipt], versions: [version])
        let clock = LocalClock(now: noon) { _ in 0 }
        let lines = LifeText(life: life, clock: clock, style: TextStyle(isColoured: false), width: 60).lines
        let rows = lines.filter { $0.contains("LLL") }
        #expect(rows.count == 1 && rows.allSatisfy { $0.count <= 60 && $0.contains("…") }, "\(lines)")
        #expect(rows.allSatisfy { $0.contains("delivered") }, "\(lines)")
    }

    @Test func aMessagesLifeTellsThroughWhom() {
        var receipt = MessageLife.Receipt(person: Self.bob, delivered: true, read: false, deliveredAt: noon)
        receipt.via = Self.ada
        let own = message("hi", mine: true) { $0.status = .delivered }
        let version = MessageLife.Version(time: noon, text: "hi")
        let clock = LocalClock(now: noon) { _ in 0 }
        func lines(_ life: MessageLife) -> String {
            LifeText(life: life, clock: clock, style: TextStyle(isColoured: false)).lines.joined(separator: "\n")
        }
        let sent = MessageLife(message: own, title: "Crew", recipients: [receipt], versions: [version])
        #expect(lines(sent).contains("delivered (told by Ada)"))
        var onItsWay = MessageLife.Receipt(person: Self.bob, delivered: false, read: false, why: "on its way to Bob")
        onItsWay.sending = true
        let mine = message("hi", mine: true) { $0.status = .sent }
        let leaving = lines(MessageLife(message: mine, title: "Crew", recipients: [onItsWay], versions: [version]))
        #expect(leaving.contains("Bob  sending  on its way to Bob") && !leaving.contains("waits"), "\(leaving)")
        var held = MessageLife.Receipt(person: Self.bob, delivered: false, read: false)
        held.couriers = [Self.ada]
        let carried = lines(MessageLife(message: mine, title: "Bob", recipients: [held], versions: [version]))
        #expect(carried.contains("Bob  a courier has it") && !carried.contains("waits"), "\(carried)")
        // The only one who lacks it stands as the message does.
        let waiting = MessageLife.Receipt(person: Self.bob, delivered: false, read: false)
        let leaves = message("hi", mine: true) { $0.status = .sending }
        let alone = lines(MessageLife(message: leaves, title: "Bob", recipients: [waiting], versions: [version]))
        #expect(alone.contains("Bob  sending") && !alone.contains("waits"), "\(alone)")
        let two = lines(MessageLife(message: leaves, title: "Crew", recipients: [waiting, held], versions: [version]))
        #expect(two.contains("Bob  waits") && two.contains("Bob  a courier has it"), "\(two)")
        var came = MessageLife(message: message("hi"), title: "Crew", recipients: [], versions: [version])
        #expect(!lines(came).contains("through"))
        came.via = Self.bob
        #expect(lines(came).contains("through    Bob"))
    }

    @Test func eventsOfGroupsSaySo() {
        let changed = message("at one") {
            $0.versions = 2
            $0.group = "Crew"
        }
        #expect(EventText.sentence(ChangedEvent(changed)) == "[Crew] changed (m1): Ada: at one (edited)")
        let reached = ReachedEvent(conversation: "c", title: "Crew", member: Self.bob, status: .read, sequence: 3)
        #expect(EventText.sentence(reached) == "Bob has read your messages to Crew")
        #expect(EventText.sentence(Sample.crew) == "the group \"Crew\" (with you and Bob)")
        var left = Sample.crew
        left.isMember = false
        #expect(EventText.sentence(left) == "you are not a member of the group \"Crew\" any more")
        left.ended = DepartureInfo(by: Self.ada, time: noon)
        #expect(EventText.sentence(left).hasSuffix("any more: Ada removed you"))
        let typing = TypingEvent(peer: "bob", displayName: "Bob", conversation: "c", group: "Crew", active: true)
        #expect(EventText.sentence(typing) == "Bob is typing in Crew")
        // They need not be old: the user may have cleared the conversation.
        let removed = RemovedEvent(conversation: "c", title: "Crew", ids: ["m", "n"])
        #expect(EventText.sentence(removed) == "2 messages were removed from Crew")
        let plain = PreferenceInfo(conversation: "c", title: "Crew", pinned: false, muted: false)
        #expect(EventText.sentence(plain) == "Crew is not pinned, muted or hidden now, and keeps its messages")
    }

    @Test func everyKindOfEventComesBackAsItWas() throws {
        let rich = message("x") {
            $0.note = NoteInfo(.added, people: [Self.bob], sentence: "Ada added Bob")
            $0.reactions = [ReactionInfo(emoji: "👍", count: 1, people: [Self.me])]
            $0.reach = ReachInfo(recipients: 1, delivered: 0, read: 0, readBy: [])
            $0.mentions = [Self.me]
            $0.blocked = true
        }
        let events: [any ControlEvent] = [
            MessageEvent(rich), NoteEvent(rich), ChangedEvent(rich), WithdrawnEvent(id: "m"), Sample.crew,
            ReachedEvent(conversation: "c", title: "t", member: Self.bob, status: .delivered, sequence: 1),
            RemovedEvent(conversation: "c", title: "t", ids: ["m", "n"]),
        ]
        for event in events { #expect(try comesBack(event), "\(event.kind.rawValue)") }
        #expect(try ControlEvents.read("weather", .null) == nil)
    }

    private func comesBack<Event: ControlEvent>(_ event: Event) throws -> Bool {
        try ControlEvents.read(event.kind.rawValue, JSONValueEncoder.encode(event)) as? Event == event
    }

    @Test func everyKindOfEventIsShown() {
        #expect(Set(ControlEventKind.allCases).count == ControlEvents.all.count)
        for type in ControlEvents.all { #expect(type is any ShownEvent.Type, "\(type.kind.rawValue)") }
    }
}
