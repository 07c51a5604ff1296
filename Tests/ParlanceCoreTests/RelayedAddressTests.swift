import Foundation
import ParlanceCore
import ParlanceSodium
import ParlanceTestKit
import ParlanceWire
import Testing

/// Somebody joins a workspace and knows one member, behind a router, where nothing is found by itself
/// (workspaces.md, "Addresses").
@Suite struct RelayedAddressTests {
    private let key = WorkspaceKey(secret: SecretBytes(copying: [UInt8](repeating: 1, count: 32)))

    /// Ada founds the workspace and Bob joins; Cleo knows only Bob's address, and nobody hers.
    private func world(seed: UInt64, hasCharter: Bool) throws -> SimulatedWorld {
        let world = try SimulatedWorld(names: ["ada", "bob", "cleo"], seed: seed)
        world.start(0, fixed: [world.nodes[1].endpoint])
        world.start(1, fixed: [])
        world.start(2, fixed: [world.nodes[1].endpoint])
        for index in world.nodes.indices {
            world.tell(.ownAddresses([try #require(world.nodes[index].address)]), to: index)
        }
        if hasCharter {
            world.give(.workspace(.found(name: "Ship", key, nonce: [UInt8](repeating: 3, count: 16))), to: 0)
            world.run(for: 1_000)
            try join(world, 1)
        } else {
            for index in 0...1 { world.give(.workspace(.join(name: "Ship", key)), to: index) }
        }
        #expect(try world.run(until: { try world.areLinked(0, 1) }, within: 60_000))
        // Bob has the charter and Ada's addresses by then.
        world.run(for: 5_000)
        return world
    }

    /// What a person types who was given the code of the workspace.
    private func join(_ world: SimulatedWorld, _ node: Int) throws {
        let charter = world.nodes[0].disk.snapshot.workspace?.charter
        let prefix = charter.map { CharterPrefix(of: $0.id) }
        world.give(.workspace(.join(name: "Ship", key, prefix)), to: node)
    }

    @Test(arguments: [true, false], [1, 2, 3, 4, 5] as [UInt64])
    func whoJoinsIsLinkedWithAllSoon(hasCharter: Bool, seed: UInt64) throws {
        let world = try world(seed: seed, hasCharter: hasCharter)
        try join(world, 2)
        #expect(try world.run(until: { try world.areLinked(0, 1, 2) }, within: 5_000))
    }

    /// Bob's user accepts Cleo by hand: the exchange begins with that.
    @Test func anAcceptanceByHandBeginsTheExchange() throws {
        let world = try SimulatedWorld(names: ["ada", "bob", "cleo"], seed: 1)
        world.start(0, fixed: [world.nodes[1].endpoint])
        world.start(1, fixed: [])
        world.tell(.settingsChanged(fixed: [], acceptsMembers: false), to: 1)
        world.start(2, fixed: [world.nodes[1].endpoint])
        for index in world.nodes.indices {
            world.tell(.ownAddresses([try #require(world.nodes[index].address)]), to: index)
            world.give(.workspace(.join(name: "Ship", key)), to: index)
        }
        world.run(for: 20_000)
        for index in [0, 2] {
            world.give(.accept(who: world.nodes[index].identity.grouped), to: 1)
            world.run(for: 1_000)
        }
        #expect(try world.run(until: { try world.areLinked(0, 1, 2) }, within: 5_000))
    }

    /// A peer that asks again and again is told once more only.
    @Test func anEmptyFrameIsAnsweredOnce() throws {
        var bench = try EngineBench()
        let bob = try RemotePeer()
        _ = try bench.ask(.workspace(.join(name: "Ship", key)))
        bench.feed(.ownAddresses([try #require(NumericAddress([10, 0, 9, 1] as [UInt8]))]))
        bench.opened(1, with: bob, workspaceTag: key.tag)
        bench.received(bob.hello(), on: 1)
        #expect(told(&bench) == 1)
        bench.received(.addresses(WireAddresses()), on: 1)
        #expect(told(&bench) == 1)
        bench.received(.addresses(WireAddresses()), on: 1)
        #expect(told(&bench) == 0)
        #expect(bench.closed.isEmpty)
    }

    private func told(_ bench: inout EngineBench) -> Int {
        bench.takeFrames(on: 1).reduce(0) { sum, frame in
            if case .addresses(let told) = frame { sum + told.entries.count } else { sum }
        }
    }
}
