import ParlanceNoise
import ParlanceSodium
import Testing

@Suite("Handshake: wrong calls and hostile messages")
struct HandshakeMisuseTests {
    @Test("A call out of turn is an error, and ends the handshake", arguments: roles)
    func outOfTurn(role: NoiseRole) throws {
        var handshake = try Fixture.handshake(role, .xx)
        let first = failure { () throws(NoiseError) in
            if role == .initiator {
                _ = try handshake.readMessage([UInt8](repeating: 9, count: 32))
            } else {
                _ = try handshake.writeMessage(payload: [])
            }
        }
        #expect(first == .outOfTurn)
        #expect(failure { () throws(NoiseError) in _ = try handshake.writeMessage(payload: []) } == .handshakeDead)
        #expect(failure { () throws(NoiseError) in _ = try handshake.readMessage([]) } == .handshakeDead)
        let complete = handshake.isComplete
        #expect(!complete)
        #expect(splitFailure(handshake) == .handshakeDead)
    }

    @Test("Nothing can be written or read after the last message")
    func afterTheEnd() throws {
        var pair = try Pair(.xx)
        try pair.play()
        #expect(failure { () throws(NoiseError) in _ = try pair.responder.writeMessage(payload: []) } == .outOfTurn)
        #expect(failure { () throws(NoiseError) in _ = try pair.initiator.readMessage([1]) } == .outOfTurn)
        #expect(pair.complete == [false, false])
        #expect(pair.remoteStatics == [nil, nil])
    }

    @Test("A handshake cannot be split before its end")
    func earlySplit() throws {
        #expect(splitFailure(try Fixture.handshake(.initiator, .xx)) == .incomplete)
        var pair = try Pair(.xx)
        try pair.play(0..<2)
        #expect(splitFailure(pair) == .incomplete)
    }

    @Test("A changed message ends the handshake, and no identity is reported")
    func deadAfterFailure() throws {
        var pair = try Pair(.xx)
        try pair.play(0..<2)
        let error = failure { () throws(NoiseError) in
            try pair.play(2..<3) { _, bytes in bytes.dropLast() + [bytes[bytes.count - 1] ^ 1] }
        }
        #expect(error == .authenticationFailed)
        #expect(pair.remoteStatics[1] == nil && !pair.complete[1])
        #expect(failure { () throws(NoiseError) in _ = try pair.responder.readMessage([]) } == .handshakeDead)
    }

    @Test("An all-zero ephemeral key is refused, on both sides", arguments: NoisePattern.allCases)
    func zeroKey(pattern: NoisePattern) throws {
        let zeros = [UInt8](repeating: 0, count: 32)
        var responder = try Fixture.handshake(.responder, .xx)
        _ = try responder.readMessage(zeros)
        let written = failure { () throws(NoiseError) in _ = try responder.writeMessage(payload: []) }
        #expect(written == .weakPublicKey)
        var pair = try Pair(pattern)
        let read = failure { () throws(NoiseError) in
            try pair.play { index, bytes in index == 1 ? zeros + bytes.dropFirst(32) : bytes }
        }
        #expect(read == .weakPublicKey)
    }

    @Test("psk3 needs a pre-shared key of 32 bytes; other patterns accept none")
    func presharedKeys() throws {
        #expect(failure { () throws(NoiseError) in _ = try make(.xxPSK3, nil) } == .missingPresharedKey)
        #expect(failure { () throws(NoiseError) in _ = try make(.xx, Fixture.psk) } == .unexpectedPresharedKey)
        for count in [0, 31, 33] {
            let psk = SecretBytes(copying: [UInt8](repeating: 1, count: count))
            let error = failure { () throws(NoiseError) in _ = try make(.xxPSK3, psk) }
            #expect(error == .wrongKeyLength(actual: count))
        }
    }

    @Test("Messages of 65,535 bytes are accepted, longer ones are refused", arguments: NoisePattern.allCases)
    func lengthLimit(pattern: NoisePattern) throws {
        let overhead = pattern == .xx ? 32 : 48
        var pair = try Pair(pattern)
        let largest = try pair.initiator.writeMessage(payload: [UInt8](repeating: 7, count: 65_535 - overhead))
        #expect(largest.count == 65_535)
        let payload = try pair.responder.readMessage(largest)
        #expect(payload.count == 65_535 - overhead)
        var other = try Pair(pattern)
        let written = failure { () throws(NoiseError) in
            _ = try other.initiator.writeMessage(payload: [UInt8](repeating: 7, count: 65_536 - overhead))
        }
        #expect(written == .messageTooLong(byteCount: 65_536))
        let read = failure { () throws(NoiseError) in
            _ = try other.responder.readMessage([UInt8](repeating: 7, count: 65_536))
        }
        #expect(read == .messageTooLong(byteCount: 65_536))
    }

    private func make(_ pattern: NoisePattern, _ psk: SecretBytes?) throws(NoiseError) -> HandshakeState {
        let pair = X25519KeyPair.generate(placement: .heap)
        return try HandshakeState(
            role: .initiator,
            pattern: pattern,
            prologue: [],
            staticKey: pair,
            ephemeralKey: pair,
            psk: psk
        )
    }

    private func splitFailure(_ handshake: consuming HandshakeState) -> NoiseError? {
        do throws(NoiseError) {
            _ = try handshake.split()
            return nil
        } catch {
            return error
        }
    }

    private func splitFailure(_ pair: consuming Pair) -> NoiseError? { splitFailure(pair.initiator) }
}
