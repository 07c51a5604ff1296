import Foundation
import ParlanceCore
import ParlanceRecords
import ParlanceSodium
import ParlanceTestKit
import ParlanceWire
import Testing

/// Messages for a peer that is away, left with couriers: what couriers hold, hand over and cannot read.
@Suite struct CourierTests {
    private let ada = 0
    private let bob = 1
    private let cyd = 2

    private func between(_ world: SimulatedWorld, _ a: Int, _ b: Int) -> ConversationID {
        ConversationID(direct: world.nodes[a].identity, world.nodes[b].identity)
    }

    private func texts(_ world: SimulatedWorld, _ node: Int, with other: Int) -> [String] {
        world.nodes[node].disk.history(of: between(world, node, other)).map(\.text)
    }

    private func delivery(_ world: SimulatedWorld, of node: Int, to other: Int) throws -> DeliveryView.LogDelivery? {
        try view(world, of: node, to: other)?.logs.first { $0.isWritten }
    }

    private func view(_ world: SimulatedWorld, of node: Int, to other: Int) throws -> DeliveryView? {
        try world.deliveries(of: node).first { $0.conversation == between(world, node, other) }
    }

    private func envelopes(_ world: SimulatedWorld, _ node: Int) -> [StoredEnvelope] {
        Array(world.nodes[node].disk.envelopes.values)
    }

    private func write(_ world: SimulatedWorld, _ text: String, _ from: Int, to: Int) {
        world.give(.send(who: world.nodes[to].identity.text, text: text), to: from)
    }

