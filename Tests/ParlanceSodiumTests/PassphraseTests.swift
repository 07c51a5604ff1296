import ParlanceSodium
import Testing

@Suite("Passphrases and long nonces")
struct PassphraseTests {
    private func bytes(_ secret: SecretBytes) -> [UInt8] { secret.withBytes { [UInt8]($0) } }

    private let seed = SecretBytes(copying: Array("a secret".utf8))

    @Test("XChaCha20-Poly1305: draft-irtf-cfrg-xchacha-03, A.3.1")
    func xchacha() {
        let key = SecretBytes(copying: [UInt8](0x80..<0xA0))
        let (nonce, ad) = ([UInt8](0x40..<0x58), hex("50515253c0c1c2c3c4c5c6c7"))
        let plain = Array(
            ("Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, "
                + "sunscreen would be it.").utf8
        )
        let sealed = XChaCha20Poly1305.encrypt(plain, ad: ad, nonce: nonce, key: key)
        #expect(text(Array(sealed.prefix(16))) == "bd6d179d3e83d43b9576579493c0e939")
        #expect(text(Array(sealed.suffix(16))) == "c0875924c1c7987947deafd8780acf49")
        #expect(XChaCha20Poly1305.decrypt(sealed, ad: ad, nonce: nonce, key: key) == plain)
    }

    @Test("A sealed text that was changed at any position does not open")
    func touched() {
        let key = SecretBytes(copying: [UInt8](repeating: 7, count: 32))
        let nonce = [UInt8](repeating: 9, count: 24)
        let sealed = XChaCha20Poly1305.encrypt(seed, ad: [1, 2], nonce: nonce, key: key)
        func opens(_ sealed: [UInt8], _ nonce: [UInt8], ad: [UInt8] = [1, 2]) -> Bool {
            XChaCha20Poly1305.decryptSecret(sealed, ad: ad, nonce: nonce, key: key) != nil
        }
        #expect(opens(sealed, nonce))
        let opened = XChaCha20Poly1305.decryptSecret(sealed, ad: [1, 2], nonce: nonce, key: key)
        #expect(opened.map { bytes($0) } == bytes(seed))
        for index in sealed.indices {
            var other = sealed
            other[index] ^= 1
            #expect(!opens(other, nonce))
        }
        for count in 0..<sealed.count { #expect(!opens(Array(sealed.prefix(count)), nonce)) }
        #expect(!opens(sealed, nonce, ad: [1, 3]))
        #expect(!opens(sealed, [UInt8](repeating: 8, count: 24)))
        #expect(!opens(sealed, [UInt8](repeating: 9, count: 23)))
        let otherKey = SecretBytes(copying: [UInt8](repeating: 6, count: 32))
        #expect(XChaCha20Poly1305.decrypt(sealed, ad: [1, 2], nonce: nonce, key: otherKey) == nil)
    }

    @Test("Argon2id: the result equals OpenSSL's")
    func argon() throws {
        let passphrase = SecretBytes(copying: Array("correct horse battery staple".utf8))
        let cost = PasswordHash.Cost(operations: 3, memoryBytes: 65_536)
        let key = try PasswordHash.key(from: passphrase, salt: [UInt8](0..<16), cost: cost)
        #expect(text(bytes(key)) == "bc240e180a205bd2e782cdc64983f247e76aeb8fb2133aec1570b70cccd68bff")
    }

    @Test("An invalid cost, and a salt of another length, are refused")
    func refused() {
        for cost in [
            PasswordHash.Cost(operations: 0, memoryBytes: 65_536), .init(operations: 3, memoryBytes: 8_191),
            .init(operations: 3, memoryBytes: -1), .init(operations: .max, memoryBytes: 65_536),
            .init(operations: 1, memoryBytes: .max),
        ] {
            #expect(throws: SodiumError.self) {
                try PasswordHash.key(from: seed, salt: [UInt8](0..<16), cost: cost)
            }
        }
        #expect(throws: SodiumError.self) {
            try PasswordHash.key(from: seed, salt: [], cost: .init(operations: 1, memoryBytes: 8_192))
        }
    }

    @Test("The cost for an identity file is 256 MiB")
    func moderate() {
        #expect(PasswordHash.Cost.moderate == .init(operations: 3, memoryBytes: 268_435_456))
    }
}
