import Foundation
import ParlanceWords
import Testing

@testable import ParlanceControl
@testable import parlance

/// What an export says of conversations in each format, whatever people wrote.
@Suite struct ExportTests {
    private static let clock = LocalClock(now: ControlTime(milliseconds: 0)) { _ in 0 }.dated
    private static let start: Int64 = 1_763_689_260_000
    private static let hostile = [
        "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "' onmouseover='x", "</style><b>", "&lt;b&gt;",
        "]]><!--", "\u{202E}txt.exe", "\u{1B}[2J\u{07}", "javascript:x", "a\u{2028}b", "\u{0}nul",
    ]

    private static func message(_ number: Int, _ text: String, mine: Bool = false, minutes: Int64 = 0) -> MessageInfo {
        MessageInfo(
            id: "m\(number)",
            conversation: "c",
            sender: mine ? "ada" : "bob",
            senderName: mine ? "Ada" : "Bob",
            mine: mine,
            text: text,
            time: ControlTime(milliseconds: start + minutes * 60_000)
        )
    }

    private static func export(
        _ format: ExportFormat,
        _ messages: [MessageInfo],
        of conversation: ConversationInfo = ConversationInfo(id: "c", title: "Bob", peer: "bob"),
        name: String = "Ada",
        withBlocked: Bool = false
    ) -> [String] {
        var renderer: any ExportRenderer =
            switch format {
            case .text: ExportText(withBlocked: withBlocked, clock: clock)
            case .html: ExportHTML(withBlocked: withBlocked, clock: clock)
            case .json: ExportJSON()
            }
        var lines = renderer.begin(ExportHeader(made: ControlTime(milliseconds: start), id: "ada", name: name))
        lines += renderer.begin(conversation)
        for message in messages { lines += renderer.message(message) }
        lines += renderer.endConversation()
        return lines + renderer.end(ExportCount(conversations: 1, messages: messages.count))
    }

    /// Everything in an export that people can write, each piece hostile.
    private static func hostileMessages(_ text: String) -> [MessageInfo] {
        let eve = Person(id: "eve", displayName: text)
        var message = message(1, text)
        message.senderName = text
        message.answers = QuoteInfo(id: "m0", sender: eve, text: text)
        message.reactions = [ReactionInfo(emoji: text, count: 1, people: [eve])]
        message.versions = 2
        var deleted = Self.message(2, "")
        deleted.deleted = DeletionInfo(by: eve, time: deleted.time)
        var note = Self.message(3, "")
        note.note = NoteInfo(.renamed, people: [eve], text: text, sentence: Phrase(verbatim: text))
        var own = Self.message(4, text, mine: true)
        own.reach = ReachInfo(recipients: 2, delivered: 1, read: 1, readBy: [eve])
        own.status = .sent
        return [message, deleted, note, own]
    }

    private static func hostileConversation(_ text: String) -> ConversationInfo {
        ConversationInfo(id: "c", kind: .group, title: text, members: 2, topic: text)
    }

    @Test(arguments: hostile) func nothingThatPeopleWroteIsMarkup(_ text: String) throws {
        let lines = Self.export(
            .html,
            Self.hostileMessages(text),
            of: Self.hostileConversation(text),
            name: text
        )
        let plain = Self.export(.html, Self.hostileMessages("x"), of: Self.hostileConversation("x"), name: "x")
        let tag = /<(\/?[a-zA-Z!][^<>]*)>/
        let page = lines.joined(separator: "\n")
        // The tags and their attributes are those of harmless texts: what people wrote adds and changes none.
        func tags(_ page: String) -> [String] { page.matches(of: tag).map { String($0.1) } }
        #expect(tags(page) == tags(plain.joined(separator: "\n")))
        let body = try #require(page.split(separator: "<body>").last).replacing(tag, with: "")
        #expect(!body.contains("<") && !body.contains(">"), "\(body)")
        #expect(!page.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" || $0.value == 0x202E })
    }

    @Test func theTextOfPeopleIsInThePage() {
        let page = Self.export(.html, [Self.message(1, "a < b & \"c\"\nd\n\n e")]).joined(separator: "\n")
        #expect(page.contains("<p dir=\"auto\">a &lt; b &amp; &quot;c&quot;\nd\n\n e</p>"))
        #expect(page.contains("<html lang=\"en\">") && page.contains("default-src 'none'"))
        #expect(!page.contains("http://") && !page.contains("https://") && !page.contains("url("))
    }

