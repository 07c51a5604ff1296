import ParlanceSodium
import Testing

@Suite("Hashes and key derivation")
struct HashTests {
    @Test("SHA-256: FIPS 180-4 examples, in one part and in several")
    func sha256() {
        #expect(text(SHA256.hash([])) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855")
        #expect(text(SHA256.hash(hex("616263"))) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
        #expect(SHA256.hash([0x61], [], [0x62, 0x63]) == SHA256.hash([0x61, 0x62, 0x63]))
    }

    @Test("SHA-512: FIPS 180-4 examples, in one part and in several")
    func sha512() {
        let empty = """
            cf83e1357eefb8bdf1542850d66d8007d620e4050b5715dc83f4a921d36ce9ce47d0d13c5d85f2b0ff8318d2877eec2f\
            63b931bd47417a81a538327af927da3e
            """
        let abc = """
            ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd\
            454d4423643ce80e2a9ac94fa54ca49f
            """
        #expect(text(SHA512.hash([])) == empty)
        #expect(text(SHA512.hash(hex("616263"))) == abc)
        #expect(SHA512.hash([0x61], [], [0x62, 0x63]) == SHA512.hash([0x61, 0x62, 0x63]))
    }

    @Test("HMAC-SHA256: RFC 4231, cases 1, 2 and 6 (a key longer than a block)")
    func hmac() {
        let first = HMACSHA256.authenticate(Array("Hi There".utf8), key: [UInt8](repeating: 0x0b, count: 20))
        #expect(text(first) == "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7")
        let second = HMACSHA256.authenticate(Array("what do ya want for nothing?".utf8), key: Array("Jefe".utf8))
        #expect(text(second) == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
        let message = Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8)
        let third = HMACSHA256.authenticate(message, key: [UInt8](repeating: 0xaa, count: 131))
        #expect(text(third) == "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54")
    }

    @Test("HKDF: RFC 5869, case 3 (no salt, no info), with two and with three outputs")
    func hkdf() {
        let salt = SecretBytes(copying: [])
        let input = [UInt8](repeating: 0x0b, count: 22)
        let two = input.withUnsafeBytes { HKDF.two(chainingKey: salt, input: $0) }
        let okm = bytes(two.0) + bytes(two.1)
        let expected = "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8"
        #expect(text(Array(okm.prefix(42))) == expected)
        let three = input.withUnsafeBytes { HKDF.three(chainingKey: salt, input: $0) }
        #expect(bytes(three.0) + bytes(three.1) == okm)
        // The third block is beyond the RFC's 42 bytes; it was computed with Python's hmac.
        #expect(text(bytes(three.2)) == "36def6dc129c29271a0eb7ab14bd2ca88259f8a3a92ac2ec0e3e4fa046a4b90b")
    }

    @Test("BLAKE2b: RFC 7693, appendix A, with the first byte as the domain")
    func blake2b() {
        let expected = """
            ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d1\
            7d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923
            """
        #expect(text(Blake2b.hash(0x61, [0x62, 0x63], count: 64)) == expected)
        #expect(text(Blake2b.hash(0x61, [0x62], [], [0x63], count: 64)) == expected)
        #expect(
            text(Blake2b.hash(0x61, [0x62, 0x63]))
                == "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319"
        )
    }

    @Test("BLAKE2b into the caller's memory gives the same hash", arguments: [0, 1, 127, 128, 300, 70_000])
    func blake2bInPlace(count: Int) {
        let content = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        var output = [UInt8](repeating: 0, count: 32)
        content.withUnsafeBytes { content in
            output.withUnsafeMutableBytes { Blake2b.hash(9, bytes: content, into: $0) }
        }
        #expect(output == Blake2b.hash(9, content))
        #expect(output != Blake2b.hash(8, content))
    }

    @Test(
        "BLAKE2b in pieces of any length gives the same hash, and the next one starts anew",
        arguments: [1, 7, 128, 5_000]
    )
    func blake2bInPieces(step: Int) {
        let content = (0..<5_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        var stream = Blake2bStream(9)
        for _ in 0..<2 {
            for start in stride(from: 0, to: content.count, by: step) {
                content[start..<min(start + step, content.count)].withUnsafeBytes { stream.update($0) }
            }
            var output = [UInt8](repeating: 0, count: 32)
            output.withUnsafeMutableBytes { stream.finish(into: $0) }
            #expect(output == Blake2b.hash(9, content))
        }
    }

    private func bytes(_ secret: SecretBytes) -> [UInt8] { secret.withBytes { Array($0) } }
}
