import ParlanceRandom
import ParlanceTerminal
import ParlanceWords
import Testing

@testable import ParlanceControl
@testable import parlance

@Suite struct TextTests {
    @Test func showsWhatWouldSteerATerminal() {
        #expect(VisibleText.line("a\u{1B}[2Jb") == "a\\u{1B}[2Jb")
        #expect(VisibleText.line("\u{7}\u{7F}\u{9B}31m\u{0}") == "\\u{7}\\u{7F}\\u{9B}31m\\u{0}")
        #expect(VisibleText.line("evil\u{202E}txt.exe\u{2066}") == "evil\\u{202E}txt.exe\\u{2066}")
        #expect(VisibleText.line("a\nb\tc\r\n") == "a\\nb c\\u{D}\\n")
        #expect(VisibleText.line("\u{2028}") == "\\u{2028}")
        #expect(VisibleText.line("Zoë 👩‍👩‍👧 日本 नमस्ते") == "Zoë 👩‍👩‍👧 日本 नमस्ते")
        #expect(VisibleText.lines("one\r\ntwo\u{1B}c\n") == ["one", "two\\u{1B}c", ""])
    }

    @Test func noTextReachesATerminalRaw() {
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SplitMix(seed: seed)
        for _ in 0..<2000 {
            let scalars = (0..<20).compactMap { _ in Unicode.Scalar(UInt32(truncatingIfNeeded: random.next() % 0x2100))
            }
            let shown = VisibleText.line(String(String.UnicodeScalarView(scalars)))
            let bad = shown.unicodeScalars.contains {
                $0.properties.generalCategory == .control || (0x202A...0x202E).contains($0.value)
            }
            #expect(!bad, "seed \(seed)")
        }
    }

    @Test(
        arguments: [
            ("", 0), ("abc", 3), ("Zoë", 3), ("e\u{301}", 1), ("日本", 4), ("한국", 4), ("👩‍👩‍👧", 2), ("🇳🇴", 2), ("❤️", 2),
            ("ｆｕｌｌ", 8),
        ]
    )
    func measuresColumns(_ text: String, _ width: Int) {
        #expect(DisplayWidth.of(text) == width)
    }

    @Test func cutsAndPadsByColumns() {
        #expect(DisplayWidth.pad("日本", to: 6) == "日本  ")
        #expect(DisplayWidth.pad("7", to: 3, alignRight: true) == "  7")
        #expect(DisplayWidth.cut("日本語", to: 4) == "日…")
        #expect(DisplayWidth.cut("abc", to: 3) == "abc")
        #expect(DisplayWidth.cut("abcd", to: 3) == "ab…")
    }

    /// Somebody whom this node has never met is found by the whole ID only.
    @Test func suggestedCommandsHaveShortIDs() {
        let id = Sample.bob.id
        #expect(PeerIDText.typed(id, from: ["Ada", "Bob"]) == "bobbobbobbob")
        #expect(PeerIDText.typed(id, from: ["Ada", PeerIDText.grouped(id).uppercased()]) == id)
    }

    @Test func tablesAlignAndLeaveOutEmptyColumns() {
        var table = TextTable(["NAME", "EMPTY", "NOTE"])
        table.add([TextTable.Cell("日本"), "", TextTable.Cell("x\u{1B}")])
        table.add([TextTable.Cell("Bobby"), "", ""])
        let plain = TextStyle(isColoured: false)
        #expect(table.lines(style: plain, width: nil) == ["NAME   NOTE", "日本   x\\u{1B}", "Bobby"])
        #expect(table.lines(style: plain, width: 9).allSatisfy { DisplayWidth.of($0) <= 9 })
    }

