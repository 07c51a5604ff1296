import Foundation
import ParlanceCore
import ParlanceRecords
import ParlanceSodium
import ParlanceTestKit
import ParlanceWire
import Testing

/// Envelopes and keys while a write or a frame about them is still on the way to the disk or to a courier.
@Suite struct CourierRaceTests {
    private func give(_ oneTime: [UInt8], by eve: RemotePeer, _ bench: inout EngineBench, on link: UInt64) {
        var keys = WirePrekeys()
        keys.daily = Data(repeating: 9, count: 32)
        keys.made = UInt64(EngineBench.start.wall)
        keys.oneTime = oneTime.map { Data(repeating: $0, count: 32) }
        keys.signature = Data(eve.key.sign([0x0D] + [UInt8](keys.daily) + keys.made.bigEndianBytes))
        bench.received(.prekeys(keys), on: link)
    }

    private func kept(_ bench: inout EngineBench, of eve: RemotePeer) throws -> [UInt8?] {
        let bytes = try #require(try bench.view(of: eve.identity).record.prekeys)
        return WirePrekeys(decoding: bytes)?.oneTime.map(\.first) ?? []
    }

    /// The recipient has not seen the envelope yet, so it gives the same one-time key again; the author does not use
    /// that key while the envelope is on its way or held.
    @Test(arguments: [false, true]) func whatSealsAnEnvelopeIsNotTakenAgain(_ isHeld: Bool) throws {
        let eve = try RemotePeer(9, replica: 0x49)
        let courier = try RemotePeer()
        var record = courier.record()
        record.isCourier = true
        var bench = try EngineBench(peers: [eve.record(name: "Eve"), record])
        bench.open(1, with: eve)
        give([1, 2], by: eve, &bench, on: 1)
        bench.feed(.linkClosed(LinkID(1), .closed))
        bench.opened(2, with: courier)
        bench.received(courier.hello(), on: 2)
        _ = try bench.ask(.send(who: "Eve", text: "hello"))
        bench.pass(3 * Limits.courierDelayMilliseconds)
        let deposits = bench.takeFrames(on: 2).compactMap { if case .deposit(let frame) = $0 { frame } else { nil } }
        #expect(deposits.map(\.envelope.oneTime.first) == [1])
        let envelope = try #require(deposits.first).envelope.id
        #expect(try kept(&bench, of: eve) == [2])
        var answer = WireDeposited()
        answer.envelope = Data(envelope.bytes)
        answer.held = true
        if isHeld { bench.received(.deposited(answer), on: 2) }
        bench.open(3, with: eve)
        give([1, 2, 3], by: eve, &bench, on: 3)
        #expect(try kept(&bench, of: eve) == [2, 3])
    }

    /// A withdrawn message is also removed from couriers: an envelope without it replaces the one that contains it.
    @Test func whatIsTakenBackIsReplacedAtTheCourier() throws {
        let eve = try RemotePeer(9, replica: 0x49)
        let courier = try RemotePeer()
        var record = courier.record()
        record.isCourier = true
        var bench = try EngineBench(peers: [eve.record(name: "Eve"), record])
        bench.open(1, with: eve)
        give([1, 2], by: eve, &bench, on: 1)
        bench.feed(.linkClosed(LinkID(1), .closed))
        bench.opened(2, with: courier)
        bench.received(courier.hello(), on: 2)
        guard case .success(.sent(let message)) = try bench.ask(.send(who: "Eve", text: "hello")) else {
            throw EngineBench.Unexpected(what: "it was not sent")
        }
        func deposits() -> [WireDeposit] {
            bench.takeFrames(on: 2).compactMap { if case .deposit(let frame) = $0 { frame } else { nil } }
        }
        bench.pass(3 * Limits.courierDelayMilliseconds)
        let first = try #require(deposits().first)
        var answer = WireDeposited()
        answer.envelope = Data(first.envelope.id.bytes)
        answer.held = true
        bench.received(.deposited(answer), on: 2)
        let own = LogID(author: bench.identity, replica: EngineBench.ownReplica)
        let cancel = Command.cancel(own, conversation: message.conversation, sequence: message.sequence)
        #expect(try bench.ask(cancel) == .success(.done))
        bench.pass(1)
        let second = try #require(deposits().first)
        #expect(second.replaces == Data(first.envelope.id.bytes))
    }

    /// An envelope that nobody can open.
    private func deposit(
        _ number: UInt8,
        to recipient: RemotePeer,
        for milliseconds: Int64 = Limits.envelopeMilliseconds,
        at bench: EngineBench
    ) -> WireDeposit {
        var deposit = WireDeposit()
        deposit.envelope.recipient = Data(recipient.identity.bytes)
        deposit.envelope.prekey = Data(repeating: 1, count: 32)
        deposit.envelope.ephemeral = Data(repeating: 2, count: 32)
        deposit.envelope.expires = UInt64(bench.now.wall + milliseconds)
        deposit.envelope.sealed = Data(repeating: number, count: 100)
        return deposit
    }

