import ParlanceNoise
import ParlanceSodium
import Testing

@Suite("Cipher of one direction")
struct CipherTests {
    @Test("Rekeying agrees on both sides, changes the key and keeps the count")
    func rekey() throws {
        var link = try Direction()
        for round in 0..<4 {
            for _ in 0..<3 {
                let opened = try link.receive.decrypt(link.send.encrypt([UInt8(round)], ad: [1]), ad: [1])
                #expect(opened == [UInt8(round)])
            }
            link.send.rekey()
            link.receive.rekey()
        }
        let counts = [link.send.nonce, link.receive.nonce]
        #expect(counts == [12, 12])
        let sealed = try link.send.encrypt([42])
        var old = try CipherState(key: link.key, nonce: 12)
        #expect(failure { () throws(NoiseError) in _ = try old.decrypt(sealed) } == .authenticationFailed)
        let opened = try link.receive.decrypt(sealed)
        #expect(opened == [42])
        link.receive.rekey()
        let next = try link.send.encrypt([43])
        #expect(failure { () throws(NoiseError) in _ = try link.receive.decrypt(next) } == .authenticationFailed)
    }

    @Test("Rekeying is ENCRYPT(k, 2^64 - 1, no data, 32 zeros), cut to 32 bytes (section 4.2)")
    func rekeyByTheSpecification() throws {
        var link = try Direction()
        let zeros = [UInt8](repeating: 0, count: 32)
        let nonce = try #require(ChaCha20Poly1305.Nonce(hex("00000000 ffffffffffffffff")))
        let next = ChaCha20Poly1305.encrypt(zeros, nonce: nonce, key: link.key).prefix(32)
        link.send.rekey()
        var other = try CipherState(key: SecretBytes(copying: Array(next)))
        let opened = try other.decrypt(link.send.encrypt([5]))
        #expect(opened == [5])
    }

    @Test("A repeated, skipped or changed message fails and does not advance the count")
    func order() throws {
        var link = try Direction()
        let first = try link.send.encrypt([1])
        let second = try link.send.encrypt([2])
        #expect(failure { () throws(NoiseError) in _ = try link.receive.decrypt(second) } == .authenticationFailed)
        #expect(
            failure { () throws(NoiseError) in _ = try link.receive.decrypt(first, ad: [0]) } == .authenticationFailed
        )
        let count = link.receive.nonce
        #expect(count == 0)
        let opened = try link.receive.decrypt(first)
        #expect(opened == [1])
        #expect(failure { () throws(NoiseError) in _ = try link.receive.decrypt(first) } == .authenticationFailed)
        let next = try link.receive.decrypt(second)
        #expect(next == [2])
    }

    @Test("The last nonce is never used")
    func exhaustion() throws {
        var link = try Direction(nonce: UInt64.max - 1)
        let last = try link.send.encrypt([1])
        let opened = try link.receive.decrypt(last)
        #expect(opened == [1])
        #expect(failure { () throws(NoiseError) in _ = try link.send.encrypt([2]) } == .nonceExhausted)
        #expect(failure { () throws(NoiseError) in _ = try link.receive.decrypt(last) } == .nonceExhausted)
    }

    @Test("Texts from 0 to 65,519 bytes are accepted; longer texts and shorter messages are refused")
    func limits() throws {
        var link = try Direction()
        for count in [0, 1, 65_519] {
            let text = [UInt8](repeating: 3, count: count)
            let sealed = try link.send.encrypt(text)
            #expect(sealed.count == count + 16)
            let opened = try link.receive.decrypt(sealed)
            #expect(opened == text)
        }
        let long = [UInt8](repeating: 3, count: 65_520)
        let sealing = failure { () throws(NoiseError) in _ = try link.send.encrypt(long) }
        #expect(sealing == .messageTooLong(byteCount: 65_536))
        let opening = failure { () throws(NoiseError) in _ = try link.receive.decrypt(long + long) }
        #expect(opening == .messageTooLong(byteCount: 131_040))
        let short = failure { () throws(NoiseError) in _ = try link.receive.decrypt([UInt8](repeating: 3, count: 15)) }
        #expect(short == .messageTooShort(byteCount: 15))
    }

    @Test("Sealing and opening in place, with a larger buffer, and with a buffer that is too small")
    func buffers() throws {
        var link = try Direction()
        let text = Array("in place".utf8)
        var buffer = text + [UInt8](repeating: 0, count: 20)
        let sealedCount = try buffer.withUnsafeMutableBytes { buffer in
            try link.send.encrypt(UnsafeRawBufferPointer(rebasing: buffer.prefix(text.count)), into: buffer)
        }
        #expect(sealedCount == text.count + 16)
        let openedCount = try buffer.withUnsafeMutableBytes { buffer in
            try link.receive.decrypt(UnsafeRawBufferPointer(rebasing: buffer.prefix(sealedCount)), into: buffer)
        }
        #expect(Array(buffer.prefix(openedCount)) == text)

        var small = [UInt8](repeating: 0, count: text.count + 15)
        let sealing = failure { () throws(NoiseError) in
            try text.withUnsafeBufferPointer { text throws(NoiseError) in
                try small.withUnsafeMutableBufferPointer { small throws(NoiseError) in
                    _ = try link.send.encrypt(UnsafeRawBufferPointer(text), into: UnsafeMutableRawBufferPointer(small))
                }
            }
        }
        #expect(sealing == .bufferTooSmall(needed: text.count + 16, actual: text.count + 15))
        let count = link.send.nonce
        #expect(count == 1)
    }

    @Test("A key must have 32 bytes", arguments: [0, 31, 33])
    func keyLength(count: Int) {
        let key = SecretBytes(copying: [UInt8](repeating: 1, count: count))
        #expect(failure { () throws(NoiseError) in _ = try CipherState(key: key) } == .wrongKeyLength(actual: count))
    }
}
