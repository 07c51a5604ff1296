import ParlanceCore
import ParlanceTestKit
import ParlanceWire
import Testing

/// Stores that were rolled back without their node's knowledge, and the consequences.
@Suite struct ForkTests {
    /// Ada writes, her machine is rolled back to an earlier state, and she meets the others again.
    private func rolledBack(
        writing more: [String],
        before: [String] = ["one", "two"],
        since: [String] = ["three", "four"],
        addingAgain node: Int? = nil,
        nodes: Int = 3,
        trouble: (SimulatedWorld) -> Void = { _ in }
    ) throws -> (world: SimulatedWorld, group: ConversationID) {
        let (world, group) = try GroupTests.world(nodes)
        for text in before { world.give(.send(who: "Bridge", text: text), to: 0) }
        world.run(for: 2_000)
        world.crash(0)
        world.backUp(0)
        world.start(0)
        world.run(for: 4_000)
        for text in since { world.give(.send(who: "Bridge", text: text), to: 0) }
        if let back = node.map({ world.nodes[$0].identity.grouped }) {
            for change in [GroupChange.remove([back]), .add([back])] {
                world.give(.changeGroup(who: "Bridge", change), to: 0)
                world.run(for: 2_000)
            }
        }
        world.run(for: 4_000)
        world.crash(0)
        world.restore(0, isUnseen: true)
        world.partition([0] + Array(repeating: 1, count: nodes - 1), .cut, until: 0)
        world.start(0)
        world.run(for: 1_000)
        for text in more { world.give(.send(who: "Bridge", text: text), to: 0) }
        world.run(for: 2_000)
        trouble(world)
        world.network.heal()
        world.run(for: 120_000)
        return (world, group)
    }

    private func same(_ world: SimulatedWorld, _ group: ConversationID) -> [String] {
        let first = GroupTests.texts(world, 0, group)
        for index in world.nodes.indices.dropFirst() {
            #expect(GroupTests.texts(world, index, group) == first, "\(world.nodes[index].name)")
            #expect(world.nodes[index].disk.agrees(with: world.nodes[0].disk, on: group))
        }
        return first
    }

    /// Nothing was written on the old state: what the others hold comes back, and the node goes on as a new replica.
    @Test func whatWasWrittenSinceComesBack() throws {
        let (world, group) = try rolledBack(writing: [])
        let replica = world.nodes[0].replica
        #expect(replica != world.nodes[0].firstReplica)
        world.give(.send(who: "Bridge", text: "five"), to: 0)
        world.run(for: 5_000)
        #expect(same(world, group) == ["one", "two", "three", "four", "five"])
    }

    /// Both branches are kept, whichever is longer, and are shown once, in one order.
    @Test(arguments: [1, 2, 3]) func bothBranchesAreKept(count: Int) throws {
        let more = (1...count).map { "other \($0)" }
        let (world, group) = try rolledBack(writing: more)
        world.give(.send(who: "Bridge", text: "after"), to: 0)
        world.give(.send(who: "Bridge", text: "from Bob"), to: 1)
        world.run(for: 60_000)
        let shown = same(world, group)
        #expect(shown.sorted() == (["one", "two", "three", "four", "after", "from Bob"] + more).sorted())
        let (third, fourth) = (shown.firstIndex(of: "three") ?? 0, shown.firstIndex(of: "four") ?? 0)
        #expect(third < fourth)
        #expect(world.nodes[0].replica != world.nodes[0].firstReplica)
    }

    /// The addition that brought a member back is in a branch now; a member that has seen it may write, and what it
    /// writes counts everywhere.
    @Test func whoWasAddedAgainInABranchMayWrite() throws {
        let (world, group) = try rolledBack(writing: ["other"], addingAgain: 2)
        let id = world.give(.send(who: "Bridge", text: "from Cyd"), to: 2)
        world.run(for: 60_000)
        guard case .success = world.nodes[2].answers[id] else {
            Issue.record("\(String(describing: world.nodes[2].answers[id]))")
            return
        }
        #expect(same(world, group).contains("from Cyd"))
    }

