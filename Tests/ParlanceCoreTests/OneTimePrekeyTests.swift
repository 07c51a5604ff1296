import Foundation
import ParlanceCore
import ParlanceSodium
import ParlanceWire
import Testing

/// A key that seals one envelope seals no second one (couriers.md, "Prekeys").
@Suite struct OneTimePrekeyTests {
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

    /// The recipient has not seen the envelope, so it gives the key that is used on its way to the courier once more.
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
}
