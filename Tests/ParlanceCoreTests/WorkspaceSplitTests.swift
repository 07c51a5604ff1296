import Foundation
import ParlanceCore
import ParlanceSodium
import ParlanceTestKit
import ParlanceWire
import Testing

/// Members that rotate the key while they are apart, and meet after the old key has ceased to serve.
@Suite struct WorkspaceSplitTests {
    private static let day: Int64 = 86_400_000

    private func key(_ number: UInt8) -> WorkspaceKey {
        WorkspaceKey(secret: SecretBytes(copying: [UInt8](repeating: number, count: 32)))
    }

    private func workspace(_ world: SimulatedWorld, _ node: Int) -> Workspace? {
        world.nodes[node].disk.snapshot.workspace
    }

    private func mayBePartitioned(_ world: SimulatedWorld, _ a: Int, _ b: Int) throws -> Bool {
        guard case .doctor(let view) = try world.ask(.examine(who: nil), of: a) else {
            throw EngineBench.Unexpected(what: "no findings")
        }
        return view.people.contains { $0.view.record.id == world.nodes[b].identity && $0.mayBePartitioned }
    }

    /// Which nodes can dial when they meet again.
    enum Direction: CaseIterable { case both, firstDials, secondDials }

    /// Ada and Bob rotate the key apart, and each leaves somebody out; Cyd hears of Bob's key only.
    private func apart(_ seed: UInt64) throws -> SimulatedWorld {
        let world = try SimulatedWorld(names: ["ada", "bob", "cyd", "dan", "eve"], seed: seed)
        for node in 0...4 { world.start(node) }
        for node in 0...4 { world.give(.workspace(.join(name: "Ship", key(1))), to: node) }
        #expect(try world.run(until: { try world.areLinked(0, 1, 2, 3, 4) }, within: 300_000))
        world.run(for: 10_000)
        for node in [3, 4] { world.stop(node) }
        world.network.part = [0, 1, 1, 1, 1]
        world.run(for: 120_000)
        world.give(.workspace(.rotate(key(2), without: ["dan"])), to: 0)
        world.give(.workspace(.rotate(key(3), without: ["eve"])), to: 1)
        world.run(for: 60_000)
        #expect(workspace(world, 2)?.keys.first?.number == 2)
        return world
    }

    private func expectOneWorkspace(_ world: SimulatedWorld) throws {
        let best = max(WorkspaceKey(secret: key(2).secret, number: 2), WorkspaceKey(secret: key(3).secret, number: 2))
        let leftOut = Set([3, 4].map { world.nodes[$0].identity })
        let isOne = {
            (0...2).allSatisfy { node in
                workspace(world, node)?.keys.first?.hash == best.hash && workspace(world, node)?.removed == leftOut
            }
        }
        #expect(world.run(until: isOne, within: 600_000))
        #expect(try world.run(until: { try world.areLinked(0, 1, 2) }, within: 600_000))
        world.run(for: 60_000)
        #expect(try !mayBePartitioned(world, 0, 1) && !mayBePartitioned(world, 1, 0))
    }

    @Test(arguments: Direction.allCases) func whoRotatedApartAgreesAfterMoreThanADay(_ direction: Direction) throws {
        let world = try apart(11)
        world.run(for: 25 * 3_600_000)
        if direction == .firstDials { world.network.deaf.formUnion([.init(from: 1, to: 0), .init(from: 2, to: 0)]) }
        if direction == .secondDials { world.network.deaf.formUnion([.init(from: 0, to: 1), .init(from: 0, to: 2)]) }
        world.network.part = [0, 0, 0, 1, 1]
        try expectOneWorkspace(world)
    }

    /// Both were down in the meantime, for almost as long as an old key is kept.
    @Test func whoRotatedApartAgreesAfterAMonth() throws {
        let world = try apart(12)
        for node in 0...2 { world.stop(node) }
        world.run(for: 1_000)
        world.skew = world.skew.map { $0 + 29 * Self.day }
        world.network.part = [0, 0, 0, 1, 1]
        for node in 0...2 { world.start(node) }
        try expectOneWorkspace(world)
    }

    // One link with an old key.

    private struct Old {
        var bench: EngineBench
        var bob: RemotePeer
    }

