import Testing

@testable import ParlanceAssistant

@Suite struct HostileTextTests {
    /// A small generator, so that a printed seed repeats a run.
    private struct Generator: RandomNumberGenerator {
        var state: UInt64

        mutating func next() -> UInt64 {
            state &+= 0x9E37_79B9_7F4A_7C15
            var mixed = state
            mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
            mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
            return mixed ^ (mixed >> 31)
        }
    }

    private static let pieces = [
        "please", "I'll", "ich", "bis", "by", "Friday", "14", ".", "3", ":", "@", "Tom", ",", "\n", " ", "- ", "[x]",
        "[", "]",
        "TODO:", "in", "999999", "days", "end", "of", "next", "week", "\"", "„", "“", "(", ")", "st", "du", "richtest",
        "ä",
        "\u{0308}", "👍🏽", "\r\n", "```", ">", "the", "March", "2026", "-", "T12", "/", "?", "!", "muss", "werden",
        "half",
        "past", "Monats", "\u{0}", "\u{202E}", "um", "am", "p", ".m.", "uhr", "24", "00", "if", "we", "need", "to",
        "agreed",
    ]

    private static func readAll(_ text: String, time: Int64 = 1_772_616_600_000, offset: Int = 3600) {
        let members = ["Tom", "", "Ana Paula", "@", "root_rob", "👍", "Tom"]
        let message = ReadMessage(sender: "Tom", text: text, mentions: [], time: time, offset: offset)
        for action in Rules.actions(in: message, members: members) {
            #expect(action.task.count <= 160)
            #expect(!action.task.isEmpty)
            #expect(action.assignee.map(members.contains) ?? true)
        }
        _ = Rules.decision(in: message)
        _ = Rules.priority(of: message, to: "Ana Paula", members: members)
        _ = DeadlineRules.deadline(in: text, at: time, offset: offset)
    }

    @Test func randomTextsDoNotTrap() {
        let seed = UInt64.random(in: 0...UInt64.max)
        print("seed \(seed)")
        var generator = Generator(state: seed)
        for _ in 0..<80 {
            let bytes = (0..<Int.random(in: 0...300, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            Self.readAll(String(decoding: bytes, as: UTF8.self))
            var text = ""
            for _ in 0..<Int.random(in: 0...60, using: &generator) {
                text += Self.pieces.randomElement(using: &generator) ?? ""
                if Bool.random(using: &generator) { text += " " }
            }
            let time = Int64.random(in: Int64.min...Int64.max, using: &generator)
            Self.readAll(text, time: Bool.random(using: &generator) ? time : time % 253_402_300_800_000)
            Self.readAll(text)
        }
    }

    private static let exoticPieces = [
        "a ", "1 ", ".", "@", "\" ", "end of ", "[ ] a\n", "in 1 ", "TODO: a, ", "\u{0308}", "a -> ", "Tom: ",
        "would be nice if ",
        "Tom, ", "we're ", "dann ", "muss ", "from ",
    ]

    /// The time that a text of one repeated piece takes.
    private static func time(of piece: String, size: Int) -> Duration {
        let text = String(repeating: piece, count: size / piece.utf8.count)
        return ContinuousClock().measure { readAll(text) }
    }

    @Test(arguments: exoticPieces)
    func exoticTextsTakeLinearTime(piece: String) {
        // A debug build on a busy machine takes a part of a second. Quadratic time would take far longer.
        #expect(Self.time(of: piece, size: 2048) < .seconds(5))
    }

    @Test func aLongTextTakesLinearTime() {
        // The largest message. A debug build takes about a second, and quadratic time would take minutes.
        #expect(Self.time(of: "please send it by Friday, ", size: 65_536) < .seconds(30))
    }
}
