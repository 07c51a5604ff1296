import CSodium

/// An Ed25519 key that signs (RFC 8032), made from a 32-byte seed.
package final class SigningKey: Sendable {
    /// The length of the seed, in bytes.
    package static let seedByteCount = Int(crypto_sign_ed25519_SEEDBYTES)

    /// The 32-byte public key; for an identity, this is the peer ID.
    package let publicKey: [UInt8]

    /// The seed of the key, for writing the identity file.
    package let seed: SecretBytes

    /// libsodium's 64-byte form: the seed followed by the public key.
    private let secret: SecretBytes

    /// Derives the key from its 32-byte seed; any other length throws `wrongLength`.
    package convenience init(seed: SecretBytes) throws(SodiumError) {
        guard seed.count == Self.seedByteCount else {
            throw .wrongLength(of: .signingSeed, expected: Self.seedByteCount, actual: seed.count)
        }
        self.init(expanding: seed)
    }

    /// Makes a new random key. Only shells may call it.
    package static func generate() -> SigningKey {
        SigningKey(expanding: SecretBytes(randomCount: seedByteCount))
    }

    /// Expands a seed whose length has been checked.
    private init(expanding seed: SecretBytes) {
        var publicKey = [UInt8](repeating: 0, count: Int(crypto_sign_ed25519_PUBLICKEYBYTES))
        secret = SecretBytes(count: Int(crypto_sign_ed25519_SECRETKEYBYTES)) { secret in
            seed.withBytes { seed in
                _ = crypto_sign_ed25519_seed_keypair(&publicKey, secret.octets, seed.octets)
            }
        }
        self.publicKey = publicKey
        self.seed = seed
    }

    /// Signs a message and returns the 64-byte signature; the same message always has the same signature.
    package func sign(_ message: [UInt8]) -> [UInt8] {
        [UInt8](count: Ed25519.signatureByteCount) { signature in
            secret.withBytes { secret in
                _ = crypto_sign_ed25519_detached(
                    signature.octets,
                    nil,
                    message,
                    UInt64(message.count),
                    secret.octets
                )
            }
        }
    }
}

extension SigningKey: Equatable {
    /// Two keys are equal if their public keys are equal.
    package static func == (left: SigningKey, right: SigningKey) -> Bool { left.publicKey == right.publicKey }
}

/// Verification of Ed25519 signatures (RFC 8032).
package enum Ed25519 {
    /// The length of a signature, in bytes.
    package static let signatureByteCount = Int(crypto_sign_ed25519_BYTES)

    /// The length of a public key, in bytes.
    package static let publicKeyByteCount = Int(crypto_sign_ed25519_PUBLICKEYBYTES)

    /// Whether `signature` is `publicKey`'s over `message`.
    ///
    /// False for anything malformed: a wrong length, a scalar that is not reduced, a key or point that is not
    /// canonical or of small order. So no second valid form of a signature can be made from a first.
    package static func verify(_ signature: [UInt8], of message: [UInt8], by publicKey: [UInt8]) -> Bool {
        guard signature.count == signatureByteCount, publicKey.count == publicKeyByteCount else { return false }
        return crypto_sign_ed25519_verify_detached(signature, message, UInt64(message.count), publicKey) == 0
    }
}
