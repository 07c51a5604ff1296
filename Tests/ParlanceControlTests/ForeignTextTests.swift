import Foundation
import ParlanceCore
import ParlanceWaiting
import ParlanceWords
import Testing

@testable import ParlanceControl

/// Texts of others stand in many sentences. Whatever is in them, what stands around them is the same.
@Suite(.timeLimit(.minutes(30))) struct ForeignTextTests {
    /// The members of replies that others write. A text of its own may have check marks.
    private static let names: Set = [
        "name", "displayName", "title", "topic", "senderName", "group", "assignee", "address",
    ]
    private static let texts: Set = ["text", "preview", "statusText", "task", "excerpt", "answer"]

    /// A mark, a change of direction, a line break, an escape sequence, another mark; and in a text of its own.
    private static let hostile = (
        name: "\u{2713}\u{202E}\n\u{1B}[31m\u{2714}z", text: "\u{202E}\u{1B}[31m\u{2066}\u{200F}z"
    )
    /// The same as it is to be seen.
    private static let shown = (name: #"\u{202E}\n\u{1B}[31mz"#, text: #"\u{202E}\u{1B}[31m\u{2066}\u{200F}z"#)

    private static func people(_ id: String) -> [String] {
        [
            "", "status", "id", "name", "peers", "requests", "conversations", "outbox", "history Bob", "history Crew",
            "send Bob hi", "info \(id)", "reply \(id) hi", "edit \(id) hi", "react \(id) 👍", "read Bob", "search hi",
            "verify Bob", "doctor", "doctor Bob", "allow Bob", "courier Bob", "mute Bob", "unmute Bob", "pin Bob",
            "unpin Bob", "seen Bob", "presence", "presence busy", "retain Bob", "disappear Bob", "files", "files list",
            "group show Crew", "group create Boat Bob", "group add Crew Dan", "group admin Crew Bob",
            "group topic Crew New", "group remove Crew Dan", "group rename Crew New", "group leave New", "export Bob",
            "delete \(id)", "assistant", "assistant on", "ask when", "ask --in Bob when", "search order --meaning",
            "talk", "talk clear", "summary Bob", "summary Bob --since 3d", "actions", "actions list Bob",
            "actions export", "actions export --csv", "deadlines", "decisions Bob", "priority", "priority --all",
            "assistant off", "accept Cleo", "decline Cleo", "block Dan", "unblock Dan", "alias Bob B", "forget B",
        ]
    }

    private static let ship = [
        "workspace show", "workspace admin", "workspace policy", "workspace log", "workspace rotate --yes",
        "workspace exclude Bob --yes", "workspace leave --yes", "workspace create Ship",
    ]

    /// Ada knows Bob, who has written and sent a file, and Dan; Cleo asks to talk.
    private func withPeople(_ body: (ServerFixture, String) async throws -> Void) async throws {
        try await ServerFixture.with("Bob", "Dan", "Cleo", as: .strangers) { fixture in
            for friend in fixture.people.prefix(2) { try await fixture.ada.befriend(friend) }
            let cleo = fixture.people[2]
            try await fixture.ada.meet(cleo)
            _ = try await cleo.call(SendOperation(who: fixture.ada.id, text: "may I"))
            try await eventually("Cleo asks") {
                try await fixture.ada.call(RequestsOperation()).requests.count == 1
            }
            let id = try await fixture.write("hi")
            _ = try await fixture.ada.call(GroupCreateOperation(title: "Crew", who: ["Bob"]))
            for text in ["Ada, please order the filters by Friday.", "Agreed. We take the boat.", "Help, now!"] {
                _ = try await fixture.hear(text, from: fixture.bob)
            }
            try await fixture.ada.has(fixture.bob.send([1], as: "one", to: fixture.ada), .offered)
            _ = try await fixture.ada.call(AssistantOperation(on: true))
            try await eventually("the assistant has read") {
                try await !fixture.ada.call(ActionsOperation()).actions.isEmpty
            }
            try await body(fixture, id)
        }
    }

    private static func spoil(_ node: NodeFront, replays: Bool = false, _ added: (name: String, text: String)) {
        node.spoil(replays: replays) { member, old in
            if names.contains(member) { return old + added.name }
            return texts.contains(member) ? old + added.text : old
        }
    }

    /// Performs each command twice: the second time the node gives the answers of the first, with other texts in them.
    ///
    /// - Returns: how many worked.
    private func compare(_ commands: [String], _ fixture: ServerFixture) async throws -> Int {
        var worked = 0
        for command in commands {
            let words = command.split(separator: " ").map(String.init)
            Self.spoil(fixture.node, Self.shown)
            var harmless = try await fixture.run(words)
            #expect(fixture.node.handled > 0, "\(words): \(harmless.errors)")
            var outcome = harmless
            // Some say how long ago something was: between two runs that may take another column's width.
            for _ in 1...Self.attempts {
                Self.spoil(fixture.node, replays: true, Self.hostile)
                outcome = try await fixture.run(words)
                if Self.difference(outcome, harmless) == nil { break }
                Self.spoil(fixture.node, replays: true, Self.shown)
                harmless = try await fixture.run(words)
            }
            #expect(outcome.code == harmless.code, "\(words)")
            if let difference = Self.difference(outcome, harmless) { Issue.record("\(words): \(difference)") }
            if outcome.code == 0 { worked += 1 }
        }
        return worked
    }

    @Test func noTextOfOthersChangesWhatStandsAroundIt() async throws {
        try await withPeople { fixture, id in
            let worked = try await compare(Self.people(id), fixture)
            #expect(worked > 55, "\(worked) commands worked")
        }
        try await ServerFixture.with("Bob", as: .ship) { fixture in
            let worked = try await compare(Self.ship, fixture)
            #expect(worked == Self.ship.count, "\(worked) commands worked")
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

    /// How often two runs may differ by the present time.
    private static let attempts = 3

    private static func difference(_ hostile: CommandTests.Outcome, _ harmless: CommandTests.Outcome) -> String? {
        difference(hostile.output, harmless.output) ?? difference(hostile.errors, harmless.errors)
    }

    private static func difference(_ hostile: String, _ harmless: String) -> String? {
        // What is exported says when, and times are told by the present one.
        func plain(_ text: String) -> String {
            text.replacing(/DTSTAMP:\w+/, with: "DTSTAMP").replacing(/exported on [\d: -]+/, with: "exported ")
                .replacing(/\d+ s\b/, with: "1 s")
        }
        let (hostile, harmless) = (plain(hostile), plain(harmless))
        guard hostile != harmless else { return nil }
        let pairs = zip(hostile.split(separator: "\n"), harmless.split(separator: "\n"))
        let first = pairs.first { $0 != $1 }
        return first.map { "\($0.debugDescription) instead of \($1.debugDescription)" } ?? hostile
    }

    /// Programs print what they read of JSON, perhaps without looking.
    @Test func nothingInJSONSteersATerminal() async throws {
        try await withPeople { fixture, _ in
            try await checkJSON(["status", "peers", "history Bob", "requests", "files"], fixture)
        }
        try await ServerFixture.with("Bob", as: .ship) { try await checkJSON(["workspace show"], $0) }
    }

    private func checkJSON(_ commands: [String], _ fixture: ServerFixture) async throws {
        Self.spoil(fixture.node, Self.hostile)
        for command in commands {
            let output = try await fixture.run(command.split(separator: " ").map(String.init) + ["--json"]).output
            #expect(output.contains("\\u202e"), "\(command): \(output)")
            let raw = output.unicodeScalars.filter { scalar in
                switch scalar.properties.generalCategory {
                case .format, .lineSeparator, .paragraphSeparator: true
                case .control: scalar != "\n"
                default: false
                }
            }
            #expect(raw.isEmpty, "\(command): \(raw.map { String($0.value, radix: 16) })")
        }
    }
}