    @Test func theOverviewNamesWhatIsNews() throws {
        let json = """
            {"version":"1","peerID":"p","replica":"r","name":"Ada","processID":1,"started":"2025-11-21T11:00:00.000Z",
            "port":1,"listening":[],"discovery":{"backend":"none","state":"off"},"dataPath":"/d","protected":false,
            "presence":{"state":"online","away":{"since":"2025-11-21T11:00:00.000Z","reason":"idle"}},
            "counts":{"nearby":1,"connected":1,"accepted":1,"verified":0,"conversations":4,"unread":9,"outbox":0,
            "requests":0},"newerVersion":"2","problems":[
            {"code":"update","message":"Version 2 is there.","advice":"Install it","severity":"note"},
            {"code":"unreached","message":"Bob was not reached.","advice":"Wait","severity":"note"}]}
            """
        let status = try StatusOperation.reply(from: JSONParser.parse(Array(json.utf8))).get()
        var quiet = ConversationInfo(id: "quietquiet", title: "Quiet", unread: 3)
        quiet.muted = true
        var called = ConversationInfo(id: "calledcalled", title: "Called", unread: 2, mentions: 1)
        called.muted = true
        let conversations = [
            quiet, called, ConversationInfo(id: "crewcrewcrew", kind: .group, title: "Crew", unread: 1),
            ConversationInfo(id: "otherotherother", kind: .group, title: "crew"),
        ]
        let clock = LocalClock(now: ControlTime(milliseconds: 0)) { _ in 0 }
        let style = TextStyle(isColoured: false)
        let lines = OverviewText(status: status, conversations: conversations, clock: clock, style: style).lines
        #expect(lines[0].hasPrefix("Ada  online, seen as away: no input since"), "\(lines[0])")
        // Of the notes only a newer version is shown here; the others are counted.
        #expect(status.newerVersion == "2" && lines.contains { $0.contains("Version 2 is there.") }, "\(lines)")
        #expect(!lines.contains { $0.contains("Bob was not reached") }, "\(lines)")
        let news = lines.filter { $0.contains("parlance history") }
        #expect(news.map { $0.split(separator: " ")[2] } == ["Called", "crewcrew"], "\(news)")
    }

    /// A daemon of an older version does not say how many recipients are connected.
    @Test func aReplyOfAnOlderDaemonIsRead() throws {
        let text = #"{"id":"m1","conversation":"c","sequence":1,"time":"2025-11-17T12:00:00.000Z","status":"sending"}"#
        let reply = try SendOperation.reply(from: JSONParser.parse(Array(text.utf8))).get()
        #expect(reply.connected == nil && reply.status == .sending)
    }

