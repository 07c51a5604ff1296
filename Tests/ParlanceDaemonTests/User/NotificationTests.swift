import Foundation
import ParlanceControl
import ParlanceWaiting
import ParlanceWords
import Synchronization
import Testing

extension ProgramTests {
    /// Notifications of a real daemon on a real bus.
    @Suite struct NotificationTests {
        /// Ada, whose desktop it is, and Bob, who has none.
        private struct Scene {
            let lab: Lab
            let pair: Pair
            let bus: PrivateBus
            let desktop: SmallDesktop

            init(_ lab: Lab, runner: [String] = [], capabilities: [String] = ["body", "actions", "body-markup"])
                async throws
            {
                self.lab = lab
                bus = try await PrivateBus.start(in: lab)
                desktop = try SmallDesktop(
                    address: PrivateBus.address(in: lab.folder.path),
                    capabilities: capabilities
                )
                let file = lab.folder.appendingPathComponent("config.yaml")
                try Data("# none\n".utf8).write(to: file)
                pair = try NotificationTests.pair(
                    lab,
                    arguments: ["--config", file.path],
                    runner: LabNode.withoutTerminal + runner
                )
                try await pair.start()
                try await NotificationTests.ready(pair.ada)
            }

            var ada: LabNode { pair.ada }
            var calls: [SmallDesktop.Shown] { desktop.record.withLock { $0.calls } }

            func end() async throws {
                desktop.stop()
                try await bus.stop(in: lab)
            }

            /// Waits until the only thing on the screen is this, and returns its number.
            @discardableResult
            func shows(_ title: String, _ body: String, within limit: Duration = .seconds(10)) async throws -> UInt32 {
                try await soon("the desktop shows \(title): \(body)", within: limit, last: "\(calls.suffix(3))") {
                    desktop.record.withLock { record in
                        let shown = record.screen.values.first
                        return record.screen.count == 1 && shown?.title == title && shown?.body == body
                            ? shown?.number : nil
                    }
                }
            }

            func isEmpty() async throws {
                try await eventually("the desktop shows nothing") { desktop.record.withLock { $0.screen.isEmpty } }
            }

            /// Bob writes something, and Ada has it.
            func write(_ text: String) async throws {
                let id = try await pair.bob.send(text, to: "Ada").id
                try await eventually("Ada has \(text)") {
                    try await pair.ada.ask(HistoryOperation(who: "Bob", limit: 5)).messages.contains { $0.id == id }
                }
            }
        }

        static func pair(_ lab: Lab, arguments: [String], runner: [String] = []) throws -> Pair {
            let (first, second) = (try Lab.freePort(), try Lab.freePort())
            let ada = LabNode.onLoopback(
                lab,
                "Ada",
                port: first,
                dials: [second],
                runner: runner,
                arguments: arguments
            )
            let bob = LabNode.onLoopback(
                lab,
                "Bob",
                port: second,
                dials: [first],
                arguments: ["--notify", "none"]
            )
            return Pair(ada: ada, bob: bob)
        }

        /// What the doctor says of notifications.
        private static func line(_ node: LabNode) async throws -> String {
            let looked = try await node.ask(DoctorOperation()).looked.map(\.english)
            return try #require(looked.first { $0.hasPrefix("notifications: ") })
        }

        static let direct = "notifications: of mentions, direct messages and requests to talk"

        static func ready(_ node: LabNode, _ expected: String = direct) async throws {
            var last = ""
            try await eventually("the doctor says: \(expected)", within: .seconds(30), last: last) {
                last = try await line(node)
                return last == expected
            }
        }

        @Test func messagesOfAConversationAreOneNotificationUntilTheyAreRead() async throws {
            try await Lab.run { lab in
                let scene = try await Scene(lab)
                try await scene.write("<b>one</b> & \"two\" isn't\u{1B}[31m\nthree")
                let number = try await scene.shows(
                    "Bob",
                    "&lt;b&gt;one&lt;/b&gt; &amp; &quot;two&quot; isn&apos;t\\u{1B}[31m three"
                )
                let first = try #require(scene.calls.first)
                #expect(first.actions == ["default", "Open"] && first.category == "im.received")
                try await scene.write("four")
                try await scene.write("five")
                #expect(try await scene.shows("Bob", "3 new messages\nfive") == number)
                #expect(scene.calls.dropFirst().allSatisfy { $0.replaced == number })
                // Read with the command, as on any face.
                #expect(try await scene.ada.parlance("read", "Bob").code == 0)
                try await scene.isEmpty()
                #expect(scene.desktop.record.withLock { $0.closed } == [number])

                // One that its user has closed begins anew.
                try await scene.write("six")
                scene.desktop.dismiss(try await scene.shows("Bob", "six"))
                try await scene.write("seven")
                let last = try await scene.shows("Bob", "seven")
                #expect(scene.calls.last?.replaced == 0)
                // What is taken back is not quoted any more; an answer closes.
                try await scene.pair.bob.ask(DeleteOperation(id: "last:Ada"))
                try await scene.isEmpty()
                try await scene.write("eight")
                #expect(try await scene.shows("Bob", "eight") > last)
                try await scene.ada.send("answer", to: "Bob")
                try await scene.isEmpty()
                try await scene.end()
            }
        }

