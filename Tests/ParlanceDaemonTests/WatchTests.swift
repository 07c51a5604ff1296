import Foundation
import ParlanceControl
import ParlanceWaiting
import Testing

extension ProgramTests {
    /// `parlance watch --json` reports events as they happen, in the documented form.
    @Suite struct WatchTests {
        @Test func aMessageAndHowFarItHasCome() async throws {
            try await Lab.run { lab in
                let pair = try await Pair.meeting(in: lab)
                let (ada, bob) = (try await Watcher(pair.ada), try await Watcher(pair.bob))
                let sent = try await pair.ada.send("see you at noon", to: "Bob")

                let arrived = try await bob.sees("message") { $0["id"]?.text == sent.id }
                #expect(arrived["text"]?.text == "see you at noon")
                #expect(arrived["senderName"]?.text == "Ada")
                #expect(arrived["mine"] == .bool(false))
                #expect(arrived["status"] == nil)
                let own = try await ada.sees("message") { $0["id"]?.text == sent.id }
                #expect(own["mine"] == .bool(true))

                let isFar: @Sendable (JSON, String) -> Bool = { event, status in
                    event["through"]?.text == sent.id && event["status"]?.text == status
                }
                let delivered = try await ada.sees("status") { isFar($0, "delivered") }
                #expect(delivered["conversation"]?.text == sent.conversation)
                #expect(delivered["title"]?.text == "Bob")
                #expect(delivered["sequence"] == .integer(Int64(sent.sequence)))
                #expect(try ada.events("status").allSatisfy { !isFar($0, "read") })

                let read = try await pair.bob.parlance("read", "Ada", "--json")
                #expect(try JSONParser.parse(Array(read.output.utf8.dropLast()))["marked"] == .integer(2))
                try await ada.sees("status") { isFar($0, "read") }
                #expect(try await pair.ada.history(with: "Bob").map(\.status) == [.read, .read])
                #expect(try await pair.bob.peer("Ada")?.unread == 0)
                #expect(try bob.events("message").count == 1)
                #expect(try ada.events("status").filter { isFar($0, "read") }.count == 1)
            }
        }

        @Test func whoTypes() async throws {
            try await Lab.run { lab in
                let pair = try await Pair.meeting(in: lab)
                let watcher = try await Watcher(pair.ada, events: "typing,peer")
                #expect(try await pair.bob.parlance("typing", "Ada").code == 0)
                let clock = ContinuousClock()
                let begun = try await watcher.sees("typing") { $0["active"] == .bool(true) }
                let start = clock.now
                #expect(begun["displayName"]?.text == "Bob")
                // Typing is shown for at most 3 s after the last frame.
                try await watcher.sees("typing", within: .seconds(8)) { $0["active"] == .bool(false) }
                let shown = clock.now - start
                #expect(shown > .seconds(1), "shown for \(shown)")

                // A message ends it at once.
                try await eventually("Bob is seen typing again") {
                    _ = try await pair.bob.parlance("typing", "Ada")
                    return try watcher.events("typing").count == 3
                }
                try await pair.bob.send("done", to: "Ada")
                try await pair.bob.deliversAll()
                // Events come in order: what this causes is told after the end.
                try await pair.ada.ask(AliasOperation(who: "Bob", name: "Robert"))
                try await watcher.sees("peer") { $0["alias"]?.text == "Robert" }
                #expect(try watcher.events("typing").count == 4)
            }
        }

        @Test func whoIsThere() async throws {
            try await Lab.run { lab in
                let pair = try await Pair.meeting(in: lab)
                let watcher = try await Watcher(pair.ada)
                let busy = try await pair.bob.parlance("presence", "busy", "--text", "in the engine room")
                #expect(busy.output == "You are busy (in the engine room).\n")
                let event = try await watcher.sees("presence") { $0["presence"]?.text == "busy" }
                #expect(event["displayName"]?.text == "Bob")
                #expect(event["statusText"]?.text == "in the engine room")
                try await pair.ada.sees("Bob", "busy") { $0.presence == .busy && $0.statusText == "in the engine room" }

                #expect(try await pair.bob.parlance("presence", "away", "--text", "").output == "You are away.\n")
                try await watcher.sees("presence") { $0["presence"]?.text == "away" && $0["statusText"] == nil }

                _ = try await pair.bob.parlance("presence", "busy", "--text", "in a meeting")
                #expect(try await pair.bob.parlance("presence", "online").output == "You are online.\n")
                _ = try await pair.bob.parlance("presence", "away")
                try await watcher.sees("presence") { $0["presence"]?.text == "away" && $0["statusText"] == nil }

                // The restart keeps the setting, and is too short to be shown as offline.
                try await pair.bob.kill()
                try await watcher.sees("peer") { $0["connected"] == .bool(false) }
                try await pair.bob.start()
                try await eventually("the last that is told of Bob is that he is connected") {
                    try watcher.events("peer").last?["connected"] == .bool(true)
                }
                #expect(try await pair.ada.peer("Bob")?.presence == .away)
            }
        }

        @Test func whoAsksToTalkAndAnswers() async throws {
            try await Lab.run { lab in
                let ports = (try Lab.freePort(), try Lab.freePort())
                let ada = LabNode.onLoopback(lab, "Ada", port: ports.0, dials: [ports.1])
                let bob = LabNode.onLoopback(lab, "Bob", port: ports.1)
                try await ada.start()
                try await bob.start()
                try await bob.sees("Ada", "connected") { $0.connected }
                try await ada.sees("Bob", "connected") { $0.connected }
                let watcher = try await Watcher(bob)
                try await ada.send("may I\u{1B}[31m\n\tcome in", to: "Bob")
                let request = try await watcher.sees("request")
                #expect(request["name"]?.text == "Ada")
                #expect(request["preview"]?.text == "may I[31m  come in")
                #expect(try await bob.parlance("accept").output.contains("may I[31m  come in"))
                // Nothing of a message is reported before the answer.
                #expect(try watcher.events("message").isEmpty)
                try await bob.accept("Ada")
                try await watcher.sees("message") { $0["text"]?.text == "may I\u{1B}[31m\n\tcome in" }
                try await watcher.sees("peer") { $0["trust"]?.text == "accepted" }
            }
        }

        @Test func aFilterHolds() async throws {
            try await Lab.run { lab in
                let pair = try await Pair.meeting(in: lab)
                let watcher = try await Watcher(pair.ada, events: "peer,message")
                try await pair.bob.send("hello", to: "Ada")
                try await watcher.sees("message")
                #expect(try await pair.bob.parlance("typing", "Ada").code == 0)
                #expect(try await pair.bob.parlance("presence", "busy").code == 0)
                try await pair.ada.sees("Bob", "busy") { $0.presence == .busy }
                try await pair.ada.end(SIGTERM)
                try await watcher.sees("stopping")
                for kind in ["typing", "presence", "status"] { #expect(try watcher.events(kind).isEmpty) }
            }
        }
    }
}