    @Test func aLongNameLeavesRoomForTheOtherColumns() {
        let name = "Robert of the Engine Room"
        var table = TextTable(["NAME", "ID", "TRUST", "PRESENCE", "NOTE"], wrapsLast: true)
        table.add([TextTable.Cell(name), "yrt77axj", "verified", "online", "nobody answered in time at 10.0.0.7:4747"])
        let plain = TextStyle(isColoured: false)
        #expect(
            table.lines(style: plain, width: 46) == [
                "NAME              ID        TRUST     PRESENCE", "Robert of the E…  yrt77axj  verified  online",
                "    nobody answered in time at 10.0.0.7:4747",
            ]
        )
        var list = TextTable(["NAME", "LAST", "MESSAGE"])
        list.add([TextTable.Cell(name), "18:12", "You: waits now"])
        #expect(list.lines(style: plain, width: 40).last?.contains("  18:12  You: waits …") == true)
    }

    @Test func theLastColumnWrapsUnderItsRow() {
        var table = TextTable(["NAME", "LINK", "NOTE"], wrapsLast: true)
        table.add(["Bob", "-", "Bob was not reached at 10.0.0.7:4747: nobody answered in time"])
        table.add(["Cleo", "connected", ""])
        let plain = TextStyle(isColoured: false)
        #expect(
            table.lines(style: plain, width: 60) == [
                "NAME  LINK       NOTE", "Bob   -          Bob was not reached at 10.0.0.7:4747:",
                "                 nobody answered in time", "Cleo  connected",
            ]
        )
        #expect(
            table.lines(style: plain, width: 40) == [
                "NAME  LINK", "Bob   -", "    Bob was not reached at", "    10.0.0.7:4747: nobody answered in",
                "    time",
                "Cleo  connected",
            ]
        )
        #expect(table.lines(style: plain, width: 100) == table.lines(style: plain, width: nil))
    }

    @Test func wordsAreWrappedAndLongOnesBroken() {
        #expect(WordWrap.lines("one two three", width: 8) == ["one two", "three"])
        #expect(WordWrap.lines("abcdefghij k", width: 4) == ["abcd", "efgh", "ij k"])
        #expect(WordWrap.lines("日本 日本", width: 5) == ["日本", "日本"])
        #expect(WordWrap.lines("", width: 5) == [""])
    }

    @Test func onlyOneNearWordIsSuggested() {
        let words = ["send", "status", "read", "react", "peers"]
        #expect(NearestWord.of("sned", among: words) == "send")
        #expect(NearestWord.of("STATSU", among: words) == "status")
        #expect(NearestWord.of("reat", among: words) == nil, "read and react are equally near")
        #expect(NearestWord.of("xyz", among: words) == nil)
        #expect(NearestWord.of("", among: words) == nil)
        #expect(NearestWord.of(String(repeating: "send", count: 1000), among: words) == nil)
    }

    @Test func aNameIsFoundByItsBeginning() {
        let names = ["Robert of the Engine Room", "Bob", "Cleo Harbour", "Cleo Bridge"]
        #expect(NearestWord.ofNames("robert", among: names) == "Robert of the Engine Room")
        #expect(NearestWord.ofNames("Bbo", among: names) == "Bob")
        #expect(NearestWord.ofNames("Cleo", among: names) == nil, "two begin so")
        #expect(NearestWord.ofNames("", among: ["Bob"]) == nil)
    }

    @Test(
        arguments: [
            ("prot", "port"), ("PORT", "port"), ("listne", "listen"), ("peer", "peers"), ("log_level", "log-level"),
            ("loglevel", "log-level"), ("mdms", "mdns"), ("colour", nil),
        ] as [(String, String?)]
    )
    func aMisspeltSettingIsFound(_ typed: String, _ meant: String?) {
        let settings = ["name", "port", "listen", "peers", "mdns", "mdns-interfaces", "hidden", "log-level"]
        #expect(NearestWord.of(typed, among: settings) == meant)
        #expect(NearestWord.question(typed, among: settings)?.english == meant.map { "Did you mean \($0)?" })
    }

    @Test func statusesNameThePerson() {
        let status = StatusEvent(
            conversation: "k2vdk2vdk2vdk2vd",
            title: "Bob",
            status: .delivered,
            through: "3f9a3f9a3f9a3f9a",
            sequence: 12
        )
        #expect(EventText.sentence(status) == "your messages to Bob are delivered")
        let failed = FailedEvent(
            conversation: "k2vdk2vdk2vdk2vd",
            title: "Bob",
            sequence: 12,
            recipient: "b7xq",
            why: "Bob does not take your messages"
        )
        #expect(EventText.sentence(failed) == "your messages to Bob failed: Bob does not take your messages")
    }

    @Test func numbersOfThingsAgree() {
        #expect(EventText.sentence(LaggedEvent(dropped: 1)).hasPrefix("1 event was lost, "))
        #expect(EventText.sentence(LaggedEvent(dropped: 2)).hasPrefix("2 events were lost, "))
    }

    @Test func whoJoinsAGroupAndWhenIsTold() {
        func member(_ name: String, connected: Bool, asked: Bool? = nil) -> MemberInfo {
            var member = MemberInfo(
                id: name,
                displayName: name,
                admin: false,
                connected: connected,
                presence: .offline,
                lacks: 1
            )
            member.asked = asked
            return member
        }
        let members = [
            member("Bob", connected: true), member("Cleo", connected: false),
            member("Dan", connected: true, asked: true), member("Eve", connected: false, asked: true),
        ]
        #expect(
            JoinText.lines(members) == [
                "Bob joins at once.", "Cleo joins when connected.",
                "Dan and Eve are asked first, and join after accepting you or another member.",
            ]
        )
        let one = "Dan is asked first, and joins after accepting you or another member."
        #expect(JoinText.lines([members[2]]) == [one])
        #expect(JoinText.lines([]).isEmpty)
        var excluded = members[1]
        excluded.leftOut = true
        #expect(
            JoinText.lines([members[0], excluded]) == [
                "Bob joins at once.", "Cleo is excluded from the workspace, and can neither connect nor join.",
            ]
        )
    }

    @Test func coloursOnlyATerminalThatWantsThem() {
        #expect(TextStyle(isTerminal: true, environment: ["TERM": "xterm"]).isColoured)
        #expect(!TextStyle(isTerminal: false, environment: ["TERM": "xterm"]).isColoured)
        #expect(!TextStyle(isTerminal: true, environment: ["TERM": "dumb"]).isColoured)
        #expect(!TextStyle(isTerminal: true, environment: ["NO_COLOR": "1"]).isColoured)
        #expect(TextStyle(isTerminal: true, environment: ["NO_COLOR": ""]).isColoured)
        #expect(TextStyle(isColoured: true)(.bad, "x") == "\u{1B}[31mx\u{1B}[0m")
    }
}

@Suite struct TimeTests {
    /// 2025-11-21 is a Friday.
    private let noon = ControlTime("2025-11-21T12:00:00.000Z") ?? ControlTime(milliseconds: 0)

