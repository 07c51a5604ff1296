import ParlanceCore
import ParlanceRecords
import ParlanceSodium
import ParlanceTestKit
import ParlanceWire
import Testing

/// A group of a hundred members, none of whom is linked with all the others.
@Suite struct LargeGroupTests {
    private static let count = 100

    private func links(_ world: SimulatedWorld) -> [Int] {
        world.nodes.map { $0.engine?.census.links ?? 0 }
    }

    /// How many members hold everything that any of them has written.
    private func complete(_ world: SimulatedWorld, _ group: ConversationID) -> Int {
        let logs = world.nodes.map { LogKey(group, LogID(author: $0.identity, replica: $0.replica)) }
        let last = zip(world.nodes, logs).map { $0.disk.position(of: $1).sequence }
        return world.nodes.filter { node in
            zip(logs, last).allSatisfy { node.disk.position(of: $0).sequence == $1 }
        }.count
    }

    /// To how many members the last message of an author is delivered, as the author knows.
    private func delivered(_ world: SimulatedWorld, _ author: Int, _ group: ConversationID) throws -> Int {
        let log = LogID(author: world.nodes[author].identity, replica: world.nodes[author].replica)
        let last = world.nodes[author].disk.position(of: LogKey(group, log)).sequence
        func count() throws -> Int {
            let view = try world.deliveries(of: author).first { $0.conversation == group }
            return view?.reach(of: last, in: log).delivered.count ?? 0
        }
        for _ in 0..<60 where try count() < Self.count - 1 { world.run(for: 1_000) }
        return try count()
    }

    @Test func aMessageReachesEverybodyOverAFewLinks() throws {
        let names = (0..<Self.count).map { "Node\($0)" }
        let world = try SimulatedWorld(names: names, seed: 4)
        let key = WorkspaceKey(secret: SecretBytes(copying: [UInt8](repeating: 1, count: 32)))
        // Every node knows one address.
        for index in world.nodes.indices {
            world.start(index, fixed: index == 0 ? [] : [world.nodes[0].endpoint])
            world.give(.workspace(.join(name: "Ship", key)), to: index)
            world.tell(.ownAddresses([try #require(world.nodes[index].address)]), to: index)
        }
        world.run(for: 300_000)
        #expect(links(world).allSatisfy { (5...Limits.membersLinked).contains($0) }, "\(links(world))")

        // The first node has met everybody, so it can name all of them.
        let others = world.nodes.dropFirst().map(\.identity.grouped)
        let made = world.give(
            .createGroup(title: "All hands", who: Array(others), nonce: Array(repeating: 7, count: 16)),
            to: 0
        )
        world.run(for: 1_000)
        guard case .success(.group(let view)) = world.nodes[0].answers[made] else {
            throw EngineBench.Unexpected(what: "\(String(describing: world.nodes[0].answers[made]))")
        }
        world.keepsNews = false
        let group = view.conversation
        world.run(for: 60_000)
        let invited = world.nodes.filter { node in node.disk.snapshot.conversations.contains { $0.id == group } }.count
        #expect(invited == Self.count, "the invitation came to \(invited)")
        for author in [0, 33, 71] { world.give(.send(who: "All hands", text: "hello from \(author)"), to: author) }
        world.run(for: 1_000)
        var waited: Int64 = 0
        while complete(world, group) < Self.count, waited < 600_000 {
            world.run(for: 1_000)
            waited += 1_000
        }
        #expect(complete(world, group) == Self.count)
        #expect(waited < 120_000, "everybody had everything after \(waited) ms")
        #expect(world.nodes.allSatisfy { $0.disk.history(of: group).filter { $0.note == nil }.count == 3 })
        // The authors know it too, though most members are not linked with them.
        world.keepsNews = true
        for author in [0, 33, 71] { #expect(try delivered(world, author, group) == Self.count - 1) }
        // A link that was dialled by a member that sees another ring lasts for half a minute.
        #expect(links(world).allSatisfy { $0 <= Limits.membersLinked + 2 }, "\(links(world))")
    }
}
