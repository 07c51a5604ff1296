import ParlanceCore
import ParlanceRecords
import ParlanceTestKit
import ParlanceWire
import Testing

/// Conversations that a user clears, deletes and hides, and what the others make of that (events.md, "Cleared").
@Suite struct ClearingTests {
    private static let hour: Int64 = 3_600_000

    private static func texts(_ world: SimulatedWorld, _ node: Int, _ place: ConversationID) -> [String] {
        GroupTests.texts(world, node, place)
    }

    private static func give(_ command: Command, _ world: SimulatedWorld, _ node: Int) throws -> Preference {
        let id = world.give(command, to: node)
        world.run(for: 1_000)
        guard case .success(.preference(_, let preference)) = world.nodes[node].answers[id] else {
            throw EngineBench.Unexpected(what: "no answer: \(String(describing: world.nodes[node].answers[id]))")
        }
        return preference
    }

    private static func clear(_ who: String, _ world: SimulatedWorld, _ node: Int, deletes: Bool = false) throws {
        let preference = try give(.clear(who: who, deletes: deletes), world, node)
        #expect(preference.unlisted == (deletes ? .deleted : nil))
        world.run(for: 2_000)
    }

    private static func unlisted(_ world: SimulatedWorld, _ node: Int, _ place: ConversationID) -> Preference.Unlisted?
    {
        world.nodes[node].disk.snapshot.preferences.first { $0.conversation == place }?.preference.unlisted
    }

    private static func say(_ text: String, _ who: String, _ world: SimulatedWorld, _ node: Int) {
        world.give(.send(who: who, text: text), to: node)
        world.run(for: 2_000)
    }

    /// Nodes 0 to 2 in a group; node 0 has written "old 1" and "old 2", node 1 "old 3"; all are delivered and unread.
    private func group() throws -> (SimulatedWorld, ConversationID) {
        let (world, group) = try GroupTests.world(3)
        for (node, text) in [(0, "old 1"), (0, "old 2"), (1, "old 3")] { Self.say(text, "Bridge", world, node) }
        return (world, group)
    }

    /// Ada and Bob, who know each other; Ada has written "old", and Bob "old too".
    private func pair() throws -> (SimulatedWorld, ConversationID) {
        let world = try SimulatedWorld(names: ["Ada", "Bob"], seed: 1)
        for node in 0..<2 { world.start(node) }
        world.run(for: 5_000)
        Self.say("old", "Bob", world, 0)
        world.run(for: 3_000)
        Self.say("old too", "Ada", world, 1)
        world.run(for: 3_000)
        return (world, ConversationID(direct: world.nodes[0].identity, world.nodes[1].identity))
    }