    @Test(
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
            (951_782_400_123, "2000-02-29T00:00:00.123Z"),
            (4_107_542_400_000, "2100-03-01T00:00:00.000Z"), (Int64.max, "9999-12-31T23:59:59.999Z"),
            (Int64.min, "0000-01-01T00:00:00.000Z"),
        ] as [(Int64, String)]
    )
    func writesAndReadsISO8601(_ milliseconds: Int64, _ text: String) {
        let time = ControlTime(milliseconds: milliseconds)
        #expect(time.description == text)
        #expect(ControlTime(text) == time)
    }

    @Test(
        arguments: [
            "", "2025-11-21", "2025-11-21T12:00:00Z", "2025-02-29T12:00:00.000Z", "2025-13-01T12:00:00.000Z",
            "2025-11-21T24:00:00.000Z", "2025-11-21T12:00:00.000z", "2025-11-21T12:00:00.00éZ",
            "-025-11-21T12:00:00.000Z",
        ]
    )
    func refusesOtherTimes(_ text: String) {
        #expect(ControlTime(text) == nil)
    }

    @Test func daysAreThoseOfTheUsersZone() {
        let clock = LocalClock(now: noon) { _ in 2 * 3600 }
        func at(_ text: String) -> ControlTime { ControlTime(text) ?? noon }
        #expect(clock.dayName(at("2025-11-20T22:30:00.000Z")) == "Today")
        #expect(clock.dayName(at("2025-11-20T21:30:00.000Z")) == "Yesterday")
        #expect(clock.dayName(at("2025-11-17T12:00:00.000Z")) == "Monday, 17 November 2025")
        #expect(clock.dayName(at("1969-12-31T12:00:00.000Z")) == "Wednesday, 31 December 1969")
        #expect(clock.hourAndMinute(noon) == "14:00")
        #expect(clock.short(at("2025-11-20T08:05:00.000Z")) == "yesterday 10:05")
        #expect(clock.exact(at("2025-11-20T08:05:09.000Z")) == "yesterday 10:05:09")
        #expect(clock.exact(noon) == "14:00:00")
        #expect(clock.short(at("2025-01-02T08:05:00.000Z")) == "2025-01-02 10:05")
        #expect(clock.relative(ControlTime(milliseconds: noon.milliseconds - 200_000)) == "3 min ago")
        #expect(clock.relative(ControlTime(milliseconds: noon.milliseconds + 12_000)) == "in 12 s")
        #expect(DurationText.words(93_600) == "1 d 2 h")
    }

    @Test func historyHasDaysAndStatuses() {
        func message(_ text: String, _ time: String, mine: Bool) -> MessageInfo {
            MessageInfo(
                id: "m1",
                conversation: "c",
                sender: "s",
                senderName: "Bob\u{1B}",
                mine: mine,
                text: text,
                time: ControlTime(time) ?? noon,
                status: mine ? .staged : nil,
                waitingReason: mine ? "Bob is not here" : nil
            )
        }
        let page = HistoryReply(
            conversation: ConversationInfo(id: "c", title: "Bob"),
            messages: [
                message("old\nlines", "2025-11-20T08:00:00.000Z", mine: false),
                message("new", "2025-11-21T09:00:00.000Z", mine: true),
            ],
            more: true
        )
        let clock = LocalClock(now: noon) { _ in 0 }
        let text = HistoryText(page: page, who: "Bob O'Neil", clock: clock, style: TextStyle(isColoured: false))
        #expect(
            text.lines == [
                "Older messages: parlance history 'Bob O'\\''Neil' --before m1", "Yesterday",
                "08:00  Bob\\u{1B}  old", "                  lines", "Today",
                "09:00  You        new  [waits: Bob is not here]",
            ]
        )
        let withIDs = HistoryText(
            page: page,
            who: "Bob",
            withIDs: true,
            clock: clock,
            style: TextStyle(isColoured: false)
        )
        #expect(
            withIDs.lines == [
                "Older messages: parlance history Bob --ids --before m1", "Yesterday",
                "08:00  m1            Bob\\u{1B}  old", "                                lines", "Today",
                "09:00  m1            You        new  [waits: Bob is not here]",
            ]
        )
        let empty = HistoryReply(conversation: page.conversation, messages: [], more: false)
        let lines = HistoryText(page: empty, who: "Bob", clock: clock, style: TextStyle(isColoured: false)).lines
        #expect(lines == ["No messages with Bob yet. Write the first: parlance send Bob Hello"])
    }

    @Test func nothingIsBeforeTheFirstMessage() throws {
        let clock = LocalClock(now: ControlTime(milliseconds: 0)) { _ in 0 }
        for kind in [ConversationKind.direct, .group] {
            let info = ConversationInfo(id: "c", kind: kind, title: "Bob")
            let page = HistoryReply(conversation: info, messages: [], more: false)
            let style = TextStyle(isColoured: false)
            let text = HistoryText(page: page, who: "Bob", isBefore: true, clock: clock, style: style)
            #expect(text.lines == ["There is nothing before that message."])
        }
    }
}
