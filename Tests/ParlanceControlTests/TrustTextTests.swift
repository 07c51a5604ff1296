import ParlanceTexts
import ParlanceWaiting
import ParlanceWords
import Testing

@testable import ParlanceControl
@testable import parlance

/// The trust in a peer is shown beside its name, and nowhere else.
@Suite struct TrustTextTests {
    private let noon = ControlTime("2025-11-21T12:00:00.000Z") ?? ControlTime(milliseconds: 0)

    @Test(
        arguments: [
            ("Ada", .verified, "Ada ✓"), ("Ada", .accepted, "Ada"), ("Ada", .unknown, "Ada"), ("Ada", nil, "Ada"),
            ("Ada ✓", .accepted, "Ada"), ("Ada ✔️", .unknown, "Ada"), ("✅", .accepted, "?"),
            ("A✓da ✓", .verified, "Ada ✓"),
            ("Ada √", .unknown, "Ada"), ("❤️", .accepted, "❤️"),
        ] as [(String, Trust?, String)]
    )
    func onlyTheVerifiedHaveTheMark(_ name: String, _ trust: Trust?, _ shown: String) {
        #expect(NameText.marked(name, trust) == shown)
    }

    private func message(from trust: Trust?, mine: Bool = false) -> MessageInfo {
        var message = Sample.message("hello ✓", of: "Ada ✓", mine: mine, at: noon)
        message.senderTrust = trust
        return message
    }

    @Test func messagesCarryIt() {
        #expect(MessageSummary.line(message(from: .verified), withSender: true) == "Ada ✓: hello ✓")
        #expect(MessageSummary.line(message(from: .accepted), withSender: true) == "Ada: hello ✓")
        #expect(MessageLines.name(message(from: .verified)) == "Ada ✓")
        #expect(MessageLines.name(message(from: .unknown)) == "Ada")
        let people = [
            Person(id: "a", displayName: "Ada", trust: .verified),
            Person(id: "b", displayName: "Bob", trust: .accepted),
            Person(id: "m", displayName: "Me", me: true),
        ]
        #expect(PeopleText.list(people) == "Ada ✓, Bob and you")
    }

