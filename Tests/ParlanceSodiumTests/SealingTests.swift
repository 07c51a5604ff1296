import ParlanceSodium
import Testing

@Suite("ChaCha20-Poly1305")
struct SealingTests {
    static let key = SecretBytes(copying: Array(0x80...0x9f))
    static let ad = hex("50515253c0c1c2c3c4c5c6c7")
    static let plaintext = Array(
        """
        Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, \
        sunscreen would be it.
        """.utf8
    )
    static let sealed = hex(
        """
        d31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d6
        3dbea45e8ca9671282fafb69da92728b1a71de0a9e060b2905d6a5b67ecd3b36
        92ddbd7f2d778b8c9803aee328091b58fab324e4fad675945585808b4831d7bc
        3ff4def08e4b7a9de576d26586cec64b61161ae10b594f09e26a7e902ecbd060
        0691
        """
    )

    let nonce: ChaCha20Poly1305.Nonce

    init() throws {
        nonce = try #require(ChaCha20Poly1305.Nonce(hex("070000004041424344454647")))
    }

    @Test("Known answer: RFC 7539 (8439), section 2.8.2")
    func knownAnswer() {
        #expect(ChaCha20Poly1305.encrypt(Self.plaintext, ad: Self.ad, nonce: nonce, key: Self.key) == Self.sealed)
        #expect(ChaCha20Poly1305.decrypt(Self.sealed, ad: Self.ad, nonce: nonce, key: Self.key) == Self.plaintext)
    }

    @Test("A changed byte of text, tag or associated data, or another nonce or key, is refused")
    func tampering() {
        for index in Self.sealed.indices {
            var changed = Self.sealed
            changed[index] ^= 0x40
            #expect(ChaCha20Poly1305.decrypt(changed, ad: Self.ad, nonce: nonce, key: Self.key) == nil, "byte \(index)")
        }
        for index in Self.ad.indices {
            var changed = Self.ad
            changed[index] ^= 1
            #expect(ChaCha20Poly1305.decrypt(Self.sealed, ad: changed, nonce: nonce, key: Self.key) == nil)
        }
        let other = ChaCha20Poly1305.Nonce(counter: 7)
        #expect(ChaCha20Poly1305.decrypt(Self.sealed, ad: Self.ad, nonce: other, key: Self.key) == nil)
        let key = SecretBytes(randomCount: 32)
        #expect(ChaCha20Poly1305.decrypt(Self.sealed, ad: Self.ad, nonce: nonce, key: key) == nil)
    }

    @Test("A sealed text that is cut short anywhere does not open")
    func truncation() {
        for count in 0..<Self.sealed.count {
            let cut = Array(Self.sealed.prefix(count))
            #expect(ChaCha20Poly1305.decrypt(cut, ad: Self.ad, nonce: nonce, key: Self.key) == nil, "\(count) bytes")
        }
    }

    @Test("Sealing and opening in place")
    func inPlace() {
        var buffer = Self.plaintext + [UInt8](repeating: 0, count: 16)
        let count = Self.plaintext.count
        let written = buffer.withUnsafeMutableBytes { buffer in
            Self.ad.withUnsafeBytes { ad in
                let plaintext = UnsafeRawBufferPointer(rebasing: buffer.prefix(count))
                return ChaCha20Poly1305.encrypt(plaintext, ad: ad, nonce: nonce, key: Self.key, into: buffer)
            }
        }
        #expect(written == Self.sealed.count)
        #expect(buffer == Self.sealed)
        let opened = buffer.withUnsafeMutableBytes { buffer in
            Self.ad.withUnsafeBytes { ad in
                let sealed = UnsafeRawBufferPointer(buffer)
                return ChaCha20Poly1305.decrypt(sealed, ad: ad, nonce: nonce, key: Self.key, into: buffer)
            }
        }
        #expect(opened == count)
        #expect(Array(buffer.prefix(count)) == Self.plaintext)
    }

    @Test("A failed opening leaves no plaintext behind")
    func failureLeavesNothing() {
        var changed = Self.sealed
        changed[changed.count - 1] ^= 1
        var output = [UInt8](repeating: 0xee, count: Self.plaintext.count)
        let opened = changed.withUnsafeBytes { changed in
            Self.ad.withUnsafeBytes { ad in
                output.withUnsafeMutableBytes { output in
                    ChaCha20Poly1305.decrypt(changed, ad: ad, nonce: nonce, key: Self.key, into: output)
                }
            }
        }
        #expect(opened == nil)
        #expect(zip(output, Self.plaintext).filter { $0 == $1 }.isEmpty)
    }

    @Test("An empty text is sealed as a tag alone, which is still checked")
    func emptyText() throws {
        let sealed = ChaCha20Poly1305.encrypt([], nonce: nonce, key: Self.key)
        #expect(sealed.count == 16)
        #expect(ChaCha20Poly1305.decrypt(sealed, nonce: nonce, key: Self.key) == [])
        #expect(ChaCha20Poly1305.decrypt(sealed, ad: [0], nonce: nonce, key: Self.key) == nil)
    }

    @Test("A nonce from a counter: four zero bytes and the counter, little-endian; other lengths are refused")
    func nonces() throws {
        let spelled = try #require(ChaCha20Poly1305.Nonce(hex("00000000 8877665544332211")))
        let counted = ChaCha20Poly1305.Nonce(counter: 0x1122_3344_5566_7788)
        let sealed = ChaCha20Poly1305.encrypt([1, 2, 3], nonce: counted, key: Self.key)
        #expect(sealed == ChaCha20Poly1305.encrypt([1, 2, 3], nonce: spelled, key: Self.key))
        #expect(ChaCha20Poly1305.Nonce([]) == nil)
        #expect(ChaCha20Poly1305.Nonce([UInt8](repeating: 0, count: 13)) == nil)
    }
}