    /// The same after a start, when another author's event names that branch already: the log must name it once more
    /// itself.
    @Test func whoWasAddedAgainInABranchNamesItItself() throws {
        let (world, group) = try rolledBack(writing: ["other"], addingAgain: 2)
        world.crash(2)
        world.start(2)
        world.run(for: 10_000)
        world.give(.send(who: "Bridge", text: "from Bob"), to: 1)
        world.run(for: 10_000)
        world.give(.send(who: "Bridge", text: "from Cyd"), to: 2)
        world.run(for: 60_000)
        #expect(same(world, group).suffix(2) == ["from Bob", "from Cyd"])
    }

    @Test func branchesThatPartFarBackAreFound() throws {
        let since = (1...400).map { "since \($0)" }
        let more = (1...300).map { "more \($0)" }
        let (world, group) = try rolledBack(writing: more, since: since)
        world.run(for: 60_000)
        let shown = same(world, group)
        #expect(shown.count == 2 + 400 + 300)
        #expect(Set(shown).count == shown.count)
    }

    /// A node that hears of the fork from others, and one that comes back later, end in the same state.
    @Test func aForkIsPassedOn() throws {
        let (world, group) = try rolledBack(writing: ["other"], nodes: 4)
        world.crash(3)
        world.run(for: 1_000)
        world.start(3)
        world.run(for: 60_000)
        #expect(same(world, group).count == 5)
    }

    /// A node that has met later starts of a replica refuses an earlier one and says so. In this way a machine learns
    /// that it was rolled back even if it has written nothing since.
    @Test func whoIsTurnedAwayAsStaleGoesOnAsANewCopy() throws {
        let (world, group) = try GroupTests.world(2)
        world.backUp(0)
        for _ in 0..<3 {
            world.crash(0)
            world.start(0)
            world.run(for: 10_000)
        }
        world.crash(0)
        world.restore(0, isUnseen: true)
        world.start(0)
        world.run(for: 60_000)
        #expect(world.nodes[0].replica != world.nodes[0].firstReplica)
        world.give(.send(who: "Bridge", text: "here again"), to: 0)
        world.run(for: 10_000)
        #expect(same(world, group) == ["here again"])
    }

    /// In a group, members that are not accepted say so too, because nobody else may be there.
    @Test func aMemberWhoIsNotAcceptedIsHeard() throws {
        let (world, group) = try GroupTests.world(3)
        world.backUp(1)
        for _ in 0..<3 {
            world.crash(1)
            world.start(1)
            world.run(for: 10_000)
        }
        world.give(.send(who: "Bridge", text: "since then"), to: 1)
        world.run(for: 5_000)
        world.crash(0)
        world.crash(1)
        world.restore(1, isUnseen: true)
        world.start(1)
        world.run(for: 60_000)
        #expect(world.nodes[1].replica != world.nodes[1].firstReplica)
        #expect(world.links(between: 1, 2) == 1)
        world.give(.send(who: "Bridge", text: "here again"), to: 1)
        let found = world.give(.find(who: world.nodes[2].identity.grouped), to: 1)
        world.run(for: 10_000)
        for node in 1...2 { #expect(GroupTests.texts(world, node, group) == ["since then", "here again"]) }
        guard case .success(.peer(let cleo)) = world.nodes[1].answers[found] else {
            throw EngineBench.Unexpected(what: "Cleo is not known")
        }
        #expect(cleo.record.trust == .unknown && cleo.connected && cleo.presence.activity != nil)
    }

    /// Runs of long messages end before the last position held; the fork is in the middle of them.
    @Test func aForkBelowLongRunsIsFound() throws {
        func long(_ name: String, _ count: Int) -> [String] {
            (1...count).map { "\(name) \($0) " + String(repeating: "x", count: 30_000) }
        }
        let (world, group) = try rolledBack(writing: long("other", 40), before: ["one"], since: long("since", 90))
        world.run(for: 60_000)
        #expect(same(world, group).count == 1 + 40 + 90)
    }

    /// The store refuses the batch in which a fork is found; the fork is in the next batch.
    @Test func aForkInABatchThatFailsIsKept() throws {
        for failures in 1...3 {
            let (world, group) = try rolledBack(
                writing: ["other"],
                trouble: { for node in $0.nodes { node.trouble.failures = failures } }
            )
            #expect(same(world, group).sorted() == ["four", "one", "other", "three", "two"])
            for index in world.nodes.indices {
                world.crash(index)
                world.start(index)
            }
            world.run(for: 60_000)
            #expect(same(world, group).count == 5)
        }
    }
}