        @Test func aClickOpensTheConversation() async throws {
            try await Lab.run { lab in
                let terminal = try FakeTerminal(in: lab)
                let scene = try await Scene(lab, runner: terminal.runner)
                try await scene.write("look")
                let number = try await scene.shows("Bob", "look")
                scene.desktop.click(number + 7)
                scene.desktop.click(number, "other")
                scene.desktop.click(number)
                let bob = try #require(try await scene.ada.peer("Bob"))
                let command = try Programs.own("parlance").path
                let words = try await terminal.opened()
                #expect(words == ["-e", command, "chat", "--data-dir", scene.ada.folder.path, bob.id])
                try await scene.isEmpty()
                try await scene.end()
            }
        }

        @Test func theUserDecidesWhatInterrupts() async throws {
            try await Lab.run { lab in
                let scene = try await Scene(lab, capabilities: ["body"])
                try await scene.write("a < b")
                try await scene.shows("Bob", "a < b")
                #expect(scene.calls.first?.actions == [])
                try await scene.ada.ask(ReadOperation(who: "Bob"))
                try await scene.isEmpty()

                let silent = { (what: String) in
                    let before = scene.calls.count
                    try await scene.write(what)
                    #expect(scene.calls.count == before, "\(what)")
                }
                try await scene.ada.ask(PresenceOperation(state: .busy))
                try await silent("while busy")
                try await scene.ada.ask(PresenceOperation(state: .online))
                try await scene.ada.ask(MuteOperation(who: "Bob"))
                try await silent("while muted")
                try await scene.write("@Ada, in spite of that")
                try await scene.shows("Bob", "@Ada, in spite of that")
                try await scene.ada.ask(UnmuteOperation(who: "Bob"))
                try await scene.ada.ask(ReadOperation(who: "Bob"))

                let set = { (words: String...) in
                    let outcome = try await scene.ada.parlance(["config", "set"] + words)
                    #expect(outcome.output.contains("In force now."), "\(outcome)")
                }
                try await set("quiet-hours", "00:00-23:59")
                try await Self.ready(scene.ada, Self.direct + ", but not at 00:00-23:59")
                try await silent("in quiet hours")
                try await set("quiet-hours", "none")
                try await set("notify", "mention")
                try await Self.ready(scene.ada, "notifications: of mentions")
                try await silent("not a mention")
                try await set("notify", "none")
                try await silent("@Ada, nothing at all")
                try await set("notify", "direct")
                try await scene.write("again")
                try await scene.shows("Bob", "again")
                Refusal.given("is not a part of a day").check(
                    try await scene.ada.parlance("config", "set", "quiet-hours", "at night"),
                    of: "wrong hours"
                )
                try await scene.end()
            }
        }

        @Test func aConversationThatAFaceShowsIsQuiet() async throws {
            try await Lab.run { lab in
                let scene = try await Scene(lab)
                try await scene.write("before")
                try await scene.shows("Bob", "before")
                let face = try await ControlClient.connect(to: scene.ada.socketPath)
                let id = try #require(try await scene.ada.conversation(with: "Bob")?.id)
                _ = try await face.call(ShowsOperation(conversation: id))
                try await scene.isEmpty()
                let before = scene.calls.count
                try await scene.write("on the screen")
                #expect(scene.calls.count == before)
                _ = try await face.call(ShowsOperation(conversation: "another"))
                try await scene.write("not on the screen")
                try await scene.shows("Bob", "not on the screen")
                _ = try await face.call(ShowsOperation(conversation: id))
                try await scene.isEmpty()
                // What a face reports ends with its connection.
                await face.close()
                try await eventually("it is notified of again", last: "\(scene.calls.suffix(1))") {
                    try await scene.write("gone")
                    return scene.desktop.record.withLock { !$0.screen.isEmpty }
                }
                try await scene.end()
            }
        }

