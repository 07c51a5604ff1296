import ParlanceSodium
import Testing

@Suite("X25519")
struct ExchangeTests {
    @Test("Known answers: RFC 7748, section 6.1")
    func knownAnswers() throws {
        let alice = try pair("77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a")
        let bob = try pair("5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb")
        #expect(text(alice.publicKey) == "8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a")
        #expect(text(bob.publicKey) == "de9edb7d7b7dc1b4d35b61c2ece435373f8343c85b78674dadfc7e146f882b4f")
        let shared = "4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742"
        #expect(try text(alice.sharedSecret(with: bob.publicKey).withBytes { Array($0) }) == shared)
        #expect(try text(bob.sharedSecret(with: alice.publicKey).withBytes { Array($0) }) == shared)
    }

    @Test(
        "Points of low order are refused",
        arguments: [
            "0000000000000000000000000000000000000000000000000000000000000000",
            "0100000000000000000000000000000000000000000000000000000000000000",
            "e0eb7a7c3b41b8ae1656e3faf19fc46ada098deb9c32b1fd866205165f49b800",
            "5f9c95bca3508c24b1d0b1559c83ef5b04445cc4581c8e86d8224eddd09f1157",
            "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            "edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
            "eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
        ]
    )
    func lowOrder(point: String) {
        let pair = X25519KeyPair.generate()
        #expect(throws: SodiumError.weakPublicKey) { try pair.sharedSecret(with: hex(point)) }
    }

    @Test("Keys must have 32 bytes", arguments: [0, 31, 33])
    func lengths(count: Int) {
        let pair = X25519KeyPair.generate(placement: .heap)
        #expect(throws: SodiumError.wrongLength(of: .exchangePublicKey, expected: 32, actual: count)) {
            try pair.sharedSecret(with: [UInt8](repeating: 9, count: count))
        }
        #expect(throws: SodiumError.wrongLength(of: .exchangeSecretKey, expected: 32, actual: count)) {
            try X25519KeyPair(secret: SecretBytes(randomCount: count))
        }
    }

    private func pair(_ secret: String) throws -> X25519KeyPair {
        try X25519KeyPair(secret: SecretBytes(copying: hex(secret)))
    }
}
