import Foundation
import ParlanceControl
import ParlanceCore
import ParlanceWaiting
import Synchronization
import Testing

extension ProgramTests {
    /// Two people chat on two screens while thousands of messages come, daemons die and windows change.
    @Suite struct ChatProofTests {
        private static let rounds = 10
        private static let perRound = 500
        /// Looks at a screen that has not moved, after which a key is pressed again: about a second.
        private static let looksPerKey = 64
        /// The round after which a screen has shown more messages than it ever keeps (`OpenConversation.mostWhileAway`),
        /// so that what it takes more from then on grows with the history.
        private static let fullAfter = 4
        /// What a screen may take more at the end than when it was full: it may keep 500 messages then and 2,000 at the end.
        private static let memoryGrowth = 24 << 20

        @Test func everythingIsShownAndNothingTypedIsLost() async throws {
            let seed = UInt64.random(in: 0...UInt64.max)
            try await Lab.run(limit: .seconds(300)) { lab in
                var random = SeededGenerator(seed: seed)
                let pair = try await Pair.meeting(in: lab)
                let screens = [try ChatTerminal(pair.ada, ["Bob"]), try ChatTerminal(pair.bob, ["Ada"])]
                for screen in screens { try await screen.shows("first contact") }
                var typed: [[String]] = [[], []]
                var before: [Int] = []
                for round in 0..<Self.rounds {
                    let texts = (0..<2).map { "typed \(round) \($0) " + Self.words(&random) }
                    try await play(round, pair, screens, texts, &random)
                    for (place, screen) in screens.enumerated() {
                        try await screen.shows("1 connected", within: .seconds(30))
                        screen.type("\r")
                        typed[place].append(texts[place])
                    }
                    try await isSettled(pair, typed, within: .seconds(60), "seed \(seed), round \(round)")
                    if round == Self.fullAfter { for screen in screens { before.append(try await screen.memory()) } }
                }
                for (place, screen) in screens.enumerated() {
                    screen.resize(height: 40, width: 100)
                    let history = try await [pair.ada, pair.bob][place].history(with: ["Bob", "Ada"][place], page: 200)
                    #expect(history.count == 1 + Self.rounds * (Self.perRound + 2), "seed \(seed)")
                    try await compare(screen, with: history.map(\.text), "seed \(seed)")
                    let growth = try await screen.memory() - before[place]
                    #expect(growth < Self.memoryGrowth, "seed \(seed)")
                    screen.type("\u{1B}")
                    try await screen.shows(history.last?.text ?? "")
                    screen.type("/read\r")
                    try await eventually("nothing is unread") {
                        try await [pair.ada, pair.bob][place].ask(ConversationsOperation()).conversations
                            .allSatisfy { $0.unread == 0 }
                    }
                    screen.type("\u{11}")
                    #expect(try await screen.ended() == 0)
                }
            }
        }

        /// Words of several scripts; none of them is wider than half a row.
        private static func words(_ random: inout SeededGenerator) -> String {
            let all = ["über", "日本語", "👍🏽", "naïve", "ok", "ёлка", "שלום", "e\u{301}"]
            return (0..<4).map { _ in all.randomElement(using: &random) ?? "ok" }.joined(separator: " ")
        }

