import Foundation
import ParlanceControl
import ParlanceWaiting
import ParlanceWords
import Testing

extension ProgramTests {
    /// Waiting messages: the recipient, the reason and the next attempt are shown; they can be cancelled and retried,
    /// and are never lost.
    @Suite struct OutboxTests {
        @Test func aMessageWaitsAndSurvivesARestart() async throws {
            try await Lab.run { lab in
                let pair = try await Pair.meeting(in: lab)
                try await pair.bob.kill()
                try await pair.ada.sees("Bob", "not connected") { !$0.connected }
                var sent: [String] = []
                for text in ["one", "two", "three"] {
                    let reply = try await pair.ada.send(text, to: "Bob")
                    #expect(reply.status == .staged)
                    sent.append(reply.id)
                }
                try await Self.waits(sent, at: pair.ada)

                for signal in [SIGTERM, SIGKILL] {
                    try await pair.ada.end(signal)
                    try await pair.ada.start()
                    try await Self.waits(sent, at: pair.ada)
                }

                try await pair.bob.start()
                try await pair.ada.deliversAll(within: .seconds(40))
                #expect(try await pair.bob.texts(with: "Ada") == ["first contact", "one", "two", "three"])
                let empty = try await pair.ada.parlance("outbox")
                #expect(empty.output == "Nothing waits.\n")
            }
        }

        /// The outbox shows these messages for Bob with the reason and the next attempt, to programs and to people.
        private static func waits(_ ids: [String], at node: LabNode) async throws {
            // While an attempt is under way no next one is known.
            let items = try await soon("the outbox tells when it tries again") {
                let items = try await node.outbox()
                // After a start nothing is known of Bob before the first attempt has failed.
                return items.allSatisfy { $0.nextTry != nil && $0.why == "Bob is offline" } ? items : nil
            }
            #expect(items.map(\.id) == ids)
            #expect(items.map(\.preview) == ["one", "two", "three"])
            for item in items {
                #expect(item.recipients.map(\.displayName) == ["Bob"])
                #expect(item.status == .staged)
                #expect(item.why == "Bob is offline")
            }
            let shown = try await node.parlance("outbox")
            #expect(shown.code == 0)
            let lines = shown.output.split(separator: "\n")
            #expect(lines.count == 4, "\(shown.output)")
            for (line, id) in zip(lines.dropFirst(), ids) {
                #expect(line.hasPrefix(id.prefix(12)) && line.contains("Bob is offline") && line.contains("waits"))
            }
        }

        @Test func aMessageThatIsTakenBackNeverArrives() async throws {
            try await Lab.run { lab in
                let pair = try await Pair.meeting(in: lab)
                try await pair.bob.kill()
                try await pair.ada.sees("Bob", "not connected") { !$0.connected }
                var ids: [String] = []
                for text in ["one", "two", "three", "four"] { ids.append(try await pair.ada.send(text, to: "Bob").id) }
                for id in [String(ids[1].prefix(8)), ids[3]] {
                    let cancelled = try await pair.ada.parlance("outbox", "cancel", id)
                    #expect(cancelled.code == 0, "\(cancelled.errors)")
                    #expect(cancelled.output == "Cancelled. It will not be sent any more.\n")
                }
                #expect(try await pair.ada.outbox().map(\.preview) == ["one", "three"])
                let again = try await pair.ada.parlance("outbox", "cancel", ids[1])
                Refusal.given("No waiting message has that ID").check(again, of: "cancelling twice")

                // The same holds after a crash.
                try await pair.ada.kill()
                try await pair.ada.start()
                try await pair.ada.send("five", to: "Bob")
                try await pair.bob.start()
                try await pair.ada.deliversAll(within: .seconds(40))
                let texts = ["first contact", "one", "three", "five"]
                #expect(try await pair.bob.texts(with: "Ada") == texts)
                #expect(try await pair.ada.texts(with: "Bob") == texts)
                let late = try await pair.ada.parlance("outbox", "cancel", ids[0])
                #expect(late.code == 65, "a delivered message cannot be taken back")
                #expect(try await pair.bob.texts(with: "Ada") == texts)
            }
        }

