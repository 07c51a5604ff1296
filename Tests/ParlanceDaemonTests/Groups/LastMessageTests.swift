import Foundation
import ParlanceControl
import Testing

extension ProgramTests {
    /// `last` stands for the newest message, and the answer says which one that is.
    @Suite struct LastMessageTests {
        @Test func oneAnswersTheNewestMessageOfSomebodyElse() async throws {
            try await Lab.run { lab in
                let crew = try await Crew.grouped(in: lab)
                let direct = try await crew.bob.send("are you there?", to: "Ada").id
                try await crew.ada.shows(direct, in: "Bob", "from Bob") { $0.text == "are you there?" }
                let question = try await crew.bob.send("who has the key?", to: "Crew").id
                try await crew.ada.shows(question, in: "Crew", "from Bob") { $0.text == "who has the key?" }
                try await crew.ada.send("somebody has", to: "Crew")

                let reply = try await crew.ada.parlance("reply", "last", "I do")
                #expect(reply.output.hasPrefix("The message of Bob in Crew: who has the key?\n"), "\(reply)")
                #expect(try await crew.ada.messages(in: "Crew").last?.answers?.id == question)

                let liked = try await crew.ada.parlance("react", "LAST:bob", "👍")
                #expect(liked.output == "The message of Bob: are you there?\nReactions: 👍 you\n", "\(liked.errors)")
            }
        }

        @Test func oneChangesOnesOwnNewestMessage() async throws {
            try await Lab.run { lab in
                let pair = try await Pair.meeting(in: lab)
                let sent = try await pair.ada.send("see you at noon", to: "Bob").id
                let answer = try await pair.bob.send("fine", to: "Ada").id
                try await pair.ada.shows(answer, in: "Bob", "from Bob") { $0.text == "fine" }
                let edited = try await pair.ada.ask(EditOperation(id: "last", text: "see you at one"))
                #expect(edited.id == sent && edited.meant?.text == "see you at noon" && edited.meant?.title == "Bob")
                #expect(try await pair.ada.ask(InfoOperation(id: "last")).message.id == sent)
                let gone = try await pair.ada.parlance("delete", "last:Bob")
                #expect(gone.output.hasPrefix("Your message to Bob: see you at one\nDeleted here."), "\(gone)")
                // It is still the last one, and no older one is changed in its place.
                for words in [["delete", "last:Bob"], ["edit", "last:Bob", "at six"]] {
                    Refusal.given("That message has been deleted.").check(
                        try await pair.ada.parlance(words),
                        of: words.joined(separator: " ")
                    )
                }
            }
        }

        @Test func oneWithAFileOnlyIsNamedByTheFile() async throws {
            try await Lab.run { lab in
                let pair = try await Pair.meeting(in: lab)
                let plan = lab.folder.appending(path: "plan.pdf")
                try Data("first".utf8).write(to: plan)
                #expect(try await pair.ada.parlance("send", "Bob", "--file", plan.path).code == 0)
                let gone = try await pair.ada.parlance("delete", "last")
                #expect(gone.output.hasPrefix("Your message to Bob: plan.pdf\n"), "\(gone)")
            }
        }

        @Test func whatIsMissingIsTold() async throws {
            try await Lab.run { lab in
                let crew = try await Crew.grouped(in: lab)
                Refusal.given("No message from anybody else is here").check(
                    try await crew.ada.parlance("reply", "last", "yes"),
                    of: "answering nothing"
                )
                Refusal.given("No message from Bob is here").check(
                    try await crew.ada.parlance("reply", "last:Bob", "yes"),
                    of: "answering nothing of Bob"
                )
                Refusal.given("None of your messages is in the group Crew").check(
                    try await crew.ada.parlance("edit", "last:Crew", "yes"),
                    of: "editing nothing"
                )
                Refusal.given("Nobody here is called").check(
                    try await crew.ada.parlance("edit", "last:Dan", "yes"),
                    of: "a message to nobody"
                )
            }
        }

        @Test func theNewestMessageIsTakenBack() async throws {
            try await Lab.run { lab in
                let pair = try await Pair.meeting(in: lab)
                try await pair.ada.deliversAll()
                Refusal.given("Your newest message does not wait").check(
                    try await pair.ada.parlance("outbox", "retry", "last"),
                    of: "a message that Bob has"
                )
                try await pair.bob.kill()
                try await pair.ada.sees("Bob", "not connected") { !$0.connected }
                try await pair.ada.send("see you at noon", to: "Bob")
                let again = try await pair.ada.parlance("outbox", "retry", "last:Bob")
                #expect(
                    again.output.hasPrefix("Your message to Bob: see you at noon\nTrying again now."),
                    "\(again)"
                )
                let gone = try await pair.ada.parlance("outbox", "cancel", "last")
                #expect(gone.output.hasPrefix("Your message to Bob: see you at noon\nCancelled."), "\(gone)")
                #expect(try await pair.ada.outbox().isEmpty)
                // It is not shown any more, and no older one is changed in its place.
                for words in [["outbox", "cancel", "last"], ["delete", "last"], ["edit", "last:Bob", "at one"]] {
                    Refusal.given("Your newest message, to Bob, was taken back").check(
                        try await pair.ada.parlance(words),
                        of: words.joined(separator: " ")
                    )
                }
                let next = try await pair.ada.send("at two", to: "Bob").id
                #expect(try await pair.ada.ask(EditOperation(id: "last", text: "at three")).id == next)
            }
        }

        @Test func aGroupThatOneHasLeftDoesNotCount() async throws {
            try await Lab.run { lab in
                let crew = try await Crew.grouped(in: lab)
                let direct = try await crew.ada.send("are you there?", to: "Bob").id
                try await crew.bob.shows(direct, in: "Ada", "from Ada") { $0.text == "are you there?" }
                let later = try await crew.ada.send("who has the key?", to: "Crew").id
                try await crew.bob.shows(later, in: "Crew", "from Ada") { $0.text == "who has the key?" }
                #expect(try await crew.bob.parlance("group", "leave", "Crew").code == 0)
                let reply = try await crew.bob.parlance("reply", "last", "yes")
                #expect(reply.output.hasPrefix("The message of Ada: are you there?\n"), "\(reply)")
            }
        }
    }
}
