import ParlanceRecords
import ParlanceSodium
import ParlanceTestKit
import ParlanceWire
import Testing

@testable import ParlanceCore

/// What is said to members of a workspace, and to somebody excluded from it, of what they cannot do any more.
@Suite struct ExclusionReasonTests {
    private let ada = 0
    private let bob = 1
    private let cyd = 2
    private let dan = 3

    private func key(_ number: UInt8) -> WorkspaceKey {
        WorkspaceKey(secret: SecretBytes(copying: [UInt8](repeating: number, count: 32)))
    }

    /// Ada, Bob and Cyd have been members of a workspace, Dan never was, and Ada has excluded Bob.
    ///
    /// - Parameter before: what happens before there is a workspace.
    private func excluding(before: (SimulatedWorld) -> Void = { _ in }) throws -> SimulatedWorld {
        let world = try SimulatedWorld(names: ["ada", "bob", "cyd", "dan"], seed: 16)
        for node in ada...dan { world.start(node) }
        before(world)
        world.give(.workspace(.found(name: "Ship", key(1), nonce: [UInt8](repeating: 3, count: 16))), to: ada)
        world.run(for: 1_000)
        let charter = try #require(world.nodes[ada].disk.snapshot.workspace?.charter)
        for node in bob...cyd {
            world.give(.workspace(.join(name: "Ship", key(1), CharterPrefix(of: charter.id))), to: node)
        }
        let isAccepted = { (node: Int) in
            world.nodes[node].disk.peers.values.count { $0.trust == .accepted } >= 2
        }
        #expect(world.run(until: { (ada...cyd).allSatisfy(isAccepted) }, within: 600_000))
        world.give(.workspace(.change(.exclude(key(2)), who: ["bob"])), to: ada)
        let peer = world.nodes[bob].identity
        let isTold = { (node: Int) in
            world.nodes[node].disk.snapshot.workspace?.charter?.isExcluded(peer) == true
        }
        #expect(world.run(until: { (ada...cyd).allSatisfy(isTold) }, within: 600_000))
        return world
    }

    private func reason(_ world: SimulatedWorld, of node: Int, with other: Int) throws -> WaitReason? {
        let id = ConversationID(direct: world.nodes[node].identity, world.nodes[other].identity)
        return try world.deliveries(of: node).first { $0.conversation == id }?.reason
    }

    @Test func messagesWaitBecauseOfTheExclusion() throws {
        let world = try excluding()
        world.give(.send(who: world.nodes[cyd].identity.text, text: "let me in"), to: bob)
        world.give(.send(who: world.nodes[bob].identity.text, text: "ask Ada"), to: cyd)
        let excluded = WaitReason.excluded(by: world.nodes[ada].identity)
        #expect(try world.run(until: { try reason(world, of: bob, with: cyd) == excluded }, within: 900_000))
        #expect(try world.run(until: { try reason(world, of: cyd, with: bob) == .leftOut }, within: 60_000))
    }

    @Test func somebodyOutsideOfTheWorkspaceRefusesForOtherReasons() throws {
        let world = try excluding { world in
            world.run(for: 2_000)
            world.give(.send(who: "dan", text: "may I?"), to: bob)
            world.run(for: 1_000)
            world.give(.accept(who: "bob"), to: dan)
            world.run(for: 10_000)
            world.crash(bob)
            world.run(for: 20_000)
            world.give(.block(who: "bob"), to: dan)
            world.run(for: 1_000)
            world.start(bob)
            world.give(.send(who: "dan", text: "are you there?"), to: bob)
            world.run(for: 10_000)
        }
        #expect(try reason(world, of: bob, with: dan) == .refused)
    }

    @Test func whoIsExcludedIsToldThatInsteadOfWhoTheAdminsAre() throws {
        let world = try excluding()
        let id = world.give(.workspace(.change(.admit, who: ["cyd"])), to: bob)
        world.run(for: 0)
        guard case .failure(.workspace(.excludedUser(let by))) = world.nodes[bob].answers[id] else {
            throw EngineBench.Unexpected(what: "not refused: \(String(describing: world.nodes[bob].answers[id]))")
        }
        #expect(by.id == world.nodes[ada].identity)
    }
}
