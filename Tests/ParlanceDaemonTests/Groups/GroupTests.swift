import Foundation
import ParlanceControl
import ParlanceWaiting
import ParlanceWords
import Testing

extension ProgramTests {
    /// Groups with real daemons: their members, and who gets what.
    @Suite struct GroupTests {
        @Test func messagesOfAGroupReachEverybodyOnceAndInOneOrder() async throws {
            try await Lab.run { lab in
                let crew = try await Crew.grouped(in: lab)
                let sent = try await crew.ada.send("from Ada", to: "Crew")
                try await crew.bob.shows(sent.id, in: "Crew", "from Ada") {
                    $0.text == "from Ada" && $0.group == "Crew"
                }
                try await crew.cleo.shows(sent.id, in: "Crew", "from Ada") { !$0.mine && $0.senderName == "Ada" }
                for number in 1...5 {
                    for node in crew.all { try await node.send("\(node.name) \(number)", to: "Crew") }
                }
                for node in crew.all {
                    try await eventually("\(node.name) has all 16") { try await node.messages(in: "Crew").count == 16 }
                }
                let orders = try await [crew.ada, crew.bob, crew.cleo].asyncMap { node in
                    try await node.history(with: "Crew", page: 3).map(\.id)
                }
                #expect(orders[0] == orders[1] && orders[1] == orders[2])
                #expect(Set(orders[0]).count == orders[0].count)

                let whole = try await crew.ada.shows(sent.id, in: "Crew", "delivered") { $0.status == .delivered }
                #expect(whole.reach == ReachInfo(recipients: 2, delivered: 2, read: 0, readBy: []))
                #expect(try await crew.bob.parlance("read", "Crew").output.contains("marked as read"))
                let read = try await crew.ada.shows(sent.id, in: "Crew", "read by Bob") { $0.reach?.read == 1 }
                #expect(read.reach?.readBy.map(\.displayName) == ["Bob"])
                #expect(read.status == .delivered && read.statusWords == "delivered 2/2, read by Bob")
                let shown = try await crew.ada.parlance("history", "Crew").output
                #expect(shown.contains("from Ada  [delivered 2/2, read by Bob]"), "\(shown)")
                _ = try await crew.cleo.parlance("read", "Crew")
                try await crew.ada.shows(sent.id, in: "Crew", "read by all") { $0.status == .read }
            }
        }

        /// Somebody who has not accepted the adding member is asked first, and has nothing of the group until the
        /// answer is yes.
        @Test func aStrangerIsAskedBeforeJoining() async throws {
            try await Lab.run { lab in
                let ports = [try Lab.freePort(), try Lab.freePort()]
                let ada = LabNode.onLoopback(lab, "Ada", port: ports[0], dials: [ports[1]])
                let bob = LabNode.onLoopback(lab, "Bob", port: ports[1])
                try await ada.start()
                try await bob.start()
                try await ada.sees("Bob", "connected") { $0.connected }
                #expect(
                    try await ada.parlance("group", "create", "Crew", "Bob").output
                        == "Created the group Crew. Members: you and Bob.\n"
                        + "Bob is asked first, and joins after accepting you or another member.\n"
                )
                #expect(try await ada.has("Crew").members.map(\.trust) == [nil, .accepted])
                #expect(try await ada.has("Crew").members.map(\.asked) == [nil, true])
                try await ada.send("hello", to: "Crew")
                try await eventually("Bob is asked") { try await bob.conversation(with: "Ada")?.contact == .requested }
                #expect(try await ada.outbox().map(\.why) == ["Bob has been asked and has not accepted yet"])
                #expect(try await bob.groups().isEmpty)
                try await bob.accept("Ada")
                try await bob.has("Crew") { $0.isMember }
                try await ada.has("Crew") { $0.members.allSatisfy { $0.asked == nil } }
                try await bob.reads(["hello"], in: "Crew")
                try await ada.deliversAll()
            }
        }