        /// One round: Bob's scripts write, both people type piece by piece, and something goes wrong.
        private func play(
            _ round: Int,
            _ pair: Pair,
            _ screens: [ChatTerminal],
            _ texts: [String],
            _ random: inout SeededGenerator
        ) async throws {
            let client = try await pair.bob.client()
            /// Why each was refused; nil if it was accepted.
            let answers = Mutex<[String?]>([])
            let pieces = 10
            for piece in 0..<pieces {
                for number in 0..<(Self.perRound / pieces) {
                    let text = "arrived \(round) \(piece) \(number)"
                    client.send(SendOperation(who: "Ada", text: text)) { result in
                        let refusal = if case .failure(let failure) = result { "\(failure)" } else { nil as String? }
                        answers.withLock { $0.append(refusal) }
                    }
                }
                for (screen, text) in zip(screens, texts) {
                    let characters = Array(text)
                    let range = (characters.count * piece / pieces)..<(characters.count * (piece + 1) / pieces)
                    // In two halves of the bytes, so that characters are cut.
                    let bytes = Array(String(characters[range]).utf8)
                    screen.type(bytes: bytes[..<(bytes.count / 2)])
                    screen.type(bytes: bytes[(bytes.count / 2)...])
                }
                let screen = screens[Int.random(in: 0..<2, using: &random)]
                switch Int.random(in: 0..<4, using: &random) {
                case 0:
                    let height = Int.random(in: 3..<50, using: &random)
                    screen.resize(height: height, width: Int.random(in: 10..<120, using: &random))
                case 1: screen.type("\u{1B}[5~")
                case 2: screen.type("\u{1B}[6~")
                default: break
                }
            }
            // Only what was answered is written: a daemon that is killed before takes the rest with it.
            try await eventually("all are answered, round \(round)", within: .seconds(60)) {
                answers.withLock { $0.count } == Self.perRound
            }
            #expect(answers.withLock { $0.compactMap { $0 } }.isEmpty, "round \(round)")
            try await pair.bob.deliversAll(within: .seconds(60))
            for screen in screens { screen.resize(height: 24, width: 80) }
            // Both kinds of a lost connection: of the screen to its daemon, and of the daemons to each other.
            guard round.isMultiple(of: 2) else { return }
            let place = round.isMultiple(of: 4) ? 0 : 1
            let node = [pair.ada, pair.bob][place]
            try await node.kill()
            // A text that is sent before the screen knows comes back into the line instead (`ChatDraftTests`).
            try await screens[place].shows("no daemon")
            try await node.start()
        }

        /// Waits until everything that was typed is in both histories, once.
        private func isSettled(_ pair: Pair, _ typed: [[String]], within limit: Duration, _ about: String) async throws
        {
            var last = ""
            try await eventually("all is everywhere, \(about)", within: limit, last: last) {
                for (node, peer) in [(pair.ada, "Bob"), (pair.bob, "Ada")] {
                    let texts = try await node.texts(with: peer).filter { $0.hasPrefix("typed ") }
                    last = "\(node.name) has \(texts.suffix(3))"
                    guard texts.sorted() == typed.joined().sorted() else { return false }
                }
                return true
            }
        }

        /// Each window onto the history shows a run of it, the last one its end.
        private func compare(_ screen: ChatTerminal, with history: [String], _ about: String) async throws {
            screen.type("\u{1B}")
            var end = history.count
            for page in 0..<20 {
                var looks = 0
                try await eventually(
                    "window \(page) shows the history, \(about)",
                    last: screen.lines.joined(separator: "\n")
                ) {
                    guard let shown = Self.texts(screen, in: history) else { return false }
                    if page == 0 { return shown.upperBound == end }
                    // At the top of what is loaded the key does nothing until the next page has come.
                    looks += 1
                    if shown.upperBound == end, looks.isMultiple(of: Self.looksPerKey) { screen.type("\u{1B}[5~") }
                    return shown.upperBound < end
                }
                end = Self.texts(screen, in: history)?.upperBound ?? end
                screen.type("\u{1B}[5~")
            }
        }

        /// The part of the history that is on the screen; nil if the rows are no part of it.
        private static func texts(_ screen: ChatTerminal, in history: [String]) -> Range<Int>? {
            let rows = screen.lines.dropFirst().dropLast(3).compactMap { line -> Substring? in
                guard let bar = line.firstIndex(of: "│") else { return nil }
                let row = line[line.index(after: bar)...].drop { $0 == " " }
                return row.isEmpty || row.hasPrefix("─") ? nil : row
            }
            guard rows.count > 10,
                let first = history.firstIndex(where: { rows[0].contains($0 + " ") || rows[0].hasSuffix($0) })
            else { return nil }
            let range = first..<(first + rows.count)
            guard range.upperBound <= history.count else { return nil }
            for (row, text) in zip(rows, history[range]) where !(row.contains(text + " ") || row.hasSuffix(text)) {
                return nil
            }
            return range
        }
    }
}
