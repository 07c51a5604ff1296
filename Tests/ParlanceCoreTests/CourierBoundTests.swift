import Foundation
import ParlanceCore
import ParlanceRecords
import ParlanceSodium
import ParlanceTestKit
import ParlanceWire
import Testing

/// A courier that is asked for too much, or for somebody whom its user does not know any more.
@Suite struct CourierBoundTests {
    private func answers(_ bench: inout EngineBench) -> [Bool] {
        bench.takeFrames(on: 1).compactMap { if case .deposited(let answer) = $0 { answer.held } else { nil } }
    }

    /// Nobody is a courier for somebody whom the user has blocked or forgotten, in either direction.
    @Test(arguments: [Command.forget(who: "Bob"), .block(who: "Bob")])
    func whoIsForgottenHasNoRoomHere(by command: Command) throws {
        let (bob, eve) = (try RemotePeer(2), try RemotePeer(3))
        var records = [bob.record(), eve.record(name: "Eve")]
        for place in records.indices { records[place].isCourier = true }
        var bench = try EngineBench(peers: records)
        let expires = bench.now.wall + Limits.envelopeMilliseconds
        for (link, peer, recipient) in [(1, bob, eve), (2, eve, bob)] {
            bench.opened(UInt64(link), with: peer)
            bench.received(peer.hello(), on: UInt64(link))
            bench.received(
                .deposit(WireDepositProbe.deposit(recipient.identity, link, size: 100, expires: expires)),
                on: UInt64(link)
            )
        }
        let fay = try RemotePeer(4)
        bench.restart(peers: records + [fay.record(name: "Fay")])
        bench.opened(3, with: eve)
        bench.received(eve.hello(), on: 3)
        bench.received(.deposit(WireDepositProbe.deposit(fay.identity, 3, size: 100, expires: expires)), on: 3)
        #expect(bench.disk.envelopes.count == 3)
        _ = try bench.ask(command).get()
        // What somebody who is only forgotten has left for others is still handed over.
        let kept: Set = if case .forget = command { [fay.identity, eve.identity] } else { [fay.identity] }
        #expect(Set(bench.disk.envelopes.values.map(\.record.recipient)) == kept)
    }

    @Test func aDepositorHasItsRoomAndNoMore() throws {
        let (bob, eve) = (try RemotePeer(2), try RemotePeer(3))
        var record = bob.record()
        record.isCourier = true
        var bench = try EngineBench(peers: [record, eve.record(name: "Eve")])
        bench.opened(1, with: bob)
        bench.received(bob.hello(), on: 1)
        let expires = bench.now.wall + Limits.envelopeMilliseconds
        let most = Limits.depositorBytes / Limits.envelopeBytes
        for number in 0...most {
            bench.received(
                .deposit(WireDepositProbe.deposit(eve.identity, number, size: Limits.envelopeBytes, expires: expires)),
                on: 1
            )
        }
        #expect(answers(&bench) == [Bool](repeating: true, count: most) + [false])
        // An envelope that replaces another fits.
        let first = WireDepositProbe.id(
            WireDepositProbe.deposit(eve.identity, 0, size: Limits.envelopeBytes, expires: expires)
        )
        let instead = WireDepositProbe.deposit(
            eve.identity,
            999,
            size: Limits.envelopeBytes,
            expires: expires,
            replaces: first.bytes
        )
        bench.received(.deposit(instead), on: 1)
        #expect(answers(&bench) == [true])
        #expect(bench.disk.envelopes[first] == nil && bench.disk.envelopes.count == most)
        // Small envelopes count for at least `Limits.envelopeLeastBytes`.
        let second = WireDepositProbe.id(
            WireDepositProbe.deposit(eve.identity, 1, size: Limits.envelopeBytes, expires: expires)
        )
        for number in 0...Limits.envelopeBytes / Limits.envelopeLeastBytes {
            let replaces = number == 0 ? second.bytes : []
            let small = WireDepositProbe.deposit(
                eve.identity,
                2_000 + number,
                size: 100,
                expires: expires,
                replaces: replaces
            )
            bench.received(.deposit(small), on: 1)
        }
        let room = (Limits.depositorBytes - (most - 1) * Limits.envelopeBytes) / Limits.envelopeLeastBytes
        let held = answers(&bench)
        #expect(held.count { $0 } == min(room, held.count) && held.first == true)
        // The courier declines: an unknown recipient, itself, the depositor, an expiry that is too late, an expiry in
        // the past.
        let stranger = try RemotePeer(9).identity
        for (recipient, end) in [
            (stranger, expires), (bench.identity, expires), (bob.identity, expires), (eve.identity, bench.now.wall),
            (eve.identity, expires + 2 * Limits.prekeyMilliseconds),
        ] {
            bench.received(.deposit(WireDepositProbe.deposit(recipient, 500, size: 100, expires: end)), on: 1)
            #expect(answers(&bench) == [false])
        }
        #expect(bench.closed.isEmpty)
        bench.received(
            .deposit(WireDepositProbe.deposit(eve.identity, 7, size: Limits.envelopeBytes + 1, expires: expires)),
            on: 1
        )
        #expect(bench.closed == [LinkID(1)], "one that is too large breaks the link")
    }