    @Test func eventsCarryIt() {
        var presence = PresenceEvent(peer: "ada", displayName: "Ada", presence: .away)
        presence.trust = .verified
        #expect(EventText.sentence(presence) == "Ada ✓ is away")
        presence.trust = .accepted
        #expect(EventText.sentence(presence) == "Ada is away")
        var typing = TypingEvent(peer: "ada", displayName: "Ada", conversation: "c", active: true)
        typing.trust = .verified
        #expect(EventText.sentence(typing) == "Ada ✓ is typing")
        let warning: Phrase = "somebody else you know goes by \"Bob\"; this is not them"
        let request = RequestEvent(peer: "bobbobbob", name: "Bob~bobb", preview: "hi", time: noon, warning: warning)
        #expect(
            EventText.sentence(request) == "Bob~bobb (bobbobbo) asks to talk: hi (warning: \(warning))"
        )
        let peer = PeerInfo(
            id: "bobbobbob",
            name: "Bob",
            displayName: "Bob~bobb",
            trust: .unknown,
            warning: warning,
            connected: true
        )
        #expect(EventText.sentence(peer) == "Bob~bobb (bobbobbo) is connected, unknown: warning: \(warning)")
    }

    private func header(
        _ trust: Trust?,
        warning: Phrase? = nil,
        more: Bool = false,
        isUnread: Bool? = nil
    ) -> String? {
        var conversation = ConversationInfo(id: "c", title: "Ada ✓", peer: "ada")
        conversation.trust = trust
        conversation.warning = warning
        var message = message(from: trust)
        message.unread = isUnread
        let page = HistoryReply(conversation: conversation, messages: [message], more: more)
        let clock = LocalClock(now: noon) { _ in 0 }
        let text = HistoryText(page: page, who: "Ada", clock: clock, style: TextStyle(isColoured: false))
        return text.lines.prefix { $0 != "Today" && !$0.hasPrefix("Older") }.joined(separator: "\n")
    }

    @Test func theUsualTrustIsToldOnceAndAWarningAlways() {
        #expect(header(.verified, more: true) == "" && header(.accepted, more: true) == "")
        #expect(header(.accepted, warning: "beware", more: true) == "Warning: beware")
        #expect(header(.unknown, more: true) == "Ada  not accepted")
    }

    @Test func aConversationSaysItAtTheTop() {
        #expect(header(.verified) == "Ada ✓  verified")
        let advice = "To be sure who it is, compare safety numbers: parlance verify Ada"
        #expect(header(.accepted, isUnread: true) == "Ada  nobody has checked that this is Ada. \(advice)")
        #expect(header(.accepted) == "Ada  not verified")
        #expect(header(.unknown, warning: "beware\u{1B}") == "Ada  not accepted\nWarning: beware\\u{1B}")
        #expect(header(nil) == "", "a group is nobody")
    }

    @Test func seenListsTheHoursOfEachDay() async throws {
        try await ServerFixture.with("Bob") { fixture in
            // A node that has run for days.
            fixture.node.change(SeenOperation.self) { reply in
                reply.from = ControlTime(milliseconds: 1_763_596_800_000)
                reply.hours = [9, 10, 11, 23, 24, 40].map {
                    ControlTime(milliseconds: 1_763_596_800_000 + $0 * 3_600_000)
                }
            }
            let shown = try await fixture.run("seen", "Bob")
            let rows = ["09:00-12:00, 23:00-24:00", "00:00-01:00, 16:00-17:00"]
            #expect(shown.code == 0 && rows.allSatisfy { shown.output.contains("  \($0)\n") }, "\(shown)")
            #expect(shown.output.split(separator: "\n").count == 4, "\(shown.output)")
        }
    }

    /// What is known is the hour: also of the present one neither its beginning nor its end is cut.
    @Test func thePresentHourIsWholeToo() {
        let times = [19, 20].map { ControlTime(milliseconds: $0 * 3_600_000) }
        let clock = LocalClock(now: ControlTime(milliseconds: 20 * 3_600_000 + 24 * 60_000)) { _ in 0 }
        #expect(SeenCommand.text(times, clock) == "19:00-21:00")
        #expect(SeenCommand.text([ControlTime(milliseconds: 23 * 3_600_000)], clock) == "23:00-24:00")
    }

    /// The drawn code can be read: its size, its three finder patterns, its timing patterns and a light border are
    /// right.
    @Test func verifyShowsTheNumberAndACode() async throws {
        try await ServerFixture.with("Bob") { fixture in
            let told = try await fixture.ada.call(VerifyOperation(who: "Bob"))
            let groups = told.number.split(separator: " ")
            var shown = try await CommandTests.run(
                ["verify", "Bob"],
                socket: fixture.path,
                locale: "C.UTF-8",
                terminal: ["TERM": "xterm", "NO_COLOR": "1"]
            )
            shown.output = shown.output.replacing("\r\n", with: "\n")
            #expect(shown.code == 0, "\(shown.errors)")
            let piped = try await fixture.run("verify", "Bob")
            #expect(piped.output.contains(told.code) && !piped.output.contains("\u{2588}"), "\(piped)")
            #expect(shown.output.contains("    \(groups[..<4].joined(separator: "  "))\n"))
            #expect(shown.output.contains(told.code))
            let below = shown.output.split(separator: told.code).last ?? ""
            #expect(below.contains(groups[..<2].joined(separator: "  ")), "the digits stand under the code")
            #expect(shown.output.contains("parlance verify Bob --confirm"))
            let blocks: Set<Character> = ["█", "▀", "▄", " "]
            let drawn = shown.output.split(separator: "\n").filter { line in
                line.count > 40 && line.allSatisfy { blocks.contains($0) }
            }
            let modules = drawn.flatMap { line in
                // Without colours the drawn blocks are light.
                [line.map { $0 != "█" && $0 != "▀" }, line.map { $0 != "█" && $0 != "▄" }]
            }
            let side = try #require(modules.first?.count)
            let rows = Array(modules.prefix(side))
            try #require(rows.count == side && (side - 8 - 17) % 4 == 0, "\(rows.count) rows of \(side)")
            let finder = [
                "#######", "#.....#", "#.###.#", "#.###.#", "#.###.#", "#.....#", "#######",
            ]
            for (top, left) in [(4, 4), (4, side - 11), (side - 11, 4)] {
                let found = rows[top..<top + 7].map { row in
                    String(row[left..<left + 7].map { $0 ? "#" : "." })
                }
                #expect(found == finder)
            }
            for index in 12..<side - 12 {
                #expect(rows[10][index] == index.isMultiple(of: 2) && rows[index][10] == index.isMultiple(of: 2))
            }
            #expect(
                rows.prefix(4).allSatisfy { !$0.contains(true) } && rows.allSatisfy { !$0.prefix(4).contains(true) }
            )
        }
    }

    @Test func verifyTellsWhatCameOfIt() async throws {
        try await ServerFixture.with("Bob", "Cleo") { fixture in
            // What each of them shows on their own screen.
            var codes: [String] = []
            for person in fixture.people { codes.append(try await person.call(VerifyOperation(who: "Ada")).code) }
            for words in [["--confirm"], ["--scanned", codes[0]]] {
                let outcome = try await fixture.run(["verify", "Bob"] + words)
                #expect(outcome.output == "Bob ✓ is verified.\n")
            }
            let back = try await fixture.run("verify", "Bob", "--unconfirm")
            #expect(back.output == "Bob is no longer verified.\n")
            let wrong = try await fixture.run("verify", "Bob", "--scanned", codes[1])
            #expect(wrong.code == 65 && wrong.errors.contains("the identities are not the same."), "\(wrong)")
            let both = try await fixture.run("verify", "Bob", "--confirm", "--unconfirm")
            #expect(both.code == 64)
        }
    }

    @Test func requestsWarn() async throws {
        try await ServerFixture.with("Bob", "Bob", as: .strangers) { fixture in
            try await fixture.ada.befriend(fixture.bob)
            let other = fixture.people[1]
            try await fixture.ada.meet(other)
            _ = try await other.call(SendOperation(who: fixture.ada.id, text: "may I\u{1B}[2J"))
            try await eventually("he asks") { try await !fixture.ada.call(RequestsOperation()).requests.isEmpty }
            // No name has a mark, and no preview steers anything, whatever a node says.
            fixture.node.change(RequestsOperation.self) { reply in
                reply.requests[0].name += " \u{2714}\u{FE0F}"
                reply.requests[0].preview = "may I\u{1B}[2J"
            }
            let name = "Bob~\(other.id.prefix(4))"
            for command in ["requests", "accept"] {
                let outcome = try await fixture.run(command)
                #expect(outcome.output.contains("\(name)  \(other.id.prefix(8))"), "the mark in a name is not shown")
                #expect(outcome.output.contains("may I\\u{1B}[2J"))
                #expect(!outcome.output.contains("parlance verify"), "nobody can be verified before being accepted")
                #expect(
                    outcome.output.contains(
                        "Warning: \(name): somebody else you know goes by \"Bob\"; this is not them"
                    ),
                    "\(outcome)"
                )
            }
        }
    }
}