    @Test func whatIsThereGoesHereAndStaysElsewhere() throws {
        let (world, group) = try group()
        try Self.clear("Bridge", world, 0)
        #expect(Self.texts(world, 0, group).isEmpty, "unread ones too")
        for node in 1..<3 { #expect(Self.texts(world, node, group) == ["old 1", "old 2", "old 3"]) }
        // Nobody is told that what was not read was read.
        let marks = world.nodes[0].disk.watermarks.values.filter { $0.key.level == .read }
        #expect(!marks.contains { $0.key.member == world.nodes[0].identity })
        // It does not come back from the others, and what is new comes and stays.
        world.crash(0)
        world.start(0)
        Self.say("new", "Bridge", world, 1)
        world.run(for: 2 * Self.hour)
        #expect(Self.texts(world, 0, group) == ["new"])
        Self.say("own", "Bridge", world, 0)
        world.run(for: 2 * Self.hour)
        for node in 1..<3 { #expect(Self.texts(world, node, group).suffix(2) == ["new", "own"]) }
        let view = try world.deliveries(of: 0).first { $0.conversation == group }
        #expect(view?.recipients.allSatisfy { $0.reason == nil } == true)
    }

    @Test func whatWaitsIsDeliveredAndGoesThen() throws {
        let (world, group) = try group()
        world.crash(2)
        Self.say("for all", "Bridge", world, 0)
        try Self.clear("Bridge", world, 0)
        #expect(Self.texts(world, 0, group) == ["for all"])
        // The rest is remembered over a restart.
        world.crash(0)
        world.start(0)
        world.run(for: 2 * Self.hour)
        #expect(Self.texts(world, 0, group) == ["for all"])
        world.start(2)
        world.run(for: 2 * Self.hour)
        #expect(Self.texts(world, 0, group).isEmpty)
        #expect(Self.texts(world, 2, group) == ["old 1", "old 2", "old 3", "for all"])
    }

    @Test func muchGoesInSeveralBatches() throws {
        let (world, group) = try GroupTests.world(2)
        let count = 2 * Limits.retentionPerBatch + 100
        for number in 0..<count { world.give(.send(who: "Bridge", text: "\(number)"), to: 0) }
        world.run(for: Self.hour)
        try Self.clear("Bridge", world, 1)
        #expect(Self.texts(world, 1, group).isEmpty)
        #expect(Self.texts(world, 0, group).count == count)
    }

    /// A crash in the middle loses nothing of the command.
    @Test func aClearThatACrashEndsGoesOn() throws {
        let (world, group) = try GroupTests.world(2)
        for number in 0..<(2 * Limits.retentionPerBatch) { world.give(.send(who: "Bridge", text: "\(number)"), to: 0) }
        world.run(for: Self.hour)
        let id = world.give(.clear(who: "Bridge", deletes: false), to: 1)
        #expect(world.run(until: { world.nodes[1].answers[id] != nil }, within: 1_000))
        world.crash(1)
        #expect(!Self.texts(world, 1, group).isEmpty)
        world.start(1)
        world.run(for: Limits.retentionDelayMilliseconds + 2_000)
        #expect(Self.texts(world, 1, group).isEmpty)
    }

    @Test func aDeletedConversationComesBackWithWhatIsNew() throws {
        let (world, conversation) = try pair()
        try Self.clear("Bob", world, 0, deletes: true)
        #expect(Self.texts(world, 0, conversation).isEmpty)
        #expect(Self.unlisted(world, 0, conversation) == .deleted)
        world.crash(0)
        world.start(0)
        world.run(for: Self.hour)
        #expect(Self.unlisted(world, 0, conversation) == .deleted)
        Self.say("new", "Ada", world, 1)
        #expect(Self.texts(world, 0, conversation) == ["new"])
        #expect(Self.unlisted(world, 0, conversation) == nil)
        #expect(Self.texts(world, 1, conversation) == ["old", "old too", "new"])
    }

    @Test func aDeletedGroupComesBackOnRequest() throws {
        let (world, group) = try group()
        try Self.clear("Bridge", world, 0, deletes: true)
        Self.say("unwanted", "Bridge", world, 1)
        world.run(for: Limits.retentionDelayMilliseconds + 2_000)
        #expect(Self.unlisted(world, 0, group) == .deleted)
        #expect(Self.texts(world, 0, group).isEmpty)
        // Node 2 gets what node 1 wrote, and it counts as delivered to everybody.
        #expect(Self.texts(world, 2, group) == ["old 1", "old 2", "old 3", "unwanted"])
        let view = try world.deliveries(of: 1).first { $0.conversation == group }
        #expect(view?.recipients.allSatisfy { $0.reason == nil } == true)
        // What came in the meantime stays away.
        Self.say("just before", "Bridge", world, 1)
        #expect(try Self.give(.setPreference(who: "Bridge", .unlist(nil)), world, 0).unlisted == nil)
        world.run(for: 2_000)
        Self.say("wanted", "Bridge", world, 1)
        world.run(for: 2 * Self.hour)
        #expect(Self.texts(world, 0, group) == ["wanted"])
    }

    /// What others write in a group that was deleted goes soon, so nobody is told of it.
    @Test func nobodyIsToldOfWhatGoesAgain() throws {
        var crew = try GroupBench(1)
        crew.open(0)
        func told(_ text: String) -> Bool {
            crew.send([crew.write(text, by: 0)], by: 0)
            return crew.bench.takeEffects().contains {
                if case .notify(.message(let message)) = $0 { message.text == text } else { false }
            }
        }
        #expect(told("before"))
        _ = try crew.bench.ask(.clear(who: "Crew", deletes: true)).get()
        #expect(!told("unwanted"))
        _ = try crew.bench.ask(.send(who: "Crew", text: "I am back")).get()
        #expect(told("afterwards"))
        // A direct conversation comes back with the message.
        let bob = crew.peers[0]
        _ = try crew.bench.ask(.send(who: bob.identity.grouped, text: "to you")).get()
        _ = try crew.bench.ask(.clear(who: bob.identity.grouped, deletes: true)).get()
        _ = crew.bench.takeEffects()
        _ = try crew.bench.ask(.send(who: bob.identity.grouped, text: "again")).get()
        #expect(
            crew.bench.takeEffects().contains {
                if case .notify(.message(let message)) = $0 { message.text == "again" } else { false }
            }
        )
    }

    @Test(arguments: [false, true]) func nobodyIsToldOfWhatWaitsThere(isDeleted: Bool) throws {
        var crew = try GroupBench(2)
        crew.open(0)
        if isDeleted { _ = try crew.bench.ask(.clear(who: "Crew", deletes: true)).get() }
        let missing = crew.write("question", by: 1)
        let reference = EventReference(log: missing.log, sequence: 1, id: missing.id)
        crew.send([crew.peers[0].write("answer", to: crew.bench.identity, after: [reference], in: crew.group)], by: 0)
        crew.bench.pass(Limits.provisionalMilliseconds)
        func isTold() -> Bool {
            crew.bench.takeEffects().contains { if case .notify(.waiting) = $0 { true } else { false } }
        }
        #expect(isTold() != isDeleted)
        // When the group comes back, it is told.
        _ = try crew.bench.ask(.setPreference(who: "Crew", .unlist(nil))).get()
        #expect(isTold() == isDeleted)
    }

    /// A message that is shown although it waits goes too, and does not come back once it has its place. One that is not shown
    /// yet stays: its user has not seen it.
    @Test(arguments: [true, false]) func whatIsSeenWaitingGoes(isSeen: Bool) throws {
        var crew = try GroupBench(2)
        crew.open(0)
        let missing = crew.write("question", by: 1)
        let reference = EventReference(log: missing.log, sequence: missing.header.sequence, id: missing.id)
        crew.send([crew.peers[0].write("answer", to: crew.bench.identity, after: [reference], in: crew.group)], by: 0)
        crew.bench.pass(Limits.provisionalMilliseconds - (isSeen ? 0 : 1))
        _ = try crew.bench.ask(.clear(who: "Crew", deletes: false)).get()
        _ = crew.bench.takeEffects()
        crew.open(1)
        crew.send([missing], by: 1)
        let told = crew.bench.takeEffects().compactMap {
            if case .notify(.message(let message)) = $0 { message.text } else { nil }
        }
        #expect(told == (isSeen ? ["question"] : ["question", "answer"]))
        crew.bench.pass(1)
        let shown = crew.bench.disk.history(of: crew.group).filter { $0.note == nil }.map(\.text)
        #expect(shown == told)
    }

    @Test func whoWritesIntoADeletedGroupSeesItAgain() throws {
        let (world, group) = try group()
        try Self.clear("Bridge", world, 0, deletes: true)
        Self.say("unwanted", "Bridge", world, 1)
        Self.say("hello", "Bridge", world, 0)
        world.run(for: 2 * Self.hour)
        #expect(Self.unlisted(world, 0, group) == nil)
        #expect(Self.texts(world, 0, group) == ["hello"])
        #expect(Self.texts(world, 2, group).last == "hello")
    }

    /// Nobody gets anything from a group that is left, so all of it can go, and it comes back when somebody adds the user.
    @Test func aGroupThatIsLeftIsFreed() throws {
        let (world, group) = try group()
        world.give(.changeGroup(who: "Bridge", .appoint([world.nodes[1].identity.grouped])), to: 0)
        world.run(for: 2_000)
        world.crash(1)
        world.crash(2)
        Self.say("for nobody", "Bridge", world, 0)
        world.give(.changeGroup(who: "Bridge", .leave), to: 0)
        world.run(for: 2_000)
        try Self.clear("Bridge", world, 0)
        #expect(Self.texts(world, 0, group).isEmpty)
        try Self.clear("Bridge", world, 0, deletes: true)
        world.start(1)
        world.start(2)
        world.run(for: 60_000)
        #expect(Self.unlisted(world, 0, group) == .deleted)
        world.give(.changeGroup(who: "Bridge", .add([world.nodes[0].identity.grouped])), to: 1)
        world.run(for: 60_000)
        Self.say("back", "Bridge", world, 1)
        world.run(for: 2 * Self.hour)
        #expect(Self.unlisted(world, 0, group) == nil)
        #expect(Self.texts(world, 0, group) == ["back"])
    }

    /// A removal may turn out not to count: what nobody has stays with somebody who was removed, and is delivered then.
    @Test func whoWasRemovedKeepsWhatNobodyHas() throws {
        let (world, group) = try group()
        let ids = world.nodes.map(\.identity.grouped)
        world.give(.changeGroup(who: "Bridge", .appoint([ids[2]])), to: 0)
        world.run(for: 2_000)
        for node in 1..<3 { world.crash(node) }
        world.give(.changeGroup(who: "Bridge", .dismiss([ids[2]])), to: 0)
        world.run(for: 2_000)
        world.crash(0)
        world.start(1)
        Self.say("for nobody", "Bridge", world, 1)
        world.crash(1)
        // Node 2 is an admin no more, and does not know it yet.
        world.start(2)
        world.run(for: 2_000)
        world.give(.changeGroup(who: "Bridge", .remove([ids[1]])), to: 2)
        world.run(for: 2_000)
        world.start(1)
        world.run(for: 60_000)
        #expect(try world.deliveries(of: 1).first { $0.conversation == group }?.recipients.isEmpty == true)
        try Self.clear("Bridge", world, 1)
        world.run(for: 2 * Self.hour)
        world.start(0)
        world.run(for: Self.hour)
        #expect(Self.texts(world, 0, group) == ["old 1", "old 2", "old 3", "for nobody"])
        #expect(Self.texts(world, 2, group) == ["old 1", "old 2", "old 3", "for nobody"])
        world.run(for: 2 * Self.hour)
        #expect(Self.texts(world, 1, group).isEmpty)
    }

    @Test func aHiddenConversationIsShownWhenSomethingIsWritten() throws {
        let (world, conversation) = try pair()
        #expect(try Self.give(.setPreference(who: "Bob", .unlist(.hidden)), world, 0).unlisted == .hidden)
        world.run(for: Self.hour)
        #expect(Self.unlisted(world, 0, conversation) == .hidden)
        #expect(Self.texts(world, 0, conversation) == ["old", "old too"])
        Self.say("new", "Ada", world, 1)
        #expect(Self.unlisted(world, 0, conversation) == nil)
        #expect(Self.texts(world, 0, conversation) == ["old", "old too", "new"])
    }

    /// An edit of a cleared message that waits for somebody is delivered, and brings nothing back.
    @Test func anEditThatWaitsBringsNothingBack() throws {
        let (world, group) = try group()
        let first = try #require(world.nodes[0].disk.history(of: group).first { $0.text == "old 1" })
        world.crash(2)
        world.give(.edit(MessageReference(conversation: group, event: first.reference), text: "edited"), to: 0)
        world.run(for: 1_000)
        try Self.clear("Bridge", world, 0)
        #expect(Self.texts(world, 0, group).isEmpty)
        world.start(2)
        world.run(for: 2 * Self.hour)
        #expect(Self.texts(world, 2, group) == ["edited", "old 2", "old 3"])
        #expect(Self.texts(world, 0, group).isEmpty)
    }

    @Test func nothingIsClearedThatIsNotThere() throws {
        let world = try SimulatedWorld(names: ["Ada", "Bob"], seed: 1)
        for node in 0..<2 { world.start(node) }
        world.run(for: 5_000)
        let id = world.give(.clear(who: "Bob", deletes: true), to: 0)
        world.run(for: 1_000)
        guard case .failure(.contact(.noConversation)) = world.nodes[0].answers[id] else {
            Issue.record("\(String(describing: world.nodes[0].answers[id]))")
            return
        }
    }
}