        @Test func historyTellsHowTheGroupChanged() async throws {
            try await Lab.run { lab in
                let crew = try await Crew.grouped(in: lab)
                #expect(
                    try await crew.ada.parlance("group", "rename", "Crew", "Night", "watch").output
                        == "The group's title is now Night watch.\n"
                )
                #expect(
                    try await crew.ada.parlance("group", "topic", "Night watch", "the dock").output
                        == "The topic of Night watch: the dock\n"
                )
                #expect(
                    try await crew.ada.parlance("group", "admin", "Night watch", "Bob").output
                        == "Admins of Night watch: you and Bob.\n"
                )
                try await crew.bob.has("Night watch") { $0.isAdmin && $0.topic == "the dock" }
                for words in [["send", "crew", "hello"], ["group", "show", "Crew"]] {
                    let old = try await crew.bob.parlance(words)
                    #expect(old.code == 65 && old.errors.contains("is now called \"Night watch\"."), "\(old.errors)")
                }
                #expect(try await crew.bob.parlance("group", "topic", "Night watch", "--clear").code == 0)
                try await crew.cleo.has("Night watch") { $0.topic == nil }
                let notes = [
                    "Ada created the group \"Crew\" with Bob and you", "Ada renamed the group to \"Night watch\"",
                    "Ada set the topic: the dock", "Ada made Bob an admin", "Bob removed the topic",
                ]
                try await eventually("Cleo reads all five lines") {
                    try await crew.cleo.history(with: "Night watch").count == notes.count
                }
                let shown = try await crew.cleo.parlance("history", "Night watch").output
                for note in notes { #expect(shown.contains("* \(note)"), "\(note): \(shown)") }
                let members = try await crew.cleo.has("Night watch").members
                // Cleo knows Bob from Ada's invitation and from Bob himself.
                #expect(members.map(\.displayName) == ["Cleo", "Ada", "Bob"])
                #expect(members.map(\.admin) == [false, true, true])
                #expect(members.map(\.trust) == [nil, .accepted, .unknown])
            }
        }

        @Test func whoIsRemovedIsToldAndGetsNothingMore() async throws {
            try await Lab.run { lab in
                let crew = try await Crew.grouped(in: lab)
                try await crew.ada.send("for all", to: "Crew")
                try await crew.cleo.reads(["for all"], in: "Crew")
                let watcher = try await Watcher(crew.cleo, events: "group,peer,message")
                #expect(
                    try await crew.ada.parlance("group", "remove", "Crew", "Cleo").output
                        == "Members of Crew: you and Bob.\n"
                )
                let end = try await watcher.sees("group") { $0["isMember"] == .bool(false) }
                #expect(end["ended"]?["by"]?["displayName"]?.text == "Ada")
                try await crew.bob.has("Crew") { $0.members.count == 2 }
                let sent = try await crew.ada.send("for two", to: "Crew")
                try await crew.bob.reads(["for all", "for two"], in: "Crew")
                let after = try await crew.ada.shows(sent.id, in: "Crew", "delivered to Bob") {
                    $0.status == .delivered
                }
                #expect(after.reach?.recipients == 1)
                #expect(try await crew.cleo.messages(in: "Crew").map(\.text) == ["for all"])
                #expect(try watcher.events("message").isEmpty)
                let shown = try await crew.cleo.parlance("history", "Crew").output
                #expect(shown.contains("* Ada removed you"), "\(shown)")
                #expect(shown.contains("You are not a member of Crew any more: Ada removed you, "), "\(shown)")
                let lines = try await crew.cleo.history(with: "Crew", page: 1)
                #expect(lines.map { $0.note?.kind } == [.created, nil, .removed])
                #expect(lines.last?.note?.people.map(\.me) == [true])
                let about = try await crew.cleo.parlance("group", "show", "Crew").output
                #expect(about.contains("You are not a member any more: Ada removed you, "), "\(about)")
                #expect(try await crew.cleo.parlance("conversations", "--all").output.contains("not a member"))
                Refusal.given("not a member of this group any more: Ada removed you", "Ask an admin").check(
                    try await crew.cleo.parlance("send", "Crew", "let me in"),
                    of: "writing to a group one was removed from"
                )
                // After she is added again, Cleo gets what she missed.
                #expect(try await crew.ada.parlance("group", "add", "Crew", "Cleo").code == 0)
                try await crew.cleo.reads(["for all", "for two"], in: "Crew")
                let whole = try await crew.cleo.history(with: "Crew").map { $0.note?.kind }
                #expect(whole == [.created, nil, .removed, nil, .added])
            }
        }

        /// A message that only a removed member lacked is delivered, and watchers are told.
        @Test func aRemovalMayCompleteADelivery() async throws {
            try await Lab.run { lab in
                let crew = try await Crew.grouped(in: lab)
                #expect(try await crew.ada.parlance("group", "admin", "Crew", "Bob").code == 0)
                try await crew.bob.has("Crew") { $0.members.contains { $0.me == true && $0.admin } }
                try await crew.cleo.kill()
                let sent = try await crew.ada.send("for all", to: "Crew")
                try await crew.bob.reads(["for all"], in: "Crew")
                let watcher = try await Watcher(crew.ada, events: "status,peer")
                #expect(try await crew.bob.parlance("group", "remove", "Crew", "Cleo").code == 0)
                _ = try await watcher.sees("status") {
                    $0["status"]?.text == "delivered" && $0["sequence"] == .integer(Int64(sent.sequence))
                }
            }
        }

        /// The departure of a member is shown to that member and to the others.
        @Test func whoLeavesReadsThatItLeft() async throws {
            try await Lab.run { lab in
                let crew = try await Crew.grouped(in: lab)
                let watcher = try await Watcher(crew.ada)
                #expect(try await crew.bob.parlance("group", "leave", "Crew").code == 0)
                try await watcher.sees("note") { $0["note"]?["kind"]?.text == "left" }
                try await crew.ada.has("Crew") { $0.members.count == 2 }
                let shown = try await crew.bob.parlance("history", "Crew").output
                #expect(shown.contains("* You left"), "\(shown)")
                #expect(shown.contains("You are not a member of Crew any more: you left, "), "\(shown)")
                #expect(try await crew.bob.history(with: "Crew").filter { $0.note?.kind == .left }.count == 1)
                for other in [crew.ada, crew.cleo] {
                    _ = try await other.soonHistory("Crew") { $0.contains("* Bob left") }
                }
                Refusal.given("not a member of this group any more: you left").check(
                    try await crew.bob.parlance("send", "Crew", "one more thing"),
                    of: "writing to a group one has left"
                )
            }
        }

        @Test func aMemberHandsOnWhatAnAbsentOneWrote() async throws {
            try await Lab.run { lab in
                let crew = try await Crew.grouped(in: lab)
                try await crew.cleo.end(SIGTERM)
                try await crew.ada.sees("Cleo", "not connected") { !$0.connected }
                var ids: [String] = []
                for text in ["one", "two", "three"] { ids.append(try await crew.ada.send(text, to: "Crew").id) }
                try await crew.bob.reads(["one", "two", "three"], in: "Crew")
                let waiting = try await crew.ada.shows(ids[2], in: "Crew", "at Bob only") { $0.reach?.delivered == 1 }
                #expect(waiting.status == .sent)
                #expect(waiting.waitingReason == "Cleo is offline" && waiting.statusWords == "delivered 1/2")
                let items = try await crew.ada.outbox()
                #expect(items.map(\.id) == ids)
                #expect(items.allSatisfy { $0.recipients.map(\.displayName) == ["Cleo"] && $0.group == "Crew" })
                let info = try await crew.ada.parlance("info", String(ids[0].prefix(8))).output
                #expect(info.contains("delivered 1/2") && info.contains("Cleo is offline"), "\(info)")

                // Ada goes offline; when Cleo comes, only Bob is there.
                try await crew.ada.end(SIGTERM)
                try await crew.cleo.start()
                try await crew.cleo.reads(["one", "two", "three"], in: "Crew", within: .seconds(40))
                let how = try await crew.cleo.parlance("info", ids[0]).output
                #expect(how.contains("through    Bob"), "\(how)")
                let answer = try await crew.cleo.send("got it", to: "Crew")
                try await crew.bob.shows(answer.id, in: "Crew", "from Cleo") { $0.senderName == "Cleo" }

                // When Ada is back, she learns that the messages arrived, and gets the answer.
                try await crew.ada.start()
                try await crew.ada.shows(ids[2], in: "Crew", "delivered", within: .seconds(40)) {
                    $0.status == .delivered
                }
                try await crew.ada.reads(["one", "two", "three", "got it"], in: "Crew")
                try await crew.ada.deliversAll(within: .seconds(40))
            }
        }

        @Test func aLostDiskComesBackFromTheOthers() async throws {
            try await Lab.run { lab in
                let crew = try await Crew.grouped(in: lab)
                try await crew.ada.send("first", to: "Crew")
                try await crew.bob.send("second", to: "Crew")
                for node in crew.all { try await node.reads(["first", "second"], in: "Crew") }
                try await crew.ada.end(SIGTERM)
                let files = try FileManager.default.contentsOfDirectory(atPath: crew.ada.folder.path)
                for file in files where file.hasPrefix("store.sqlite") {
                    try FileManager.default.removeItem(at: crew.ada.folder.appendingPathComponent(file))
                }
                try await crew.ada.start()
                try await crew.ada.has("Crew", within: .seconds(40)) { $0.members.count == 3 && $0.isAdmin }
                try await crew.ada.reads(["first", "second"], in: "Crew", within: .seconds(40))
                #expect(try await crew.ada.messages(in: "Crew").map(\.mine) == [true, false])
                try await crew.ada.send("third", to: "Crew")
                for node in crew.all { try await node.reads(["first", "second", "third"], in: "Crew") }
            }
        }
    }
}

extension Array {
    /// `map` with an asynchronous body, one element after the other.
    func asyncMap<Value>(_ body: (Element) async throws -> Value) async rethrows -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await body(element)) }
        return values
    }
}