    @Test(arguments: hostile) func noTextControlsATerminalOrLooksLikeTheNextMessage(_ text: String) {
        let forged = "\(text)\n10:15  Ada: I agree"
        let messages = Self.hostileMessages(forged)
        let lines = Self.export(.text, messages, of: Self.hostileConversation(forged), name: forged)
        for line in lines {
            #expect(!line.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F || $0.value == 0x202E })
            #expect(!line.hasPrefix("10:15"), "\(line)")
        }
        #expect(lines.filter { $0.hasPrefix("01:41") }.count == 4)
    }

    /// Who reads an export is elsewhere, or years later: 25 October 2026 has the hour from 2 to 3 twice in Berlin.
    @Test func timesSayHowFarTheyAreFromUTC() throws {
        let turn = try #require(ControlTime("2026-10-25T01:00:00.000Z"))
        let berlin = LocalClock(now: ControlTime(milliseconds: .max)) { $0 < turn ? 7_200 : 3_600 }
        var (before, after) = (Self.message(1, "one"), Self.message(2, "two"))
        before.time = ControlTime(milliseconds: turn.milliseconds - 1_800_000)
        after.time = ControlTime(milliseconds: turn.milliseconds + 1_800_000)
        var text = ExportText(withBlocked: false, clock: berlin)
        let heading = text.begin(ExportHeader(made: before.time, id: "ada", name: "Ada")).joined()
        #expect(heading.contains("exported on 2026-10-25 02:30 +02:00 from"), "\(heading)")
        #expect(
            text.message(before) + text.message(after) == [
                "", "Sunday, 25 October 2026 (UTC+02:00)", "02:30  Bob: one",
                "", "Sunday, 25 October 2026 (UTC+01:00)", "02:30  Bob: two",
            ]
        )
        var page = ExportHTML(withBlocked: false, clock: berlin)
        let lines = (page.message(before) + page.message(after)).joined(separator: "\n")
        #expect(lines.contains("<time datetime=\"2026-10-25T02:30:00.000+02:00\">02:30</time>"), "\(lines)")
        #expect(lines.contains("<time datetime=\"2026-10-25T02:30:00.000+01:00\">02:30</time>"), "\(lines)")
        let west = LocalClock(now: turn) { _ in -12_600 }
        #expect(west.offsetText(turn) == "-03:30" && west.stamp(turn) == "2026-10-24T21:30:00.000-03:30")
    }

    @Test func daysHaveDatesAndOneAuthorOneHead() {
        let messages = [
            Self.message(1, "one"), Self.message(2, "two", minutes: 3), Self.message(3, "three", minutes: 9),
            Self.message(4, "four", mine: true, minutes: 10), Self.message(5, "five", minutes: 10 + 24 * 60),
        ]
        let page = Self.export(.html, messages)
        #expect(page.filter { $0.hasPrefix("<h3") }.count == 2)
        #expect(page.contains("<h3 class=\"day\">Friday, 21 November 2025 (UTC+00:00)</h3>"))
        #expect(page.filter { $0.hasPrefix("<p class=\"head\">") }.count == 4)
        let text = Self.export(.text, messages)
        #expect(text.contains("Friday, 21 November 2025 (UTC+00:00)") && text.contains("01:41  Bob: one"), "\(text)")
        #expect(text.contains("01:51  You: four"))
    }

    @Test func whatChangedIsToldAsInTheHistory() {
        var edited = Self.message(1, "now")
        edited.versions = 2
        var deleted = Self.message(2, "", minutes: 20)
        deleted.deleted = DeletionInfo(by: Person(id: "bob", displayName: "Bob"), time: deleted.time)
        var blocked = Self.message(3, "an insult", minutes: 40)
        blocked.blocked = true
        for format in [ExportFormat.text, .html] {
            let all = Self.export(format, [edited, deleted, blocked]).joined(separator: "\n")
            #expect(all.contains("edited") && all.contains("(deleted by Bob)"), "\(format)")
            #expect(all.contains("whom you have blocked") && !all.contains("an insult"), "\(format)")
            let shown = Self.export(format, [blocked], withBlocked: true).joined(separator: "\n")
            #expect(shown.contains("an insult"), "\(format)")
        }
    }

    /// Of a message without a text, too, what was sent is in the export: the names and sizes, not the bytes.
    @Test func aMessageOfFilesAloneNamesThem() throws {
        var message = Self.message(1, "")
        message.files = [
            FileInfo(file: "f1", name: "plan <b>.odt", size: 1_258_291, state: .here),
            FileInfo(file: "f1", name: "copy.odt", size: 1_258_291, state: .here),
        ]
        let text = Self.export(.text, [message]).joined(separator: "\n")
        #expect(text.contains("01:41  Bob: plan <b>.odt, 1.2 MiB"), "\(text)")
        #expect(text.contains("copy.odt, 1.2 MiB"), "\(text)")
        let page = Self.export(.html, [message]).joined(separator: "\n")
        #expect(page.contains("<div class=\"bubble\"><p dir=\"auto\">plan &lt;b&gt;.odt, 1.2 MiB</p>"), "\(page)")
        #expect(page.contains("<p dir=\"auto\">copy.odt, 1.2 MiB</p></div>"), "\(page)")
        let lines = try Self.export(.json, [message]).map { try JSONParser.parse(Array($0.utf8)) }
        let data = try #require(lines.first { $0["type"] == .string("message") }?["data"])
        let read = try JSONValueDecoder.decode(MessageInfo.self, from: data, name: "data", strict: true)
        #expect(read.files == message.files)
    }

    @Test func anEmptyConversationSaysSo() {
        for format in [ExportFormat.text, .html] {
            #expect(Self.export(format, []).contains { $0.contains("No messages yet.") }, "\(format)")
        }
        let german = Language.$current.withValue(.german) { Self.export(.html, []).joined(separator: "\n") }
        #expect(german.contains("<html lang=\"de\">") && german.contains("Noch keine Nachrichten."))
    }

    @Test func eachLineOfJSONIsAValueWithItsType() throws {
        let messages = Self.hostileMessages("\u{1B}\u{202E}\n\"")
        let lines = try Self.export(.json, messages).map { try JSONParser.parse(Array($0.utf8)) }
        #expect(
            lines.map { $0["type"]?.text } == ["export", "conversation"] + messages.map { _ in "message" } + ["end"]
        )
        #expect(lines[0]["data"]?["format"] == .integer(1) && lines[0]["data"]?["id"] == .string("ada"))
        #expect(lines.last?["data"]?["messages"] == .integer(4))
        for (line, message) in zip(lines[2...], messages) {
            let data = try #require(line["data"])
            #expect(try JSONValueDecoder.decode(MessageInfo.self, from: data, name: "data", strict: true) == message)
        }
    }

    /// WCAG 2.2, 1.4.3: at least 4.5 to 1, of each text on each ground where it stands, light and dark.
    @Test func everyPairOfColoursHasEnoughContrast() throws {
        let sets = ExportPage.style.split(separator: "@media (prefers-color-scheme: dark)")
        #expect(sets.count == 2)
        for set in sets {
            var colours: [String: [Double]] = [:]
            for match in set.matches(of: /--([a-z0-9-]+): #([0-9a-f]{6})/) {
                colours[String(match.1)] = try [0, 2, 4].map { start in
                    let value = try #require(Int(match.2.dropFirst(start).prefix(2), radix: 16))
                    let part = Double(value) / 255
                    return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
                }
            }
            func light(_ name: String) throws -> Double {
                let parts = try #require(colours[name], "\(name)")
                return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
            }
            let names = (1...ExportPage.colours).map { ("c\($0)", "bg") }
            let pairs =
                names + [
                    ("text", "bg"), ("muted", "bg"), ("accent", "bg"), ("text", "surface"), ("muted", "surface"),
                    ("own-text", "own"), ("own-muted", "own"),
                ]
            for (text, ground) in pairs {
                let (one, two) = (try light(text), try light(ground))
                let contrast = (max(one, two) + 0.05) / (min(one, two) + 0.05)
                #expect(contrast >= 4.5, "\(text) on \(ground): \(contrast)")
            }
        }
    }

    @Test func theColourOfAnIdentityIsOneOfEight() {
        let colours = (0..<200).map { ExportPage.colour(of: "peer\($0)") }
        #expect(Set(colours) == Set(1...ExportPage.colours))
        #expect(ExportPage.colour(of: "peer7") == colours[7])
    }
}
