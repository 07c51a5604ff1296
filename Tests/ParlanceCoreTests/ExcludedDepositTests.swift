import ParlanceRecords
import ParlanceSodium
import ParlanceTestKit
import ParlanceWire
import Testing

@testable import ParlanceCore

/// What somebody excluded has left with couriers (couriers.md, "Who carries for whom").
@Suite struct ExcludedDepositTests {
    private func key(_ number: UInt8) -> WorkspaceKey {
        WorkspaceKey(secret: SecretBytes(copying: [UInt8](repeating: number, count: 32)))
    }

    /// Couriers have erased it, so the excluded must not count on it: neither now nor once readmitted.
    @Test func itIsForgottenByWhoWasExcluded() throws {
        let world = try SimulatedWorld(names: ["ada", "bob", "cyd", "dan"], seed: 15)
        let (ada, bob, cyd, dan) = (0, 1, 2, 3)
        for node in ada...dan { world.start(node) }
        world.give(.workspace(.found(name: "Ship", key(1), nonce: [UInt8](repeating: 3, count: 16))), to: ada)
        world.run(for: 1_000)
        let charter = try #require(world.nodes[ada].disk.snapshot.workspace?.charter)
        for node in bob...dan {
            world.give(.workspace(.join(name: "Ship", key(1), CharterPrefix(of: charter.id))), to: node)
        }
        let hasPrekeys = { (node: Int) in
            world.nodes[node].disk.peers.values.count { $0.trust == .accepted && $0.prekeys != nil } == 3
        }
        #expect(world.run(until: { (ada...dan).allSatisfy(hasPrekeys) }, within: 600_000))
        world.stop(dan)
        world.run(for: 1_000)
        let peer = world.nodes[dan].identity
        world.give(.send(who: peer.text, text: "held"), to: cyd)
        let held = { world.nodes[cyd].disk.peers[peer]?.deposits.count }
        #expect(world.run(until: { held() == 2 }, within: 120_000), "Ada and Bob hold it")
        world.give(.workspace(.change(.exclude(key(2)), who: ["cyd"])), to: ada)
        #expect(world.run(until: { held() == 0 }, within: 120_000))
        let isErased = { [ada, bob].allSatisfy { world.nodes[$0].disk.envelopes.isEmpty } }
        #expect(world.run(until: isErased, within: 10_000), "each at its own disk's pace")
    }
}
