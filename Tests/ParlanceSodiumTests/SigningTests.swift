import ParlanceSodium
import Testing

@Suite("Ed25519")
struct SigningTests {
    struct Vector: Sendable, CustomTestStringConvertible {
        var name: String
        var seed, publicKey, message, signature: String
        var testDescription: String { name }
    }

    static let vectors = [
        Vector(
            name: "RFC 8032 test 1",
            seed: "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60",
            publicKey: "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a",
            message: "",
            signature: """
                e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e06522490155
                5fb8821590a33bacc61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b
                """
        ),
        Vector(
            name: "RFC 8032 test 2",
            seed: "4ccd089b28ff96da9db6c346ec114e0f5b8a319f35aba624da8cf6ed4fb8a6fb",
            publicKey: "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
            message: "72",
            signature: """
                92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da
                085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00
                """
        ),
        Vector(
            name: "RFC 8032 test 3",
            seed: "c5aa8df43f9f837bedb7442f31dcb7b166d38535076f094b85ce3a2e0b4458f7",
            publicKey: "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
            message: "af82",
            signature: """
                6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac
                18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a
                """
        ),
    ]

    @Test("Known answers", arguments: vectors)
    func knownAnswers(vector: Vector) throws {
        let key = try SigningKey(seed: SecretBytes(copying: hex(vector.seed)))
        let message = hex(vector.message)
        #expect(text(key.publicKey) == vector.publicKey)
        #expect(key.sign(message) == hex(vector.signature))
        #expect(Ed25519.verify(hex(vector.signature), of: message, by: key.publicKey))
        #expect(key.seed.withBytes { Array($0) } == hex(vector.seed))
    }

    @Test("A changed bit of signature, message or key is refused")
    func tampering() {
        let key = SigningKey.generate()
        let message = Array("Meet me at noon".utf8)
        let signature = key.sign(message)
        #expect(Ed25519.verify(signature, of: message, by: key.publicKey))
        for bit in 0..<512 {
            #expect(!Ed25519.verify(flip(bit, in: signature), of: message, by: key.publicKey), "signature bit \(bit)")
        }
        for bit in 0..<(message.count * 8) {
            #expect(!Ed25519.verify(signature, of: flip(bit, in: message), by: key.publicKey), "message bit \(bit)")
        }
        for bit in 0..<256 {
            #expect(!Ed25519.verify(signature, of: message, by: flip(bit, in: key.publicKey)), "key bit \(bit)")
        }
    }

    @Test("A signature or key of a wrong length is refused")
    func malformed() {
        let key = SigningKey.generate()
        let signature = key.sign([1])
        #expect(!Ed25519.verify([], of: [1], by: key.publicKey))
        #expect(!Ed25519.verify(Array(signature.dropLast()), of: [1], by: key.publicKey))
        #expect(!Ed25519.verify(signature + [0], of: [1], by: key.publicKey))
        #expect(!Ed25519.verify(signature, of: [1], by: []))
        #expect(!Ed25519.verify(signature, of: [1], by: key.publicKey + [0]))
    }

    @Test("A signature whose scalar has the group order added is refused (RFC 8032, section 5.1.7)")
    func malleability() {
        let order = hex("edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010")
        let key = SigningKey.generate()
        var signature = key.sign([1, 2, 3])
        var carry = 0
        for index in 0..<32 {
            carry += Int(signature[32 + index]) + Int(order[index])
            signature[32 + index] = UInt8(carry & 0xff)
            carry >>= 8
        }
        #expect(!Ed25519.verify(signature, of: [1, 2, 3], by: key.publicKey))
    }

    @Test("A key of small order, under which one signature fits every message, is refused")
    func smallOrderKey() {
        let identityPoint: [UInt8] = [1] + [UInt8](repeating: 0, count: 31)
        let signature = identityPoint + [UInt8](repeating: 0, count: 32)
        #expect(!Ed25519.verify(signature, of: [1, 2, 3], by: identityPoint))
    }

    @Test("A seed must have 32 bytes", arguments: [0, 31, 33, 64])
    func seedLength(count: Int) {
        #expect(throws: SodiumError.wrongLength(of: .signingSeed, expected: 32, actual: count)) {
            try SigningKey(seed: SecretBytes(randomCount: count))
        }
    }

    @Test("Keys with the same public key are equal")
    func equality() throws {
        let key = SigningKey.generate()
        #expect(try SigningKey(seed: key.seed) == key)
        #expect(SigningKey.generate() != key)
    }

    private func flip(_ bit: Int, in bytes: [UInt8]) -> [UInt8] {
        var changed = bytes
        changed[bit / 8] ^= 1 << UInt8(bit % 8)
        return changed
    }
}
