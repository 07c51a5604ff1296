import ParlanceCore
import ParlanceNoise
import ParlanceRandom
import ParlanceSodium
import ParlanceWire
import Testing

@testable import ParlanceNetwork

/// A peer written only from protocol/link.md, with the parts of Noise: it can follow the rules and break them.
@Suite struct LinkStrangerTests {
    /// Dials `responder` by hand and returns the two ciphers.
    private func dial(_ pair: inout CodecPair) throws -> TransportKeys {
        let me = LocalIdentity.sample(5)
        let preamble: [UInt8] = [0x50, 0x4C, 0x4E, 1, 0, 0, 0, 0, 0]
        var handshake = try HandshakeState(
            role: .initiator,
            pattern: .xx,
            prologue: preamble,
            staticKey: me.noiseKey,
            ephemeralKey: .generate(placement: .heap),
            psk: nil
        )
        let one = try handshake.writeMessage(payload: [])
        pair.toResponder(preamble + [0, UInt8(one.count)] + one)
        let two = pair.responder.takeOutput()
        #expect(two.count == 2 + 96 && two[0] == 0 && two[1] == 96)
        _ = try handshake.readMessage(Array(two.dropFirst(2)))
        let three = try handshake.writeMessage(payload: me.certificate)
        pair.toResponder([UInt8(three.count >> 8), UInt8(three.count & 0xFF)] + three)
        var keys = try handshake.split()
        let record = pair.responder.takeOutput()
        #expect(Int(record[0]) << 8 | Int(record[1]) == record.count - 2)
        let opened1 = try keys.receive.decrypt(Array(record.dropFirst(2)))
        #expect(opened1 == [2] + LocalIdentity.sample(2).certificate)
        return keys
    }

    private func record(_ cipher: inout CipherState, _ plaintext: [UInt8]) throws -> [UInt8] {
        let sealed = try cipher.encrypt(plaintext)
        return [UInt8(sealed.count >> 8), UInt8(sealed.count & 0xFF)] + sealed
    }

    @Test func aStrangersImplementationIsUnderstood() throws {
        var pair = try CodecPair()
        var keys = try dial(&pair)
        let frame = WireFrame.sample(1, padding: 300)
        for byte in frame.framed { pair.toResponder(try record(&keys.send, [0, byte])) }
        #expect(pair.atResponder.frames == [frame])
        try pair.responder.seal(frame.framed)
        try pair.responder.close()
        let answer = pair.responder.takeOutput()
        let length = Int(answer[0]) << 8 | Int(answer[1])
        let opened2 = try keys.receive.decrypt(Array(answer[2..<2 + length]))
        #expect(opened2 == [0] + frame.framed)
        let opened3 = try keys.receive.decrypt(Array(answer[(4 + length)...]))
        #expect(opened3 == [1])
    }

    @Test func aRecordOfTheLargestSizePasses() throws {
        var pair = try CodecPair()
        var keys = try dial(&pair)
        let frames = (0..<10).map { WireFrame.sample($0, padding: 10_000) }
        let stream = frames.flatMap(\.framed)
        pair.toResponder(try record(&keys.send, [0] + stream.prefix(65_518)))
        pair.toResponder(try record(&keys.send, [0] + stream.dropFirst(65_518)))
        #expect(pair.atResponder.frames == frames)
    }

    @Test func recordsThatBreakTheRulesEndTheLink() throws {
        let broken: [([UInt8], LinkError)] = [
            ([3], .record(.recordType)),
            ([255, 1, 2], .record(.recordType)),
            ([2] + LocalIdentity.sample(5).certificate, .record(.secondCertificate)),
            ([0, 0], .wire(.emptyFrame)),
            ([0, 0x81, 0x80, 0x10], .wire(.frameTooLarge(limit: Limits.frameBytes))),
            ([0, 0xFF, 0xFF, 0xFF, 0xFF, 0x01], .wire(.frameTooLarge(limit: Limits.frameBytes))),
            ([0, 2, 0xFF, 0xFF], .wire(.malformed("a frame"))),
        ]
        for (plaintext, error) in broken {
            var pair = try CodecPair()
            var keys = try dial(&pair)
            pair.toResponder(try record(&keys.send, plaintext))
            #expect(pair.atResponder.error == error, "\(plaintext.prefix(8))")
            pair.toResponder(try record(&keys.send, [0] + WireFrame.sample(1).framed))
            #expect(pair.atResponder.frames.isEmpty)
        }
    }

