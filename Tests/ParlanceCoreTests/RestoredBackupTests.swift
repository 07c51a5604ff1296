import ParlanceCore
import ParlanceRecords
import ParlanceSodium
import ParlanceTestKit
import ParlanceWire
import Testing

/// A node whose store was rolled back goes on under a new replica and gets back what the old replica wrote.
@Suite struct RestoredBackupTests {
    /// Ada writes and Bob reads; then Ada's store goes back to its earlier state.
    private func rolledBack(seed: UInt64) throws -> SimulatedWorld {
        let world = try SimulatedWorld(names: ["ada", "bob"], seed: seed)
        for node in 0...1 { world.start(node) }
        world.run(for: 5_000)
        world.give(.accept(who: "bob"), to: 0)
        world.give(.accept(who: "ada"), to: 1)
        world.run(for: 5_000)
        world.backUp(0)
        for number in 1...3 { world.give(.send(who: "bob", text: "\(number)"), to: 0) }
        world.run(for: 5_000)
        world.give(.read(who: "ada"), to: 1)
        world.run(for: 5_000)
        world.crash(0)
        world.restore(0)
        world.start(0)
        world.run(for: 30_000)
        return world
    }

    /// What Ada knows of the progress of the log that her earlier replica wrote.
    private func oldLog(_ world: SimulatedWorld) throws -> DeliveryView.LogDelivery? {
        try world.deliveries(of: 0).first?.logs.first { $0.log.replica != world.nodes[0].replica }
    }

    @Test(arguments: 1...10) func whatComesBackCountsAsDeliveredAndRead(seed: UInt64) throws {
        let world = try rolledBack(seed: seed)
        let conversation = ConversationID(direct: world.nodes[0].identity, world.nodes[1].identity)
        #expect(world.nodes[0].disk.history(of: conversation).map(\.text) == ["1", "2", "3"])
        let old = try oldLog(world)
        #expect(old?.delivered.sequence == 3, "seed \(seed): what the peer sent back is with the peer")
        #expect(old?.read.sequence == 3, "seed \(seed): that it was read is told anew")
    }

    /// A member of a workspace is accepted before there is a conversation with it, so its watermarks may arrive first.
    @Test(arguments: 1...5) func whatAMemberHasReadIsKnownAgainOnAnEmptyDisk(seed: UInt64) throws {
        let world = try SimulatedWorld(names: ["ada", "bob"], seed: seed)
        let join = Command.workspace(
            .join(name: "Ship", WorkspaceKey(secret: SecretBytes(copying: [UInt8](repeating: 1, count: 32))))
        )
        for node in 0...1 {
            world.start(node)
            world.give(join, to: node)
        }
        world.run(for: 10_000)
        for number in 1...3 { world.give(.send(who: "bob", text: "\(number)"), to: 0) }
        world.run(for: 5_000)
        world.give(.read(who: "ada"), to: 1)
        world.run(for: 5_000)
        world.crash(0)
        world.restore(0)
        world.start(0)
        world.give(join, to: 0)
        world.run(for: 30_000)
        let old = try oldLog(world)
        #expect(old?.delivered.sequence == 3, "seed \(seed)")
        #expect(old?.read.sequence == 3, "seed \(seed)")
    }
}
