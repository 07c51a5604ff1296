import ParlanceNoise
import ParlanceSodium
import Testing

@Suite("Handshake")
struct HandshakeTests {
    @Test("Both sides agree on keys and hash and learn each other's static key", arguments: NoisePattern.allCases)
    func agreement(pattern: NoisePattern) throws {
        var pair = try Pair(pattern)
        let initiatorKey = try Fixture.pair("initiator static").publicKey
        let responderKey = try Fixture.pair("responder static").publicKey
        #expect(pair.remoteStatics == [nil, nil])
        try pair.play(0..<2)
        #expect(pair.remoteStatics == [responderKey, nil])
        #expect(pair.complete == [false, false])
        try pair.play(2..<3)
        #expect(pair.remoteStatics == [responderKey, initiatorKey])
        #expect(pair.complete == [true, true])
        try expectLink(between: pair)
    }

    private func expectLink(between pair: consuming Pair) throws {
        var left = try pair.initiator.split()
        var right = try pair.responder.split()
        let hashes = [left.handshakeHash, right.handshakeHash]
        #expect(hashes[0] == hashes[1] && hashes[0].count == 32)
        for round in 0..<5 {
            let text = [UInt8](repeating: UInt8(round), count: round * 100)
            let forth = try left.send.encrypt(text)
            let opened = try right.receive.decrypt(forth)
            #expect(opened == text)
            let back = try right.send.encrypt(text)
            #expect(back != forth, "the two directions have different keys")
            let returned = try left.receive.decrypt(back)
            #expect(returned == text)
        }
    }

    @Test("Transport keys can be split into two ciphers")
    func takenApart() throws {
        var pair = try Pair(.xx)
        try pair.play()
        try expectPartsWork(pair)
    }

    private func expectPartsWork(_ pair: consuming Pair) throws {
        let left = try pair.initiator.split()
        let right = try pair.responder.split()
        var send = left.send
        var receive = right.receive
        let opened = try receive.decrypt(send.encrypt([1, 2, 3]))
        #expect(opened == [1, 2, 3])
    }

    @Test("Message sizes equal those of other implementations")
    func sizes() throws {
        for (pattern, expected) in [(NoisePattern.xx, [32, 98, 66]), (.xxPSK3, [48, 98, 66])] {
            var initiator = try Fixture.handshake(.initiator, pattern)
            var responder = try Fixture.handshake(.responder, pattern)
            let first = try initiator.writeMessage(payload: [])
            _ = try responder.readMessage(first)
            let second = try responder.writeMessage(payload: [1, 2])
            _ = try initiator.readMessage(second)
            let third = try initiator.writeMessage(payload: [3, 4])
            #expect([first.count, second.count, third.count] == expected)
        }
    }

    @Test("A change of any byte of any message ends the handshake", arguments: NoisePattern.allCases, 0..<3)
    func tampering(pattern: NoisePattern, message: Int) throws {
        var length = 0
        var honest = try Pair(pattern)
        try honest.play { index, bytes in
            if index == message { length = bytes.count }
            return bytes
        }
        try #require(length > 32)
        for position in 0..<length {
            for mask: UInt8 in [0x01, 0x80] {
                var pair = try Pair(pattern)
                let error = failure { () throws(NoiseError) in
                    try pair.play { index, bytes in
                        guard index == message else { return bytes }
                        var changed = bytes
                        changed[position] ^= mask
                        return changed
                    }
                }
                #expect(error == .authenticationFailed, "byte \(position), mask \(mask)")
            }
        }
    }

    @Test("A message cut short anywhere, or lengthened, ends it", arguments: NoisePattern.allCases, 0..<3)
    func truncation(pattern: NoisePattern, message: Int) throws {
        var whole: [UInt8] = []
        var honest = try Pair(pattern)
        try honest.play { index, bytes in
            if index == message { whole = bytes }
            return bytes
        }
        for count in 0...whole.count where count != whole.count {
            var pair = try Pair(pattern)
            let error = failure { () throws(NoiseError) in
                try pair.play { $0 == message ? Array($1.prefix(count)) : $1 }
            }
            #expect(error != nil, "cut to \(count) bytes")
        }
        var pair = try Pair(pattern)
        let error = failure { () throws(NoiseError) in try pair.play { $0 == message ? $1 + [0] : $1 } }
        #expect(error == .authenticationFailed)
    }

    @Test("Another prologue, another workspace key, or another pattern is refused")
    func disagreement() throws {
        for pattern in NoisePattern.allCases {
            var pair = try Pair(pattern)
            pair.responder = try Fixture.handshake(.responder, pattern, prologue: [1])
            #expect(failure { () throws(NoiseError) in try pair.play() } == .authenticationFailed)
        }
        var pair = try Pair(.xxPSK3)
        pair.responder = try Fixture.handshake(.responder, .xxPSK3, psk: Fixture.secret("another workspace"))
        #expect(failure { () throws(NoiseError) in try pair.play() } == .authenticationFailed)
        var mixed = try Pair(.xxPSK3)
        mixed.responder = try Fixture.handshake(.responder, .xx)
        #expect(failure { () throws(NoiseError) in try mixed.play() } == .authenticationFailed)
    }
}