    @Test func anEmptyRecordIsRefused() throws {
        var pair = try CodecPair()
        var keys = try dial(&pair)
        pair.toResponder(try record(&keys.send, []))
        #expect(pair.atResponder.error == .record(.recordTooShort))
    }

    @Test func oversizeBeginningsAreRefusedAtOnce() throws {
        let beginnings: [([UInt8], LinkError)] = [
            (Array("GET / HTTP/1.1\r\n".utf8), .notParlance),
            ([0x50, 0x4C, 0x4E, 2, 0, 0, 0, 0, 0], .unknownVersion(2)),
            ([0x50, 0x4C, 0x4E, 1, 2, 0, 0, 0, 0], .modeNotTaken),
            ([0x50, 0x4C, 0x4E, 1, 0, 0, 0, 0, 1], .modeNotTaken),
            ([0x50, 0x4C, 0x4E, 1, 0, 0, 0, 0, 0, 4, 1], .messageTooLarge(bytes: 1025)),
            ([0x50, 0x4C, 0x4E, 1, 0, 0, 0, 0, 0, 0xFF, 0xFF], .messageTooLarge(bytes: 65_535)),
            ([0x50, 0x4C, 0x4E, 1, 0, 0, 0, 0, 0, 0, 0], .noise(.messageTooShort(byteCount: 0))),
        ]
        for (bytes, error) in beginnings {
            var pair = try CodecPair()
            pair.toResponder(bytes)
            #expect(pair.atResponder.error == error)
            let (output, buffered) = (pair.responder.takeOutput(), pair.responder.bufferedCount)
            #expect(output.isEmpty && buffered == 0)
        }
    }

    @Test func aBeginningOfTheLargestSizeIsWaitedFor() throws {
        var pair = try CodecPair()
        let length = [UInt8(Limits.handshakeBytes >> 8), UInt8(Limits.handshakeBytes & 0xFF)]
        pair.toResponder([0x50, 0x4C, 0x4E, 1, 0, 0, 0, 0, 0] + length + [UInt8](repeating: 7, count: 1_023))
        #expect(pair.atResponder.error == nil)
        // When it is complete, it is read: a key, and a payload that the first message may have.
        pair.toResponder([7])
        #expect(pair.atResponder.error == nil && pair.responder.takeOutput().count == 98)
    }

    @Test func anOversizeAnswerOrCertificateIsRefused() throws {
        var pair = try CodecPair()
        pair.toInitiator([4, 1])
        #expect(pair.atInitiator.error == .messageTooLarge(bytes: 1025))
        var late = try CodecPair()
        late.toResponder(late.initiator.takeOutput())
        late.toInitiator(late.responder.takeOutput())
        late.toInitiator([4, 1])
        #expect(late.atInitiator.error == .messageTooLarge(bytes: 1025))
    }

    @Test func randomBytesNeverOpenALink() throws {
        var random = SplitMix.printingSeed()
        for _ in 0..<200 {
            var pair = try CodecPair()
            _ = pair.initiator.takeOutput()
            var junk = random.bytes(Int.random(in: 1...3_000, using: &random))
            pair.toInitiator(junk)
            if Bool.random(using: &random) { junk = [0x50, 0x4C, 0x4E, 1, 0, 0, 0, 0, 0] + junk }
            pair.toResponder(junk)
            #expect(pair.atResponder.opened == nil && pair.atInitiator.opened == nil)
        }
    }
}