    /// An envelope can be read only once it is on disk. An earlier read found nothing, took the envelope for gone and
    /// erased it.
    @Test func anEnvelopeThatIsBeingWrittenIsHandedOverAfterwards() throws {
        let (bob, eve) = (try RemotePeer(), try RemotePeer(9, replica: 0x49))
        var record = bob.record()
        record.isCourier = true
        var bench = try EngineBench(peers: [record, eve.record(name: "Eve")])
        bench.open(1, with: bob)
        bench.open(2, with: eve)
        let deposit = deposit(3, to: eve, at: bench)
        bench.writesWait = true
        bench.received(.deposit(deposit), on: 1)
        // Now the courier looks for what it keeps for Eve.
        bench.pass(3 * Limits.courierDelayMilliseconds)
        bench.writesWait = false
        bench.settle()
        let held = bench.takeFrames(on: 1).compactMap { if case .deposited(let frame) = $0 { frame.held } else { nil } }
        let given = bench.takeFrames(on: 2).compactMap { if case .handOver(let frame) = $0 { frame } else { nil } }
        #expect(held == [true])
        #expect(given.map(\.envelope) == [deposit.envelope])
        #expect(bench.disk.envelopes.count == 1)
    }

    /// The recipient takes an envelope that a later one has replaced, or that has expired in the meantime; the next one
    /// is handed over all the same.
    @Test(arguments: [false, true]) func whatGoesWhileItIsHandedOverHoldsUpNothing(_ expires: Bool) throws {
        let (bob, eve) = (try RemotePeer(), try RemotePeer(9, replica: 0x49))
        var record = bob.record()
        record.isCourier = true
        var bench = try EngineBench(peers: [record, eve.record(name: "Eve")])
        bench.open(1, with: bob)
        bench.open(2, with: eve)
        bench.pass(3 * Limits.courierDelayMilliseconds)
        let first = deposit(3, to: eve, for: 10_000, at: bench)
        bench.received(.deposit(first), on: 1)
        if expires { bench.pass(11_000) }
        var second = deposit(4, to: eve, at: bench)
        if !expires { second.replaces = Data(first.envelope.id.bytes) }
        bench.received(.deposit(second), on: 1)
        #expect(Set(bench.disk.envelopes.keys) == [second.envelope.id])
        var taken = WireTaken()
        taken.envelope = Data(first.envelope.id.bytes)
        taken.signature = Data(eve.key.sign([0x10] + first.envelope.id.bytes))
        bench.received(.taken(taken), on: 2)
        let given = bench.takeFrames(on: 2).compactMap { if case .handOver(let frame) = $0 { frame } else { nil } }
        #expect(given.map(\.envelope) == [first.envelope, second.envelope] && bench.closed.isEmpty)
    }

    /// A recipient that has not accepted the courier yet ignores an envelope. When it has, it lists the conversation with
    /// it, and the envelope is handed over again: once, however often it says so. Hostile seed 158 of the simulator.
    @Test func whatWasIgnoredIsHandedOverOnceTheCourierIsAccepted() throws {
        let (bob, eve) = (try RemotePeer(), try RemotePeer(9, replica: 0x49))
        var record = bob.record()
        record.isCourier = true
        var bench = try EngineBench(peers: [record, eve.record(name: "Eve")])
        bench.open(1, with: bob)
        bench.opened(2, with: eve)
        bench.received(eve.hello(), on: 2)
        bench.received(eve.summary(of: []), on: 2)
        let deposit = deposit(3, to: eve, at: bench)
        bench.received(.deposit(deposit), on: 1)
        bench.pass(3 * Limits.courierDelayMilliseconds)
        func given() -> Int { bench.takeFrames(on: 2).count { if case .handOver = $0 { true } else { false } } }
        #expect(given() > 0)
        bench.pass(3 * Limits.courierDelayMilliseconds)
        #expect(given() == 0)
        for count in [1, 0, 0] {
            bench.received(eve.summary(of: [(eve.conversation(with: bench.identity), Clock(entries: [:]))]), on: 2)
            bench.pass(3 * Limits.courierDelayMilliseconds)
            #expect(given() == count)
        }
    }

    /// One for which the recipient has no room is handed over again later, and holds up nothing.
    @Test func anEnvelopeWithoutRoomIsHandedOverAgainAfterAnHour() throws {
        let (bob, eve) = (try RemotePeer(), try RemotePeer(9, replica: 0x49))
        var record = bob.record()
        record.isCourier = true
        var bench = try EngineBench(peers: [record, eve.record(name: "Eve")])
        bench.open(1, with: bob)
        bench.open(2, with: eve)
        bench.pass(3 * Limits.courierDelayMilliseconds)
        for number in UInt8(3)...4 { bench.received(.deposit(deposit(number, to: eve, at: bench)), on: 1) }
        func given() -> [WireHandOver] {
            bench.takeFrames(on: 2).compactMap { if case .handOver(let frame) = $0 { frame } else { nil } }
        }
        func answer(_ envelope: WireEnvelope, isTaken: Bool) {
            var taken = WireTaken()
            taken.envelope = Data(envelope.id.bytes)
            taken.noRoom = !isTaken
            if isTaken { taken.signature = Data(eve.key.sign([0x10] + envelope.id.bytes)) }
            bench.received(.taken(taken), on: 2)
        }
        let first = try #require(given().first).envelope
        answer(first, isTaken: false)
        let second = try #require(given().first).envelope
        #expect(second != first)
        answer(first, isTaken: false)
        #expect(given().isEmpty, "an answer that nobody awaits changes nothing")
        answer(second, isTaken: true)
        #expect(given().isEmpty && bench.disk.envelopes.count == 1)
        for _ in 0..<Limits.handOverAgainMilliseconds / 20_000 {
            #expect(given().isEmpty)
            bench.pass(20_000)
            bench.received(.heartbeat(WireHeartbeat()), on: 2)
            bench.received(.heartbeat(WireHeartbeat()), on: 1)
        }
        #expect(given().map(\.envelope) == [first] && bench.closed.isEmpty)
    }
}
