import Foundation
import ParlanceControl
import ParlanceWaiting
import ParlanceWords
import Testing

extension ProgramTests {
    /// A disk that returns other bytes than were written.
    @Suite struct DamagedDiskTests {
        /// Changes 5 bits of the text of a message in a store that nobody has open.
        private static let damage = """
            import sqlite3, sys
            store = sqlite3.connect(sys.argv[1])
            wanted = sys.argv[2].encode()
            for log, sequence, body in store.execute("SELECT log, sequence, body FROM event").fetchall():
                if body and wanted in body:
                    place = body.index(wanted)
                    other = body[:place] + bytes(b ^ 1 for b in body[place:place + 5]) + body[place + 5:]
                    store.execute("UPDATE event SET body = ? WHERE log = ? AND sequence = ?", (other, log, sequence))
                    store.commit()
                    sys.exit(0)
            sys.exit(3)
            """

        @Test func aDamagedMessageComesFromAnother() async throws {
            try await Lab.run { lab in
                let pair = try await Pair.meeting(in: lab)
                for text in ["the first", "meet at noon", "the last"] {
                    try await pair.ada.send(text, to: "Bob")
                    try await pair.bob.send("yes, \(text)", to: "Ada")
                }
                try await pair.ada.deliversAll()
                try await pair.bob.deliversAll()
                let before = try await pair.bob.texts(with: "Ada")
                #expect(try await pair.bob.end(SIGTERM) == 0)
                let python = try Programs.system("python3")
                let store = pair.bob.folder.appendingPathComponent("store.sqlite").path
                // One that Ada wrote, and one of Bob's own.
                for text in ["meet at noon", "yes, the last"] {
                    #expect(try await lab.run(python, ["-c", Self.damage, store, text]).code == 0)
                }
                try await pair.bob.start()
                var seen: Set<String> = []
                try await eventually("all texts are there again", within: .seconds(30)) {
                    let now = try await pair.bob.texts(with: "Ada")
                    seen.formUnion(now)
                    return now == before
                }
                #expect(seen.isSubset(of: before + [""]), "nothing else was shown: \(seen)")
                let doctor = try await pair.bob.parlance("doctor")
                #expect(doctor.output.contains("2 stored messages were damaged."), "\(doctor.output)")
                #expect(pair.bob.child?.complained.contains("A stored message was damaged") == true)
                #expect(try await pair.ada.texts(with: "Bob") == before)
            }
        }
    }
}
