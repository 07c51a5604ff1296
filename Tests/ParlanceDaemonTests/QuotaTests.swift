import ParlanceControl
import ParlanceCore
import ParlanceWaiting
import ParlanceWire
import ParlanceWords
import Testing

extension ProgramTests {
    /// A friend who writes more than fits a day, between real daemons (sync.md, "Full").
    @Suite struct QuotaTests {
        @Test func aFloodOfTextsWaitsWithItsAuthor() async throws {
            try await Lab.run(limit: .seconds(120)) { lab in
                let pair = try await Pair.meeting(in: lab)
                #expect(try await pair.bob.parlance("config", "set", "message-quota", "1 MiB").code == 0)
                let text = String(repeating: "flood ", count: Limits.textBytes / 6)
                let count = 40
                for number in 0..<count { try await pair.ada.send("\(number) " + text.dropLast(10), to: "Bob") }
                try await eventually("Ada is told why it waits") {
                    let why = try await pair.ada.ask(OutboxOperation()).items.map(\.why.english)
                    return why.contains { $0.contains("takes no more messages from you for now") }
                }
                let held = try await pair.bob.history(with: "Ada").count { $0.text.contains("flood") }
                // The quota, and at most one run beyond it.
                let most = (1 << 20) + Limits.runBytes + Limits.textBytes
                #expect(held * Limits.textBytes < most && held > 10, "\(held)")
                let doctor = try await pair.bob.parlance("doctor", "Ada").output
                #expect(doctor.contains("parlance allow"), "\(doctor)")
                // What Bob writes is not slowed.
                let answer = try await pair.bob.send("too much", to: "Ada")
                try await eventually("Ada has the answer") {
                    try await pair.ada.history(with: "Bob").contains { $0.id == answer.id }
                }
                let allowed = try await pair.bob.parlance("allow", "Ada")
                #expect(allowed.output == "Ada can write as much as in a whole day again.\n", "\(allowed.errors)")
                #expect(try await pair.bob.parlance("config", "set", "message-quota", "off").code == 0)
                try await eventually("Bob has all of it, in order") {
                    let texts = try await pair.bob.history(with: "Ada", page: 200).map(\.text)
                    let numbers = texts.filter { $0.contains("flood") }.compactMap { Int($0.prefix { $0 != " " }) }
                    return numbers == Array(0..<count)
                }
            }
        }
    }
}