        /// Edits, deletions and reactions wait like messages, and are described in words.
        @Test func editsDeletionsAndReactionsWaitToo() async throws {
            try await Lab.run { lab in
                let pair = try await Pair.meeting(in: lab)
                let first = try await pair.ada.send("see you at noon", to: "Bob").id
                let second = try await pair.ada.send("bring cake", to: "Bob").id
                let third = try await pair.bob.send("gladly", to: "Ada").id
                try await pair.ada.deliversAll()
                try await pair.ada.shows(third, in: "Bob", "from Bob") { $0.text == "gladly" }
                try await pair.bob.kill()
                try await pair.ada.sees("Bob", "not connected") { !$0.connected }
                for command in [
                    ["edit", first, "see you at one"], ["react", third, "👍"], ["delete", second],
                    ["reply", third, "good"],
                ] {
                    let done = try await pair.ada.parlance(command)
                    #expect(done.code == 0, "\(done.errors)")
                }
                let items = try await pair.ada.outbox()
                let previews = [
                    "edit of: see you at one", "reaction 👍 to: gladly", "deletion of a message of yours", "good",
                ]
                #expect(items.map(\.preview.english) == previews)
                #expect(items.map(\.kind) == [.edit, .reaction, .deletion, nil])
                #expect(items.map(\.about) == [first, third, second, nil])
                #expect(items.allSatisfy { $0.status == .staged && $0.why == "Bob is offline" })
                #expect(try await pair.ada.status().counts.outbox == 4)
                let shown = try await pair.ada.parlance("outbox").output
                for preview in previews { #expect(shown.contains(preview), "\(shown)") }

                let refusals = ["An edit cannot", "A reaction cannot", "A deletion cannot"]
                for (item, refusal) in zip(items, refusals) {
                    Refusal.given(refusal).check(
                        try await pair.ada.parlance("outbox", "cancel", String(item.id.prefix(12))),
                        of: "taking back what was done to a message"
                    )
                }
                let retry = try await pair.ada.parlance("outbox", "retry", items[0].id)
                #expect(retry.output == "Trying again now.\n", "\(retry.errors)")
                #expect(try await pair.ada.parlance("outbox", "cancel", items[3].id).code == 0)
                #expect(try await pair.ada.outbox().count == 3)
                try await pair.bob.start()
                try await pair.ada.deliversAll(within: .seconds(40))
                let texts = ["first contact", "see you at one", "", "gladly"]
                #expect(try await pair.bob.texts(with: "Ada") == texts)
            }
        }

        @Test func aRefusedMessageFailsUntilItIsTriedAgain() async throws {
            try await Lab.run { lab in
                let pair = try await Pair.meeting(in: lab)
                let watcher = try await Watcher(pair.ada)
                #expect(try await pair.bob.parlance("block", "Ada").output == "Ada is blocked.\n")
                let sent = try await pair.ada.send("can you hear me", to: "Bob")
                let failed = try await soon("the message is shown as failed") {
                    try await pair.ada.outbox().first { $0.status == .failed }
                }
                #expect(failed.id == sent.id)
                #expect(failed.why.english.contains("Bob does not take your messages"))
                #expect(try await pair.ada.history(with: "Bob").last?.status == .failed)
                let event = try await watcher.sees("failed") { $0["sequence"] == .integer(Int64(sent.sequence)) }
                #expect(event["conversation"]?.text == sent.conversation)
                #expect(event["title"]?.text == "Bob")
                #expect(event["recipient"]?.text == (try await pair.ada.peer("Bob")?.id))

                // A block keeps the conversation, and refuses new messages.
                Refusal.given("You have blocked Ada", "parlance unblock")
                    .check(try await pair.bob.parlance("send", "Ada", "no"), of: "writing to somebody blocked")
                #expect(try await pair.bob.texts(with: "Ada") == ["first contact"])

                // A retry stages the message again; because the refusal still holds, it fails again.
                let retry = try await pair.ada.parlance("outbox", "retry", String(sent.id.prefix(8)))
                #expect(retry.code == 0, "\(retry.errors)")
                #expect(retry.output == "Trying again now.\n")
                try await eventually("the retry is refused too") { try watcher.events("failed").count == 2 }
                #expect(try await pair.ada.outbox().map(\.status) == [.failed])

                // After the block has ended either side may dial first; a retry after that finds nothing.
                let accepted = try await pair.bob.parlance("accept", "Ada")
                #expect(accepted.output.hasPrefix("Ada is accepted. Their messages reach you.\n"))
                let late = try await pair.ada.parlance("outbox", "retry", sent.id)
                #expect(late.code == 0 || late.errors.contains("No waiting message has that ID"), "\(late.errors)")
                try await pair.ada.deliversAll()
                #expect(try await pair.bob.texts(with: "Ada") == ["first contact", "can you hear me"])
                #expect(try await pair.ada.history(with: "Bob").last?.status == .delivered)
            }
        }

        /// Whether a message was written before the refusal or after it makes no difference that anybody could see.
        @Test func whatIsWrittenAfterARefusalIsInTheSameState() async throws {
            try await Lab.run { lab in
                let pair = try await Pair.meeting(in: lab)
                #expect(try await pair.bob.parlance("block", "Ada").code == 0)
                try await pair.ada.send("can you hear me", to: "Bob")
                try await eventually("the message is shown as failed") {
                    try await pair.ada.outbox().map(\.status) == [.failed]
                }
                for text in ["and now", "and now?"] {
                    let sent = try await pair.ada.parlance("send", "Bob", text)
                    let why = "Not delivered: Bob does not take your messages; this one is"
                    #expect(sent.output.hasPrefix(why), "\(sent)")
                    let items = try await pair.ada.outbox()
                    #expect(items.allSatisfy { $0.status == .failed && $0.nextTry == nil }, "\(items)")
                }
            }
        }

        @Test func aRequestWaitsForAnAnswer() async throws {
            try await Lab.run { lab in
                let ports = (try Lab.freePort(), try Lab.freePort())
                let ada = LabNode.onLoopback(lab, "Ada", port: ports.0, dials: [ports.1])
                let bob = LabNode.onLoopback(lab, "Bob", port: ports.1)
                try await ada.start()
                try await bob.start()
                try await ada.sees("Bob", "connected") { $0.connected }
                for text in ["may I", "please"] { try await ada.send(text, to: "Bob") }
                try await eventually("Bob is asked") { try await bob.conversation(with: "Ada")?.contact == .requested }
                let items = try await ada.outbox()
                #expect(items.map(\.status) == [.staged, .staged])
                for item in items { #expect(item.why == "Bob has been asked and has not accepted yet") }
                // Until he answers, Bob has only the preview.
                let request = try #require(try await bob.conversation(with: "Ada"))
                #expect(request.preview == "may I")
                #expect(try await bob.texts(with: "Ada").isEmpty)
                // The request survives both.
                try await ada.kill()
                try await bob.kill()
                try await ada.start()
                try await bob.start()
                #expect(try await bob.conversation(with: "Ada")?.contact == .requested)
                try await bob.accept("Ada")
                try await ada.deliversAll(within: .seconds(40))
                #expect(try await bob.texts(with: "Ada") == ["may I", "please"])
            }
        }
    }
}
