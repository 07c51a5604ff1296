import ParlanceCore
import ParlanceRecords
import ParlanceTestKit
import ParlanceWire
import Testing

/// What an event names of other logs: everything that its author had seen, except what a named event refers to already.
@Suite struct DependencyTests {
    /// The last event that a node wrote to a conversation, read from that node's disk.
    private func last(of node: Int, in group: ConversationID, _ world: SimulatedWorld) throws -> StoredEvent {
        let log = LogID(author: world.nodes[node].identity, replica: world.nodes[node].replica)
        let sequence = world.nodes[node].disk.position(of: LogKey(group, log)).sequence
        let request = ReadRequest(conversation: group, log: log, from: sequence, through: sequence, byteLimit: .max)
        return try #require(world.nodes[node].disk.read(request).first)
    }

    private func write(_ text: String, by node: Int, _ world: SimulatedWorld) {
        world.give(.send(who: "Bridge", text: text), to: node)
        world.run(for: 2_000)
    }

    @Test func aChainNamesOnlyItsLastLink() throws {
        let (world, group) = try GroupTests.world(4)
        // Each log names the creation of the group once, by itself.
        for index in 0..<4 { write("hello from \(index)", by: index, world) }
        for round in 0..<3 {
            for index in 0..<4 {
                let before = try last(of: (index + 3) % 4, in: group, world)
                write("round \(round)", by: index, world)
                let named = try last(of: index, in: group, world).header.dependencies
                #expect(named.map(\.id) == [before.id])
            }
        }
        for index in 0..<4 { #expect(GroupTests.texts(world, index, group) == GroupTests.texts(world, 0, group)) }
    }

    @Test func whatCrossedIsNamedByWhoSawItAll() throws {
        let (world, group) = try GroupTests.world(4)
        for index in 0..<4 { write("hello from \(index)", by: index, world) }
        for index in 0..<3 { world.give(.send(who: "Bridge", text: "at once"), to: index) }
        world.run(for: 2_000)
        let crossed = try (0..<3).map { try last(of: $0, in: group, world).id }
        write("answer", by: 3, world)
        #expect(Set(try last(of: 3, in: group, world).header.dependencies.map(\.id)) == Set(crossed))
        // That answer refers to them, so the next event does not name them.
        write("thanks", by: 0, world)
        let answer = try last(of: 3, in: group, world).id
        #expect(try last(of: 0, in: group, world).header.dependencies.map(\.id) == [answer])
    }

    /// More members have written at once than one event can name, with clocks that are ahead; none of that is shown
    /// below the answer.
    @Test func anAnswerToManyStandsBelowThemAll() throws {
        var crew = try GroupBench(Limits.dependencies + 8)
        let own = LogID(author: crew.bench.identity, replica: EngineBench.ownReplica)
        let creation = EventReference(
            log: own,
            sequence: 1,
            id: crew.bench.disk.position(of: LogKey(crew.group, own)).head
        )
        let inOrder = crew.peers.indices.sorted { crew.peers[$0].identity < crew.peers[$1].identity }
        for (hours, index) in inOrder.enumerated() {
            crew.open(index)
            let time = UInt64(EngineBench.start.wall + 3_600_000 * Int64(hours)) << 16
            let to = crew.bench.identity
            let event = crew.peers[index].write("at once", to: to, time: time, after: [creation], in: crew.group)
            crew.send([event], by: index)
        }
        _ = try crew.bench.ask(.send(who: "Crew", text: "answer"))
        let texts = crew.bench.disk.history(of: crew.group).filter { $0.note == nil }.map(\.text)
        #expect(texts.count == crew.peers.count + 1 && texts.last == "answer")
    }

    /// A log names the addition of its author itself, although another author who saw the addition has written since.
    @Test func aChangeOfTheGroupIsAlwaysNamed() throws {
        let (world, group) = try GroupTests.world(3)
        for index in 0..<3 { write("hello from \(index)", by: index, world) }
        let cleo = world.nodes[2].identity.grouped
        world.give(.changeGroup(who: "Bridge", .remove([cleo])), to: 0)
        world.run(for: 5_000)
        world.give(.changeGroup(who: "Bridge", .add([cleo])), to: 0)
        world.run(for: 5_000)
        let added = try last(of: 0, in: group, world)
        write("welcome back", by: 1, world)
        write("thanks", by: 2, world)
        let named = try last(of: 2, in: group, world).header.dependencies
        #expect(named.map(\.id).contains(added.id))
        for index in 0..<3 { #expect(GroupTests.texts(world, index, group).suffix(2) == ["welcome back", "thanks"]) }
    }

    /// After a start a node no longer knows which events refer to which: it names more once, and then as little as
    /// before.
    @Test func aStartNamesMoreOnce() throws {
        let (world, group) = try GroupTests.world(3)
        for index in 0..<3 { write("hello from \(index)", by: index, world) }
        write("one", by: 0, world)
        write("two", by: 1, world)
        world.crash(2)
        world.start(2)
        world.run(for: 10_000)
        write("three", by: 2, world)
        let heads = try (0..<2).map { try last(of: $0, in: group, world).id }
        #expect(Set(try last(of: 2, in: group, world).header.dependencies.map(\.id)) == Set(heads))
        write("four", by: 0, world)
        write("five", by: 2, world)
        let four = try last(of: 0, in: group, world).id
        #expect(try last(of: 2, in: group, world).header.dependencies.map(\.id) == [four])
    }
}