        @Test func requestsOfStrangersRingOnceAMinute() async throws {
            try await Lab.run { lab in
                let scene = try await Scene(lab)
                for (name, text) in [("Eve", "let me in"), ("Mallory", "me too")] {
                    let stranger = LabNode.onLoopback(
                        lab,
                        name,
                        port: try Lab.freePort(),
                        dials: [scene.ada.port],
                        arguments: ["--notify", "none"]
                    )
                    try await stranger.start()
                    try await stranger.sees("Ada", "connected") { $0.connected }
                    try await stranger.send(text, to: "Ada")
                    try await eventually("\(name) has asked") {
                        try await scene.ada.conversation(with: name)?.contact == .requested
                    }
                }
                try await scene.shows("Eve asks to talk", "let me in")
                try await scene.ada.accept("Eve")
                // Her message is a direct one now, and may pop up itself.
                try await eventually("the request is closed") {
                    scene.desktop.record.withLock { !$0.screen.values.contains { $0.title == "Eve asks to talk" } }
                }
                #expect(scene.calls.filter { $0.title.hasSuffix(" to talk") }.count == 1)
                try await scene.end()
            }
        }

        @Test func aFloodIsOneNotificationThatDoesNotBlink() async throws {
            try await Lab.run { lab in
                let scene = try await Scene(lab)
                let begin = ContinuousClock.now
                let client = try await scene.pair.bob.client()
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in 1...2_000 {
                        group.addTask { _ = try await client.call(SendOperation(who: "Ada", text: "\(number)")) }
                    }
                    try await group.waitForAll()
                }
                try await eventually("all are counted", within: .seconds(30), last: "\(scene.calls.suffix(1))") {
                    scene.calls.last?.body.hasPrefix("2000 new messages\n") == true
                }
                let seconds = (ContinuousClock.now - begin).components.seconds
                #expect(scene.calls.count <= Int(seconds + 2) * 5)
                #expect(Set(scene.calls.map(\.number)).count == 1)
                try await scene.end()
            }
        }

        @Test func theDaemonGoesOnWithoutADesktopAndFindsItWhenItComes() async throws {
            try await Lab.run(limit: .seconds(120)) { lab in
                let pair = try Self.pair(lab, arguments: [])
                try await pair.start()
                try await Self.ready(
                    pair.ada,
                    Self.direct + "; nothing pops up, because there is no desktop session here"
                )
                let bus = try await PrivateBus.start(in: lab)
                let address = PrivateBus.address(in: lab.folder.path)
                let noProgram = "; nothing pops up, because no program of this session shows notifications"
                try await Self.ready(pair.ada, Self.direct + noProgram)
                try await pair.bob.send("the desktop is still starting", to: "Ada")
                try await pair.bob.deliversAll()

                // In the first minute that waits for the desktop.
                let first = try SmallDesktop(address: address)
                try await eventually("it is shown", within: .seconds(30)) {
                    first.record.withLock { $0.calls.map(\.body) } == ["the desktop is still starting"]
                }
                try await Self.ready(pair.ada)
                try await pair.bob.send("one", to: "Ada")
                try await eventually("both are shown") {
                    first.record.withLock { $0.screen.values.map(\.body) } == ["2 new messages\none"]
                }
                first.refuse(true)
                try await pair.bob.send("two", to: "Ada")
                try await Self.ready(
                    pair.ada,
                    Self.direct + "; the desktop refused the last one: Device or resource busy"
                )
                first.stop()
                try await Self.ready(pair.ada, Self.direct + noProgram)
                // From then on it is news of yesterday.
                try await pair.bob.send("nobody shows this", to: "Ada")
                try await pair.bob.deliversAll()

                // Another program counts from one again, and nothing of the first one is replaced.
                let second = try SmallDesktop(address: address)
                try await Self.ready(pair.ada)
                try await pair.bob.send("three", to: "Ada")
                try await eventually("it is shown anew") {
                    second.record.withLock { $0.calls.map(\.replaced) } == [0]
                }
                second.stop()
                try await bus.stop(in: lab)
                try await Self.ready(
                    pair.ada,
                    Self.direct + "; nothing pops up, because there is no desktop session here"
                )
                let child = try #require(pair.ada.child)
                #expect(child.complained == "", "it is silent about all that")
                #expect(try await pair.ada.end(SIGTERM) == 0)
            }
        }
    }
}
