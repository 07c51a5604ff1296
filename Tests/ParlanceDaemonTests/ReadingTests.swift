import Foundation
import ParlanceControl
import ParlanceWaiting
import Testing

extension ProgramTests {
    /// Only what was shown counts as read.
    @Suite struct ReadingTests {
        @Test func aPageThatLacksUnreadMessagesLeavesAllUnread() async throws {
            try await Lab.run { lab in
                let pair = try await Pair.meeting(in: lab)
                let (last, all) = try await Self.write(["one", "two", "three"], from: pair.ada, to: pair.bob)
                let page = try await pair.bob.parlance("history", "Ada", "--limit", "2")
                #expect(page.output.contains("so all stay unread. To see "))
                #expect(!page.output.contains("Older messages"), "it is said once")
                #expect(page.output.contains("parlance read Ada"))
                #expect(try await pair.bob.peer("Ada")?.unread == all)
                let whole = try await pair.bob.parlance("history", "Ada")
                #expect(!whole.output.contains("unread"), "\(whole.output)")
                try await eventually("Ada sees that Bob has read it") {
                    try await pair.ada.history(with: "Bob").last { $0.id == last }?.status == .read
                }
                #expect(try await pair.bob.peer("Ada")?.unread == 0)
            }
        }

        @Test func whatComesAfterThePageStaysUnread() async throws {
            try await Lab.run { lab in
                let pair = try await Pair.meeting(in: lab)
                let (last, all) = try await Self.write(["one", "two"], from: pair.ada, to: pair.bob)
                let page = try await pair.bob.ask(HistoryOperation(who: "Ada"))
                #expect(page.messages.count { $0.unread == true } == all)
                _ = try await Self.write(["three", "four"], from: pair.ada, to: pair.bob)
                let reply = try await pair.bob.ask(ReadOperation(who: "Ada", through: last))
                #expect(reply.marked == all)
                let left = try await pair.bob.ask(HistoryOperation(who: "Ada")).messages
                #expect(left.filter { $0.unread == true }.map(\.text) == ["three", "four"])
                try await eventually("Ada sees how far Bob has read") {
                    let seen = try await pair.ada.history(with: "Bob").map { $0.status }
                    return seen.suffix(4) == [.read, .read, .delivered, .delivered]
                }
                Refusal.given("No message in this conversation has that ID").check(
                    try await pair.bob.parlance("history", "Ada", "--before", "aaaaaaaaaaaa"),
                    of: "a page before nothing"
                )
                await #expect(throws: ControlFailure.self) {
                    _ = try await pair.bob.ask(ReadOperation(who: "Ada", through: "aaaaaaaaaaaa"))
                }
            }
        }

        /// Writes texts and waits until they arrived: the ID of the last one, and how many messages are unread then.
        private static func write(
            _ texts: [String],
            from sender: LabNode,
            to recipient: LabNode
        ) async throws -> (last: String, unread: Int) {
            var last = ""
            for text in texts { last = try await sender.send(text, to: "Bob").id }
            let id = last
            try await eventually("all texts arrived") {
                try await recipient.history(with: "Ada").contains { $0.id == id }
            }
            return (last, try await recipient.peer("Ada")?.unread ?? 0)
        }
    }
}
