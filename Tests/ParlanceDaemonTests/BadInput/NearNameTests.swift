import ParlanceControl
import Testing

extension ProgramTests {
    /// What a command suggests for a misspelt name, and whom a word after `@` means.
    @Suite struct NearNameTests {
        @Test func aCommandSuggestsOnlyWhatItTakes() async throws {
            try await Lab.run { lab in
                let pair = try await Pair.meeting(in: lab)
                #expect(try await pair.ada.parlance("group", "create", "Crow", "Bob").code == 0)
                let cases: [(words: [String], near: String?)] = [
                    (["send", "Bbo", "x"], "Bob"), (["send", "Crwo", "x"], "Crow"), (["mute", "Crwo"], "Crow"),
                    (["pin", "Crwo"], "Crow"), (["pin", "Crowd"], "Crow"), (["unpin", "Bbo"], "Bob"),
                    (["block", "Bbo"], "Bob"), (["block", "Crwo"], nil), (["seen", "Crwo"], nil),
                    (["group", "leave", "Crwo"], "Crow"), (["group", "leave", "Bbo"], nil),
                    (["group", "add", "Crow", "Crwo"], nil), (["group", "add", "Crow", "Bbo"], "Bob"),
                ]
                for (words, near) in cases {
                    let outcome = try await pair.ada.parlance(words)
                    #expect(outcome.code == 65, "\(words)")
                    let wanted = near.map { "Did you mean \"\($0)\"?" } ?? "parlance "
                    // What the command takes can be listed.
                    let takesGroups = !["block", "seen"].contains(words[0]) && words.prefix(2) != ["group", "add"]
                    #expect(outcome.errors.contains("parlance conversations") == takesGroups, "\(words)")
                    #expect(outcome.errors.contains(wanted), "\(words): \(outcome.errors)")
                    #expect(outcome.errors.contains("Did you mean") == (near != nil), "\(words): \(outcome.errors)")
                }
            }
        }

        /// A text that is edited says the same as one that is sent.
        @Test func aMentionThatMeansNobodyIsTold() async throws {
            try await Lab.run { lab in
                let pair = try await Pair.meeting(in: lab)
                #expect(try await pair.ada.parlance("alias", "Bob", "Zo\u{EB} M\u{FC}ller").code == 0)
                #expect(try await pair.ada.parlance("group", "create", "Crow", "Zoe Muller").code == 0)
                let note = "@Zoe is nobody here, and mentions nobody. Did you mean @Zo\u{EB} M\u{FC}ller?\n"
                for words in [["send", "Crow"], ["edit", "last:Crow"]] {
                    let wrong = try await pair.ada.parlance(words + ["@Zoe can you?"])
                    #expect(wrong.code == 0 && wrong.errors == note, "\(words): \(wrong)")
                    let right = try await pair.ada.parlance(words + ["@zoe muller can you?"])
                    #expect(right.code == 0 && right.errors.isEmpty, "\(words): \(right)")
                }
                let misspelt = [
                    (["send", "Crow"], "Zoee"), (["edit", "last:Crow"], "Zeo"), (["send", "Zoe Muller"], "Zo"),
                ]
                for (words, typed) in misspelt {
                    let wrong = try await pair.ada.parlance(words + ["look (@\(typed))"])
                    let note = "@\(typed) is nobody here, and mentions nobody. Did you mean @Zo\u{EB} M\u{FC}ller?\n"
                    #expect(wrong.code == 0 && wrong.errors == note, "\(words): \(wrong)")
                }
                #expect(try await pair.ada.parlance("send", "Crow", "@zoe muller!").code == 0)
                let message = try await pair.ada.history(with: "Crow").last
                #expect(message?.mentions?.count == 1)
            }
        }
    }
}