    /// Ada, Bob and Cyd in one workspace: all have met, and each has written to Cyd.
    private func ship(_ seed: UInt64, names: [String] = ["ada", "bob", "cyd"]) throws -> SimulatedWorld {
        let world = try SimulatedWorld(names: names, seed: seed)
        let key = WorkspaceKey(secret: SecretBytes(copying: [UInt8](repeating: 1, count: 32)))
        for node in names.indices {
            world.start(node)
            world.give(.workspace(.join(name: "Ship", key)), to: node)
        }
        let all = Set(world.nodes.map(\.identity))
        #expect(
            world.run(
                until: {
                    world.nodes.allSatisfy { node in
                        Set(node.disk.peers.values.filter { $0.trust == .accepted && $0.prekeys != nil }.map(\.id))
                            == all.subtracting([node.identity])
                    }
                },
                within: 300_000
            ),
            "all know each other's prekeys"
        )
        write(world, "hello", ada, to: cyd)
        #expect(world.run(until: { texts(world, cyd, with: ada) == ["hello"] }, within: 60_000))
        world.run(for: 10_000)
        return world
    }

    @Test func whatIsWrittenToSomebodyAwayArrivesThoughItsAuthorIsGoneByThen() throws {
        let world = try ship(1)
        world.stop(cyd)
        world.run(for: 1_000)
        write(world, "the pump is dry", ada, to: cyd)
        #expect(world.run(until: { envelopes(world, bob).count == 1 }, within: 60_000))
        world.run(for: 1_000)
        let view = try #require(try delivery(world, of: ada, to: cyd))
        #expect(view.carriedThrough == 2 && view.progress[0].delivered.sequence == 1, "held, not delivered")
        #expect(try self.view(world, of: ada, to: cyd)?.reason == .held([world.nodes[bob].identity]))
        // The stored envelope names the recipient and nothing else about the message.
        let kept = try #require(envelopes(world, bob).first)
        #expect(
            kept.record.recipient == world.nodes[cyd].identity && kept.record.depositor == world.nodes[ada].identity
        )
        #expect(kept.bytes.firstRange(of: Array("pump".utf8)) == nil)
        #expect(kept.bytes.firstRange(of: world.nodes[ada].identity.bytes) == nil)

        world.stop(ada)
        world.run(for: 1_000)
        // The courier keeps the envelope across a restart.
        world.stop(bob)
        world.run(for: 1_000)
        world.start(bob)
        world.start(cyd)
        #expect(world.run(until: { texts(world, cyd, with: ada).count == 2 }, within: 120_000))
        #expect(texts(world, cyd, with: ada) == ["hello", "the pump is dry"])
        #expect(world.run(until: { envelopes(world, bob).isEmpty }, within: 60_000), "and forgets it then")
        // The author learns of it only when it meets the recipient.
        world.start(ada)
        #expect(
            try world.run(
                until: { try delivery(world, of: ada, to: cyd)?.progress[0].delivered.sequence == 2 },
                within: 120_000
            )
        )
        world.run(for: 60_000)
        #expect(texts(world, cyd, with: ada).count == 2, "nothing twice")
    }

    /// What a person brings is taken whatever its author has written that day.
    @Test func anEnvelopeOnAStickIsTakenOverTheQuota() throws {
        let world = try ship(3)
        world.partition([0, 0, 1], .cut, until: .max)
        write(world, "the pump is dry", ada, to: cyd)
        world.run(for: 10_000)
        world.tell(.quotaChanged(1), to: cyd)
        var stick = TestStick()
        try stick.out(world, from: bob, to: cyd)
        _ = try stick.take(world, cyd, from: bob)
        #expect(texts(world, cyd, with: ada) == ["hello", "the pump is dry"])
    }

    @Test func aLaterMessageReplacesTheEnvelopeAndThreeHoldIt() throws {
        let world = try ship(2, names: ["ada", "bob", "cyd", "dan", "eve", "fay"])
        world.stop(cyd)
        world.run(for: 1_000)
        for number in 1...3 {
            write(world, "message \(number)", ada, to: cyd)
            world.run(for: 20_000)
        }
        let holders = world.nodes.indices.filter { !envelopes(world, $0).isEmpty }
        #expect(holders.count == Limits.couriers)
        #expect(holders.allSatisfy { envelopes(world, $0).count == 1 }, "each holds one, with all in it")
        world.stop(ada)
        for node in holders.dropFirst() { world.stop(node) }
        world.run(for: 1_000)
        world.start(cyd)
        #expect(world.run(until: { texts(world, cyd, with: ada).count == 4 }, within: 120_000))
        #expect(texts(world, cyd, with: ada).dropFirst() == ["message 1", "message 2", "message 3"])
    }

    /// Outside a workspace both must name each other as couriers, and the courier must have accepted the recipient.
    @Test(arguments: [[true, true], [true, false], [false, true]]) func couriersNameEachOther(_ marks: [Bool]) throws {
        let world = try SimulatedWorld(names: ["ada", "bob", "cyd"], seed: 3)
        for node in 0...2 { world.start(node) }
        world.run(for: 30_000)
        for (from, to) in [(ada, bob), (ada, cyd), (bob, cyd)] {
            write(world, "may I?", from, to: to)
            world.run(for: 10_000)
            world.give(.accept(who: world.nodes[from].identity.text), to: to)
            world.run(for: 10_000)
        }
        if marks[0] { world.give(.setCourier(who: world.nodes[bob].identity.text, true), to: ada) }
        if marks[1] { world.give(.setCourier(who: world.nodes[ada].identity.text, true), to: bob) }
        world.run(for: 70_000)
        world.stop(cyd)
        world.run(for: 1_000)
        write(world, "later", ada, to: cyd)
        world.run(for: 120_000)
        #expect(envelopes(world, bob).count == (marks == [true, true] ? 1 : 0))
        #expect(try delivery(world, of: ada, to: cyd)?.carriedThrough ?? 0 == (marks == [true, true] ? 2 : 0))
    }

    /// A recipient that has forgotten the courier does not take the envelope. It gets the envelope when it accepts the
    /// courier on the same link.
    @Test func whoAcceptsTheCourierLateGetsTheEnvelope() throws {
        let world = try SimulatedWorld(names: ["ada", "bob", "cyd"], seed: 4)
        for node in 0...2 { world.start(node) }
        world.run(for: 5_000)
        for (node, other) in [(ada, bob), (ada, cyd), (bob, cyd), (bob, ada), (cyd, ada), (cyd, bob)] {
            world.give(.accept(who: world.nodes[other].identity.text), to: node)
        }
        world.run(for: 10_000)
        world.give(.setCourier(who: world.nodes[bob].identity.text, true), to: ada)
        world.give(.setCourier(who: world.nodes[ada].identity.text, true), to: bob)
        world.give(.forget(who: world.nodes[bob].identity.text), to: cyd)
        world.run(for: 1_000)
        world.stop(cyd)
        world.run(for: 1_000)
        write(world, "mind the gap", ada, to: cyd)
        #expect(world.run(until: { envelopes(world, bob).count == 1 }, within: 60_000))
        world.stop(ada)
        world.run(for: 1_000)
        world.start(cyd)
        world.run(for: 10_000)
        #expect(texts(world, cyd, with: ada).isEmpty && envelopes(world, bob).count == 1, "not accepted, not taken")
        #expect(world.links(between: bob, cyd) == 1)
        world.give(.accept(who: world.nodes[bob].identity.text), to: cyd)
        world.run(for: 5_000)
        #expect(texts(world, cyd, with: ada) == ["mind the gap"] && envelopes(world, bob).isEmpty)
    }

    @Test func nothingIsSealedToAKeyWhoseSecretIsGone() throws {
        let world = try ship(4)
        world.stop(cyd)
        world.run(for: 1_000)
        world.skew = world.skew.map { $0 + Limits.envelopeMilliseconds }
        write(world, "too late", ada, to: cyd)
        world.run(for: 120_000)
        #expect(envelopes(world, bob).isEmpty)
        // Without couriers the message waits for both to meet.
        world.start(cyd)
        #expect(world.run(until: { texts(world, cyd, with: ada).count == 2 }, within: 120_000))
        // Cyd's old prekeys expire once Cyd has run for long enough, not when the clock says so.
        let old = Set(world.nodes[cyd].disk.snapshot.prekeys.map(\.id))
        world.stop(cyd)
        world.run(for: 1_000)
        world.skew = world.skew.map { $0 + Limits.prekeyKeptMilliseconds }
        world.start(cyd)
        world.run(for: 30_000)
        #expect(old.isSubset(of: world.nodes[cyd].disk.snapshot.prekeys.map(\.id)))
        // Days of heartbeats would show nothing more.
        for node in [ada, bob] { world.stop(node) }
        world.run(for: Limits.prekeyKeptMilliseconds)
        #expect(old.isDisjoint(with: world.nodes[cyd].disk.snapshot.prekeys.map(\.id)))
    }

    /// Neither new messages for somebody whom the workspace left out, nor those that a courier holds already; and nothing that
    /// somebody left out has deposited.
    @Test(arguments: [2, 0]) func whoIsLeftOutGetsNothingByCouriers(leftOut: Int) throws {
        let world = try ship(8)
        world.stop(cyd)
        world.run(for: 1_000)
        write(world, "before", ada, to: cyd)
        #expect(world.run(until: { envelopes(world, bob).count == 1 }, within: 60_000))
        let key = WorkspaceKey(secret: SecretBytes(copying: [UInt8](repeating: 2, count: 32)))
        let rotation = WorkspaceCommand.rotate(key, without: [world.nodes[leftOut].identity.text])
        world.give(.workspace(rotation), to: leftOut == ada ? bob : ada)
        #expect(world.run(until: { envelopes(world, bob).isEmpty }, within: 120_000), "Bob drops what he holds")
        guard leftOut == cyd else { return }
        #expect(try delivery(world, of: ada, to: cyd)?.carriedThrough == 0, "and Ada does not count on it")
        write(world, "after", ada, to: cyd)
        world.run(for: 120_000)
        #expect(envelopes(world, bob).isEmpty && envelopes(world, ada).isEmpty)
        #expect(try view(world, of: ada, to: cyd)?.reason == .leftOut)
    }

    @Test func anEnvelopeExpires() throws {
        let world = try ship(5)
        world.stop(cyd)
        world.run(for: 1_000)
        write(world, "never read", ada, to: cyd)
        #expect(world.run(until: { envelopes(world, bob).count == 1 }, within: 60_000))
        world.stop(bob)
        world.run(for: 1_000)
        world.skew = world.skew.map { $0 + Limits.envelopeMilliseconds }
        world.start(bob)
        world.run(for: 1_000)
        #expect(envelopes(world, bob).isEmpty)
        #expect(try delivery(world, of: ada, to: cyd)?.carriedThrough == 0, "and is told as held no more")
    }

    /// At most three couriers hold it; a courier that has not answered yet counts.
    @Test func whoWasAskedAndHasNotAnsweredHasAPlace() throws {
        let eve = try RemotePeer(9, replica: 0x49)
        var away = eve.record(name: "Eve")
        var keys = WirePrekeys()
        keys.daily = Data([UInt8](repeating: 9, count: 32))
        keys.made = UInt64(EngineBench.start.wall)
        away.prekeys = keys.encodedBytes()
        let couriers = try (2...5).map { try RemotePeer(UInt8($0), replica: 0x40 + UInt8($0)) }
        let records = couriers.enumerated().map { index, courier in
            var record = courier.record(name: "Courier \(index)")
            record.isCourier = true
            return record
        }
        var bench = try EngineBench(peers: [away] + records)
        func open(_ index: Int) {
            bench.opened(UInt64(index + 1), with: couriers[index])
            bench.received(couriers[index].hello(), on: UInt64(index + 1))
        }
        func deposits(_ link: UInt64) -> [WireDeposit] {
            bench.takeFrames(on: link).compactMap { if case .deposit(let deposit) = $0 { deposit } else { nil } }
        }
        for index in 0..<3 { open(index) }
        _ = try bench.ask(.send(who: "Eve", text: "hello"))
        bench.pass(3 * Limits.courierDelayMilliseconds)
        let first = (1...3).map { deposits($0) }
        #expect(first.map(\.count) == [1, 1, 1])
        open(3)
        bench.pass(3 * Limits.courierDelayMilliseconds)
        #expect(deposits(4).isEmpty)
        var declined = WireDeposited()
        declined.envelope = Data(try #require(first[0].first).envelope.id.bytes)
        bench.received(.deposited(declined), on: 1)
        bench.pass(3 * Limits.courierDelayMilliseconds)
        #expect(deposits(4).count == 1, "the place of who declined is free")
    }

    /// An envelope that a courier has changed gives no message, and the courier may erase it.
    @Test func anEnvelopeThatWasTamperedWithIsNothing() throws {
        let bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record()])
        bench.opened(1, with: bob)
        bench.received(bob.hello(), on: 1)
        bench.pass(Limits.courierDelayMilliseconds)
        let keys = try #require(
            bench.takeFrames(on: 1).compactMap { if case .prekeys(let keys) = $0 { keys } else { nil } }.first
        )
        #expect(keys.oneTime.count == Limits.oneTimePrekeys)
        var envelope = WireDepositProbe.deposit(bench.identity, 1, size: 500, expires: bench.now.wall + 1_000).envelope
        envelope.prekey = keys.daily
        envelope.oneTime = keys.oneTime[0]
        var frame = WireHandOver()
        frame.envelope = envelope
        bench.received(.handOver(frame), on: 1)
        let taken = bench.takeFrames(on: 1).compactMap { if case .taken(let taken) = $0 { taken } else { nil } }
        #expect(taken.count == 1)
        #expect(bench.disk.conversations.isEmpty && bench.closed.isEmpty)
        frame.envelope.recipient = Data(bob.identity.bytes)
        bench.received(.handOver(frame), on: 1)
        #expect(bench.closed == [LinkID(1)], "somebody else's is none of ours")
    }

    @Test func prekeysThatAreNotSignedBreakTheLink() throws {
        let bob = try RemotePeer()
        var bench = try EngineBench(peers: [bob.record()])
        bench.opened(1, with: bob)
        bench.received(bob.hello(), on: 1)
        var keys = WirePrekeys()
        keys.daily = Data([UInt8](repeating: 1, count: 32))
        keys.made = UInt64(bench.now.wall)
        keys.signature = Data(count: 64)
        bench.received(.prekeys(keys), on: 1)
        #expect(bench.closed == [LinkID(1)])
    }
}
