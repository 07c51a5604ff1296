import ParlanceCore
import ParlanceRecords
import ParlanceTestKit
import ParlanceWire
import Testing

/// Messages that disappear everywhere, as members have agreed (events.md, "Disappearing messages").
@Suite struct LifetimeTests {
    private static let hour: Int64 = 3_600_000

    /// Nodes 0 and 1, who know each other and have written "old".
    private func pair() throws -> (world: SimulatedWorld, conversation: ConversationID) {
        let world = try SimulatedWorld(names: ["Ada", "Bob"], seed: 1)
        for node in 0..<2 { world.start(node) }
        let conversation = ConversationID(direct: world.nodes[0].identity, world.nodes[1].identity)
        world.run(for: 5_000)
        world.give(.send(who: "Bob", text: "old"), to: 0)
        world.run(for: 5_000)
        world.give(.send(who: "Ada", text: "old too"), to: 1)
        world.run(for: 5_000)
        read(world)
        return (world, conversation)
    }

    private func read(_ world: SimulatedWorld) {
        for (node, who) in [(0, "Bob"), (1, "Ada")] { world.give(.read(who: who), to: node) }
        world.run(for: 5_000)
    }

    private func say(_ seconds: Int64, _ who: String, _ world: SimulatedWorld, _ node: Int) -> Refusal? {
        let id = world.give(.setLifetime(who: who, seconds: UInt64(seconds)), to: node)
        world.run(for: 5_000)
        if case .failure(let refusal) = world.nodes[node].answers[id] { return refusal }
        #expect(world.nodes[node].answers[id] == .success(.done))
        return nil
    }

    private func count(_ world: SimulatedWorld, _ node: Int, _ conversation: ConversationID) -> Int {
        world.nodes[node].disk.history(of: conversation).count { $0.note == nil }
    }

    private func agreed(_ world: SimulatedWorld, _ node: Int, _ conversation: ConversationID) -> Int64? {
        let terms = world.nodes[node].disk.lifetimes[conversation]
        return terms?.agreed(isGroup: false).map { $0 / Self.hour }
    }