    /// The limit for all depositors together.
    @Test(arguments: [0, 1]) func aCourierKeepsSoMuchAndNoMore(_ over: Int) throws {
        let (bob, eve) = (try RemotePeer(2), try RemotePeer(3))
        var record = bob.record()
        record.isCourier = true
        let expires = EngineBench.start.wall + Limits.envelopeMilliseconds
        let size = Limits.envelopeLeastBytes + 1_000
        var kept = (0..<Limits.carriedBytes / Limits.depositorBytes).map { number in
            EnvelopeRecord(
                id: EnvelopeID(value: Bytes32(hashing: [UInt8(number)], domain: 0x0E)),
                depositor: PeerID(value: Bytes32(hashing: [UInt8(number)], domain: 0)),
                recipient: eve.identity,
                expires: expires,
                byteCount: Limits.depositorBytes
            )
        }
        kept[0].byteCount -= size
        var bench = try EngineBench(peers: [record, eve.record(name: "Eve")], envelopes: kept)
        bench.opened(1, with: bob)
        bench.received(bob.hello(), on: 1)
        bench.received(.deposit(WireDepositProbe.deposit(eve.identity, 1, size: size + over, expires: expires)), on: 1)
        #expect(answers(&bench) == [over == 0])
        #expect(bench.disk.envelopes.count == 1 - over)
    }
}

/// Deposits of made-up envelopes, and their names as couriers.md defines them.
enum WireDepositProbe {
    static func id(_ deposit: WireDeposit) -> EnvelopeID {
        let envelope = deposit.envelope
        let expires = withUnsafeBytes(of: envelope.expires.bigEndian) { Array($0) }
        let bytes =
            [UInt8](envelope.recipient) + [UInt8](envelope.prekey) + expires + [UInt8](envelope.oneTime)
            + [UInt8](envelope.ephemeral) + [UInt8](envelope.sealed)
        return EnvelopeID(value: Bytes32(hashing: bytes, domain: 0x0E))
    }

    static func deposit(_ recipient: PeerID, _ number: Int, size: Int, expires: Int64, replaces: [UInt8] = [])
        -> WireDeposit
    {
        var deposit = WireDeposit()
        deposit.envelope.recipient = Data(recipient.bytes)
        deposit.envelope.prekey = Data([UInt8](repeating: 1, count: 32))
        deposit.envelope.ephemeral = Data([UInt8](repeating: UInt8(number % 256), count: 32))
        deposit.envelope.expires = UInt64(expires)
        deposit.envelope.sealed = Data([UInt8](repeating: UInt8(number / 256), count: size))
        deposit.replaces = Data(replaces)
        return deposit
    }
}
