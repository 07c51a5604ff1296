import ParlanceCore
import ParlanceNoise
import ParlanceSodium
import ParlanceWire
import Testing

@testable import ParlanceNetwork

/// An attacker on the wire changes, repeats, reorders or drops units: there is never a session.
@Suite struct LinkTamperingTests {
    /// Runs a link whose traffic is six units, up to the one named, and lets `tamper` change each on its way.
    private func run(
        workspace: Bool,
        through last: Int = 5,
        _ tamper: (Int, [UInt8]) -> [UInt8]
    ) throws -> (a: Outcome, b: Outcome, ends: Bool) {
        let keys = workspace ? [WorkspaceKey.sample(3)] : []
        var pair = try CodecPair(key: keys.first, keys: keys)
        for unit in 0...last {
            if unit == 4 { try pair.initiator.seal(WireFrame.sample(1).framed) }
            if unit == 5 { try pair.initiator.close() }
            if [1, 3].contains(unit) {
                pair.toInitiator(tamper(unit, pair.responder.takeOutput()))
            } else {
                pair.toResponder(tamper(unit, pair.initiator.takeOutput()))
            }
        }
        return (pair.atInitiator, pair.atResponder, pair.responder.endOfInput == .closed)
    }

    @Test(arguments: [false, true]) func noFlippedByteGoesUnnoticed(workspace: Bool) throws {
        var sizes: [Int] = []
        let clean = try run(workspace: workspace) { _, bytes in
            sizes.append(bytes.count)
            return bytes
        }
        #expect(clean.a.opened != nil && clean.b.frames.count == 1 && clean.ends && sizes.count == 6)
        for (unit, size) in sizes.enumerated() {
            for position in 0..<size {
                // Two more units, so that a changed length has bytes to consume.
                let result = try run(workspace: workspace, through: min(unit + 2, 5)) { index, bytes in
                    guard index == unit else { return bytes }
                    var changed = bytes
                    changed[position] ^= UInt8(1) << (position % 8)
                    return changed
                }
                let place = "unit \(unit), byte \(position)"
                #expect(unit > 3 || result.a.opened == nil, "\(place)")
                #expect(unit > 2 || result.b.opened == nil, "\(place)")
                #expect(unit > 4 || result.b.frames.isEmpty, "\(place)")
                #expect(!result.ends, "\(place)")
            }
        }
    }

    @Test func repeatedReorderedAndMissingRecordsFail() throws {
        for order in [[0, 0], [1, 0], [1], [2], [0, 2], [0, 1, 1], [0, 1, 0]] {
            var pair = try CodecPair()
            pair.exchangeAll()
            var records: [[UInt8]] = []
            for number in 0..<3 {
                try pair.initiator.seal(WireFrame.sample(number).framed)
                records.append(pair.initiator.takeOutput())
            }
            for index in order { pair.toResponder(records[index]) }
            #expect(pair.atResponder.error == .noise(.authenticationFailed), "\(order)")
            let inOrder = zip(order, 0...).prefix { $0 == $1 }.count
            #expect(pair.atResponder.frames.count == inOrder, "\(order)")
        }
    }

    @Test func aRecordedSessionCannotBePlayedBack() throws {
        var first = try CodecPair()
        let one = first.initiator.takeOutput()
        first.toResponder(one)
        first.toInitiator(first.responder.takeOutput())
        let three = first.initiator.takeOutput()
        var second = try CodecPair()
        second.toResponder(one)
        second.toResponder(three)
        #expect(second.atResponder.error == .noise(.authenticationFailed) && second.atResponder.opened == nil)
    }

    @Test func aRecordSentBackToItsSenderFails() throws {
        var pair = try CodecPair()
        pair.exchangeAll()
        try pair.initiator.seal(WireFrame.sample(1).framed)
        pair.toInitiator(pair.initiator.takeOutput())
        #expect(pair.atInitiator.error == .noise(.authenticationFailed) && pair.atInitiator.frames.isEmpty)
    }

    @Test func linksRunOnThroughManyRekeys() throws {
        var pair = try CodecPair()
        pair.exchangeAll()
        for number in 0..<2_100 {
            try pair.initiator.seal(WireFrame.sample(number).framed)
            try pair.responder.seal(WireFrame.sample(number).framed)
            pair.exchangeAll()
        }
        #expect(pair.atResponder.frames.count == 2_100 && pair.atInitiator.frames.count == 2_100)
        #expect(pair.atResponder.error == nil && pair.atInitiator.error == nil)
    }

    /// Compares the sealer with Noise's cipher: the key changes after 1,024 records, and not before.
    @Test func theKeyChangesEvery1024Records() throws {
        let key = SecretBytes(copying: [UInt8](repeating: 5, count: 32))
        var sealer = RecordSealer(try CipherState(key: key))
        var opener = try CipherState(key: key)
        for number in 0..<3 * Limits.recordsPerKey {
            if number > 0, number.isMultiple(of: Limits.recordsPerKey) { opener.rekey() }
            var record: [UInt8] = []
            try sealer.seal(.data, [UInt8(truncatingIfNeeded: number)], into: &record)
            #expect(try opener.decrypt(Array(record.dropFirst(2))) == [0, UInt8(truncatingIfNeeded: number)])
        }
    }
}