    private func old() throws -> Old {
        let bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record()])
        _ = try bench.ask(.workspace(.join(name: "Ship", key(1))))
        _ = try bench.ask(.workspace(.rotate(key(2), without: [])))
        bench.setClock(forward: Limits.workspaceKeyServesMilliseconds)
        _ = bench.takeEffects()
        bench.opened(1, with: bob, workspaceTag: key(1).tag)
        return Old(bench: bench, bob: bob)
    }

    private func newKey(_ number: UInt8) -> WireFrame.OneOf_Kind {
        var frame = WireWorkspaceKey()
        frame.key = key(number).secret.withBytes { Data($0) }
        frame.number = 2
        return .workspaceKey(frame)
    }

    @Test(arguments: [0, 1]) func theLinkServesForKeysOnly(_ over: Int64) throws {
        var old = try old()
        _ = try old.bench.ask(.send(who: "Bob", text: "hello"))
        old.bench.received(old.bob.hello(), on: 1)
        let conversation = old.bob.conversation(with: old.bench.identity)
        old.bench.received(old.bob.summary(of: [(conversation, Clock())]), on: 1)
        old.bench.received(old.bob.clock(conversation, Clock()), on: 1)
        old.bench.pass(Limits.workspaceKeyExchangeMilliseconds - 1 + over)
        let kinds = old.bench.takeFrames(on: 1).map { frame in
            switch frame {
            case .hello: "hello"
            case .workspaceKey: "key"
            case .bye(let bye): "bye \(bye.reason)"
            default: "something else"
            }
        }
        #expect(kinds == ["hello", "key"] + (over == 0 ? [] : ["bye renewed"]))
        #expect(old.bench.closed.count == Int(over))
        #expect(try !old.bench.view(of: old.bob.identity).connected)
    }

    @Test func theLinkEndsWithTheWorkspace() throws {
        var old = try old()
        #expect(old.bench.closed.isEmpty)
        _ = try old.bench.ask(.workspace(.leave))
        #expect(old.bench.closed == [LinkID(1)])
    }

    @Test func theLinkEndsWhenThePeersKeyHasCome() throws {
        var old = try old()
        old.bench.received(old.bob.hello(), on: 1)
        old.bench.received(newKey(5), on: 1)
        #expect(old.bench.closed == [LinkID(1)])
        #expect(old.bench.disk.snapshot.workspace?.keys.contains { $0.hash == key(5).hash } == true)
    }

    /// A peer that does not accept this node tells it no key.
    @Test func whoIsKeptApartKnowsIt() throws {
        let bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record()])
        _ = try bench.ask(.workspace(.join(name: "Ship", key(1))))
        func apart() throws -> Bool {
            guard case .success(.doctor(let view)) = try bench.ask(.examine(who: "Bob")), let bob = view.people.first
            else { throw EngineBench.Unexpected(what: "no findings about Bob") }
            return bob.mayBePartitioned
        }
        bench.opened(1, with: bob, workspaceTag: key(1).tag)
        bench.received(bob.hello(), on: 1)
        bench.received(bob.bye(.renewed), on: 1)
        #expect(try apart())
        bench.feed(.linkClosed(LinkID(1), .closed))
        bench.opened(2, with: bob, workspaceTag: key(1).tag)
        bench.received(bob.hello(), on: 2)
        bench.received(bob.summary(of: []), on: 2)
        #expect(try !apart())
    }

    // Clocks that were ahead.

    private func strangerIsTaken(_ bench: inout EngineBench, _ link: UInt64) throws -> Bool {
        bench.opened(link, with: try RemotePeer(9), workspaceTag: key(1).tag)
        return !bench.closed.contains(LinkID(link))
    }

    /// A key that was superseded while the clock was ahead serves from now on for the usual time.
    @Test(arguments: [false, true]) func aKeySupersededInTheFutureServesItsDay(_ restarts: Bool) throws {
        var bench = try EngineBench()
        _ = try bench.ask(.workspace(.join(name: "Ship", key(1))))
        bench.setClock(forward: 400 * Self.day)
        _ = try bench.ask(.workspace(.rotate(key(2), without: [])))
        bench.setClock(forward: -400 * Self.day)
        if restarts { bench.restart() }
        #expect(try strangerIsTaken(&bench, 1))
        // Without a restart the wrong time is corrected within a day.
        bench.pass(restarts ? Self.day - 2_000 : Self.day)
        #expect(try strangerIsTaken(&bench, 2))
        bench.pass(restarts ? 2_000 : Self.day)
        #expect(try !strangerIsTaken(&bench, 3))
        #expect(bench.disk.snapshot.workspace?.keys.count == 2)
        bench.pass(29 * Self.day)
        #expect(bench.disk.snapshot.workspace?.keys.count == 2)
        bench.pass(2 * Self.day)
        #expect(bench.disk.snapshot.workspace?.keys.count == 1)
    }
}
