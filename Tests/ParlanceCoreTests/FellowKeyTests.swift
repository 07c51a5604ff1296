import Foundation
import ParlanceCore
import ParlanceRecords
import ParlanceSodium
import ParlanceTestKit
import ParlanceWire
import Testing

/// Members of a group, in a workspace whose key was replaced while one of them had blocked the other. What they
/// exchange then, and what the simulator expects of them, is the same.
@Suite struct FellowKeyTests {
    private let ada = 0
    private let bob = 1
    private let cyd = 2

    private func key(_ number: UInt8) -> WorkspaceKey {
        WorkspaceKey(secret: SecretBytes(copying: [UInt8](repeating: number, count: 32)))
    }

    /// Ada blocks Bob, replaces the key, which Bob does not get, and forgets Bob. Cyd is away.
    private func world(without: [String], seed: UInt64) throws -> (SimulatedWorld, ConversationID) {
        let world = try SimulatedWorld(names: ["ada", "bob", "cyd"], seed: seed)
        for node in world.nodes.indices {
            world.start(node)
            world.give(.workspace(.join(name: "Ship", key(1))), to: node)
        }
        #expect(try world.run(until: { try world.areLinked(0, 1, 2) }, within: 120_000))
        world.run(for: 10_000)
        let others = world.nodes.dropFirst().map(\.identity.text)
        world.give(.createGroup(title: "Bridge", who: others, nonce: [UInt8](repeating: 7, count: 16)), to: ada)
        #expect(world.run(until: { !world.nodes[bob].disk.groups.isEmpty }, within: 60_000))
        world.run(for: 10_000)
        world.stop(cyd)
        world.run(for: 1_000)
        let who = world.nodes[bob].identity.text
        for command in [Command.block(who: who), .workspace(.rotate(key(2), without: without)), .forget(who: who)] {
            world.give(command, to: ada)
            world.run(for: 10_000)
        }
        return (world, try #require(world.nodes[ada].disk.groups.first))
    }

    private func newest(_ world: SimulatedWorld, _ node: Int) -> UInt64? {
        world.nodes[node].disk.snapshot.workspace?.keys.first?.number
    }

    /// Whether Ada gets what Bob writes to the group.
    private func arrives(_ text: String, _ world: SimulatedWorld, in group: ConversationID) -> Bool {
        world.give(.send(who: group.text, text: text), to: bob)
        return world.run(until: { isHere(text, world, in: group) }, within: 900_000)
    }

    private func isHere(_ text: String, _ world: SimulatedWorld, in group: ConversationID) -> Bool {
        world.nodes[ada].disk.history(of: group).contains { $0.text == text }
    }

    /// Once Ada has accepted Bob, he gets the key, and she gets what he wrote.
    private func isMended(by text: String, _ world: SimulatedWorld, in group: ConversationID) -> Bool {
        world.give(.accept(who: world.nodes[bob].identity.text), to: ada)
        return world.run(until: { newest(world, bob) == 2 && isHere(text, world, in: group) }, within: 900_000)
            && world.serves(ada, bob)
    }

    /// Somebody who was left out may have added another identity to the group, which would come with the old key.
    @Test func afterAnExclusionAGroupAloneOpensNoLinkByAnOldKey() throws {
        let (world, group) = try world(without: ["cyd"], seed: 1)
        #expect(newest(world, ada) == 2 && newest(world, bob) == 1)
        #expect(!world.serves(ada, bob) && !arrives("from Bob", world, in: group))
        #expect(try !world.isLinked(ada, with: bob))
        #expect(isMended(by: "from Bob", world, in: group))
    }

    @Test func anOldKeyServesAGroupForADay() throws {
        let (world, group) = try world(without: [], seed: 2)
        #expect(world.serves(ada, bob) && arrives("on the same day", world, in: group))
        #expect(newest(world, bob) == 1, "nobody who has accepted him has told him the newest key")
        world.stop(bob)
        world.run(for: 1_000)
        world.skew = world.skew.map { $0 + 2 * 86_400_000 }
        world.start(bob)
        #expect(!world.serves(ada, bob) && !arrives("two days later", world, in: group))
        #expect(isMended(by: "two days later", world, in: group))
    }
}
