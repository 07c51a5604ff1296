import Foundation
import ParlanceControl
import ParlanceCore
import Synchronization
import Testing

/// Texts of others stand in many sentences. Whatever is in them, what stands around them is the same.
@Suite(.timeLimit(.minutes(30))) struct ForeignTextTests {
    /// The members of replies that others write. A text of its own may have check marks.
    private static let names: Set = [
        "name", "displayName", "title", "topic", "senderName", "group", "assignee", "address",
    ]
    private static let texts: Set = ["text", "preview", "statusText", "task", "excerpt", "answer"]

    /// A mark, a change of direction, a line break, an escape sequence, another mark.
    private static let hostile = "\u{2713}\u{202E}\n\u{1B}[31m\u{2714}z"
    /// The same as it is to be seen.
    private static let shown = #"\u{202E}\n\u{1B}[31mz"#
    private static let hostileText = "\u{202E}\u{1B}[31m\u{2066}\u{200F}z"
    private static let shownText = #"\u{202E}\u{1B}[31m\u{2066}\u{200F}z"#

    private static let commands: [[String]] = [
        [], ["status"], ["id"], ["name"], ["peers"], ["requests"], ["conversations"], ["outbox"],
        ["history", "Bob"], ["history", "Crew"], ["send", "Bob", "hi"], ["info", "m1"], ["reply", "m1", "hi"],
        ["edit", "m1", "hi"], ["delete", "m1"], ["react", "m1", "👍"], ["read", "Bob"], ["search", "hi"],
        ["verify", "Bob"], ["doctor"], ["doctor", "Bob"], ["accept", "Bob"], ["decline", "Bob"], ["block", "Bob"],
        ["unblock", "Bob"], ["forget", "Bob"], ["alias", "Bob", "B"], ["allow", "Bob"], ["courier", "Bob"],
        ["mute", "Bob"], ["unmute", "Bob"], ["pin", "Bob"], ["unpin", "Bob"], ["seen", "Bob"],
        ["presence"], ["presence", "busy"], ["retain", "Bob"],
        ["disappear", "Bob"], ["files"], ["files", "list"], ["group", "show", "Crew"],
        ["group", "create", "Crew", "Bob"], ["group", "add", "Crew", "Bob"], ["group", "remove", "Crew", "Bob"],
        ["group", "leave", "Crew"], ["group", "rename", "Crew", "New"], ["group", "topic", "Crew", "New"],
        ["group", "admin", "Crew", "Bob"], ["export", "Bob"],
        ["workspace", "show"], ["workspace", "create", "Ship"], ["workspace", "rotate", "--yes"],
        ["workspace", "admin"],
        ["workspace", "policy"],
    ]

    private static func spoil(_ fixture: ServerFixture, _ name: String, _ text: String) {
        fixture.node.state.withLock { state in
            state.spoil = { key, old in
                if names.contains(key) { return old + name }
                return texts.contains(key) ? old + text : old
            }
        }
    }

    @Test func noTextOfOthersChangesWhatStandsAroundIt() async throws {
        try await ServerFixture.with { fixture in
            var worked = 0
            for words in Self.commands + TestAssistant.commands {
                fixture.node.state.withLock { $0.called = [] }
                Self.spoil(fixture, Self.shown, Self.shownText)
                let harmless = try await CommandTests.run(words, socket: fixture.path)
                Self.spoil(fixture, Self.hostile, Self.hostileText)
                let outcome = try await CommandTests.run(words, socket: fixture.path)
                #expect(outcome.code == harmless.code, "\(words)")
                #expect(fixture.node.state.withLock { !$0.called.isEmpty }, "\(words): \(outcome.errors)")
                Self.compare(outcome.output, harmless.output, words)
                Self.compare(outcome.errors, harmless.errors, words)
                if outcome.code == 0 { worked += 1 }
            }
            #expect(worked > 45, "\(worked) commands worked")
        }
    }

    /// What nobody may give themselves is the same at both ends: a name with such a character is no name, and a text loses it.
    @Test func theCharactersThatLookLikeTheMarkAreKnownEverywhere() {
        for value in UInt32(0x21)...0x10FFFF {
            guard let scalar = Unicode.Scalar(value),
                [.otherSymbol, .mathSymbol].contains(scalar.properties.generalCategory)
            else { continue }
            let name = "a" + String(scalar)
            let isMark = name.faultAsName == .checkMark
            #expect((NameText.plain(name) == "a") == isMark, "U+\(String(value, radix: 16))")
        }
    }

    private static func compare(_ hostile: String, _ harmless: String, _ words: [String]) {
        // Each message that is sent has an ID of its own, and what is exported says when.
        func plain(_ text: String) -> String {
            text.replacing(/\(m\d+\)/, with: "(m)").replacing(/DTSTAMP:\w+/, with: "DTSTAMP")
                .replacing(/exported on [\d: -]+/, with: "exported ")
        }
        let (hostile, harmless) = (plain(hostile), plain(harmless))
        guard hostile != harmless else { return }
        let pairs = zip(hostile.split(separator: "\n"), harmless.split(separator: "\n"))
        let first = pairs.first { $0 != $1 }
        Issue.record("\(words): \(first.map { "\($0.debugDescription) instead of \($1.debugDescription)" } ?? hostile)")
    }

    /// Programs print what they read of JSON, perhaps without looking.
    @Test func nothingInJSONSteersATerminal() async throws {
        try await ServerFixture.with { fixture in
            Self.spoil(fixture, Self.hostile, Self.hostileText)
            for words in [["status"], ["peers"], ["history", "Bob"], ["requests"], ["workspace", "show"], ["files"]] {
                let output = try await CommandTests.run(words + ["--json"], socket: fixture.path).output
                #expect(output.contains("\\u202e"), "\(words): \(output)")
                let raw = output.unicodeScalars.filter { scalar in
                    switch scalar.properties.generalCategory {
                    case .format, .lineSeparator, .paragraphSeparator: true
                    case .control: scalar != "\n"
                    default: false
                    }
                }
                #expect(raw.isEmpty, "\(words): \(raw.map { String($0.value, radix: 16) })")
            }
        }
    }
}