    @Test func bothMustWantItAndTheLongerTimeCounts() throws {
        let (world, conversation) = try pair()
        #expect(count(world, 0, conversation) == 2)
        #expect(say(3_600, "Bob", world, 0) == nil)
        world.run(for: 4 * Self.hour)
        for node in 0..<2 {
            #expect(count(world, node, conversation) == 2 && agreed(world, node, conversation) == nil, "one wants it")
        }
        #expect(say(7_200, "Ada", world, 1) == nil)
        for node in 0..<2 { #expect(agreed(world, node, conversation) == 2) }
        // What is here is old enough, but the agreement is young.
        world.run(for: 2 * Self.hour - 60_000)
        for node in 0..<2 { #expect(count(world, node, conversation) == 2) }
        world.give(.send(who: "Bob", text: "new"), to: 0)
        world.run(for: 5_000)
        read(world)
        world.run(for: Self.hour + 120_000)
        for node in 0..<2 { #expect(count(world, node, conversation) == 1, "only what is young stays") }
        // It goes on after a restart, even if the node does not run for long.
        for node in 0..<2 { world.crash(node) }
        world.run(for: 3 * Self.hour)
        for node in 0..<2 { world.start(node) }
        world.run(for: Limits.retentionDelayMilliseconds + 1_000)
        for node in 0..<2 { #expect(count(world, node, conversation) == 0) }
        // Either ends it.
        #expect(say(0, "Bob", world, 0) == nil)
        world.give(.send(who: "Ada", text: "stays"), to: 1)
        world.run(for: 5_000)
        read(world)
        world.run(for: 9 * Self.hour)
        for node in 0..<2 {
            #expect(count(world, node, conversation) == 1 && agreed(world, node, conversation) == nil)
        }
    }

    @Test func whatIsUnreadOrWaitsStays() throws {
        let (world, conversation) = try pair()
        #expect(say(3_600, "Bob", world, 0) == nil && say(3_600, "Ada", world, 1) == nil)
        world.crash(1)
        world.give(.send(who: "Bob", text: "waits"), to: 0)
        world.run(for: 5 * Self.hour)
        #expect(count(world, 0, conversation) == 1)
        world.start(1)
        world.run(for: 3 * Self.hour)
        #expect(count(world, 0, conversation) == 0, "it is delivered")
        #expect(count(world, 1, conversation) == 1, "and not read")
        read(world)
        world.run(for: 2 * Self.hour)
        #expect(count(world, 1, conversation) == 0)
    }

    /// The user's own setting can shorten what was agreed, and never lengthens it.
    @Test func theShorterOfBothCounts() throws {
        let (world, conversation) = try pair()
        #expect(say(7_200, "Bob", world, 0) == nil && say(7_200, "Ada", world, 1) == nil)
        world.give(.setPreference(who: "Bob", .retain(milliseconds: 100 * Self.hour)), to: 0)
        world.give(.setPreference(who: "Ada", .retain(milliseconds: Self.hour)), to: 1)
        world.run(for: Self.hour + 300_000)
        #expect(count(world, 0, conversation) == 2 && count(world, 1, conversation) == 0)
        world.run(for: 2 * Self.hour)
        #expect(count(world, 0, conversation) == 0)
    }

    @Test func inAGroupTheLastWordOfAnAdminCounts() throws {
        let (world, group) = try GroupTests.world(3)
        let refused = say(3_600, "Bridge", world, 1)
        guard case .group(.adminsOnly) = refused else { throw EngineBench.Unexpected(what: "\(refused as Any)") }
        #expect(say(3_600, "Bridge", world, 0) == nil)
        world.give(.changeGroup(who: "Bridge", .appoint([world.nodes[1].identity.text])), to: 0)
        world.run(for: 5_000)
        for node in 0..<3 {
            let terms = try #require(world.nodes[node].disk.lifetimes[group])
            #expect(terms.agreed(isGroup: true) == Self.hour)
            let view = try GroupTests.view(world, node).lifetime
            #expect(view.terms == terms && view.agreed == Self.hour && view.since != nil)
        }
        #expect(say(0, "Bridge", world, 1) == nil)
        for node in 0..<3 {
            #expect(world.nodes[node].disk.lifetimes[group]?.agreed(isGroup: true) == nil)
        }
    }

    /// An agreement counts from when a node knows it: one that comes late takes nothing at once, whatever time it claims.
    @Test(arguments: [0, -100 * hour, 100 * hour]) func anAgreementThatComesLateTakesNothingAtOnce(skew: Int64) throws {
        let (world, group) = try GroupTests.world(3)
        for node in 1..<3 {
            world.give(.send(who: "Bridge", text: "from \(node)"), to: node)
            world.run(for: 5_000)
        }
        world.skew[0] = skew
        world.crash(1)
        world.crash(2)
        #expect(say(7_200, "Bridge", world, 0) == nil)
        world.run(for: 5 * Self.hour)
        for node in 1..<3 { world.start(node) }
        world.run(for: 180_000)
        for node in 1..<3 {
            world.give(.read(who: "Bridge"), to: node)
            #expect(world.nodes[node].disk.lifetimes[group]?.agreed(isGroup: true) == 2 * Self.hour)
        }
        world.run(for: Self.hour - 120_000)
        for node in 1..<3 { #expect(count(world, node, group) == 2, "known for less than two hours") }
        // A restart forgets nothing of that time: the second sweep after it comes when both hours are over.
        for node in 1..<3 {
            world.crash(node)
            world.start(node)
        }
        world.run(for: Self.hour + Limits.retentionDelayMilliseconds + 5_000)
        for node in 1..<3 { #expect(count(world, node, group) == 0) }
    }

    /// Somebody with a clock that is years ahead cannot keep messages for ever: what follows names what they wrote.
    @Test func aClockThatIsYearsAheadPutsNothingOff() throws {
        let (world, group) = try GroupTests.world(3)
        world.skew[1] = 90_000 * Self.hour
        world.give(.send(who: "Bridge", text: "from the future"), to: 1)
        world.run(for: 5_000)
        #expect(say(3_600, "Bridge", world, 0) == nil)
        world.skew[1] = 0
        world.give(.send(who: "Bridge", text: "now"), to: 2)
        world.run(for: 5_000)
        for node in 0..<3 { world.give(.read(who: "Bridge"), to: node) }
        world.run(for: 3 * Self.hour)
        for node in [0, 2] {
            let texts = GroupTests.texts(world, node, group)
            #expect(!texts.contains("now"), "\(node): \(texts)")
        }
    }

    /// To say again what counts, or another time that is not the longer one, puts off nothing.
    @Test func toSayTheSameAgainPutsNothingOff() throws {
        let (world, conversation) = try pair()
        #expect(say(7_200, "Bob", world, 0) == nil && say(3_600, "Ada", world, 1) == nil)
        world.run(for: 2 * Self.hour - 300_000)
        #expect(say(7_200, "Bob", world, 0) == nil && say(7_200, "Ada", world, 1) == nil)
        world.run(for: Self.hour + 600_000)
        for node in 0..<2 { #expect(count(world, node, conversation) == 0) }
    }

    /// A clock that was far ahead when the agreement came, and was corrected, puts it off by no more than its time.
    @Test func aCorrectedClockPutsOffNoMoreThanOnce() throws {
        let (world, conversation) = try pair()
        world.skew[0] = 1_000 * Self.hour
        #expect(say(3_600, "Bob", world, 0) == nil && say(3_600, "Ada", world, 1) == nil)
        world.skew[0] = 0
        world.run(for: 4 * Self.hour)
        #expect(count(world, 0, conversation) == 0)
    }

    @Test func whatCannotBeSaidIsRefused() throws {
        let (world, _) = try pair()
        #expect(say(60, "Bob", world, 0) == .retentionLength)
        #expect(say(Int64(Limits.lifetimeSeconds) + 1, "Bob", world, 0) == .retentionLength)
        guard case .naming = say(3_600, "Zed", world, 0) else { throw EngineBench.Unexpected(what: "Zed is known") }
        world.give(.block(who: "Bob"), to: 0)
        world.run(for: 1_000)
        guard case .contact(.blocked) = say(3_600, "Bob", world, 0) else {
            throw EngineBench.Unexpected(what: "a blocked person was told something")
        }
    }
}
