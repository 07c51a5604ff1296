import CSodium

/// An X25519 key pair for Diffie-Hellman exchanges (RFC 7748).
package struct X25519KeyPair: Sendable {
    /// The length of a secret key, a public key and a shared secret, in bytes.
    package static let byteCount = Int(crypto_scalarmult_curve25519_BYTES)

    /// The 32-byte public key.
    package let publicKey: [UInt8]

    private let secret: SecretBytes

    /// Uses a 32-byte secret key; any value is valid, and another length throws `wrongLength`.
    package init(secret: SecretBytes) throws(SodiumError) {
        guard secret.count == Self.byteCount else {
            throw .wrongLength(of: .exchangeSecretKey, expected: Self.byteCount, actual: secret.count)
        }
        self.init(checked: secret)
    }

    /// Makes a new random pair. Only shells may call it.
    /// Use `.heap` for the ephemeral pair of a handshake, because a stranger can make us create one by connecting.
    package static func generate(placement: SecretBytes.Placement = .guarded) -> X25519KeyPair {
        X25519KeyPair(checked: SecretBytes(randomCount: byteCount, placement: placement))
    }

    /// Uses a secret whose length has been checked.
    private init(checked secret: SecretBytes) {
        self.secret = secret
        publicKey = [UInt8](count: Self.byteCount) { publicKey in
            secret.withBytes { _ = crypto_scalarmult_curve25519_base(publicKey.octets, $0.octets) }
        }
    }

    /// Computes the secret shared with the owner of `publicKey`.
    /// The result is not uniform: hash it before use as a key. It is on the heap and meant to be short-lived. Throws
    /// `wrongLength`, or `weakPublicKey` if the result is all zero (a point of low order: the "secret" would be known
    /// to everybody).
    package func sharedSecret(with publicKey: [UInt8]) throws(SodiumError) -> SecretBytes {
        guard publicKey.count == Self.byteCount else {
            throw .wrongLength(of: .exchangePublicKey, expected: Self.byteCount, actual: publicKey.count)
        }
        var status: Int32 = -1
        let shared = SecretBytes(count: Self.byteCount, placement: .heap) { shared in
            secret.withBytes { secret in
                status = crypto_scalarmult_curve25519(shared.octets, secret.octets, publicKey)
            }
        }
        guard status == 0 else { throw .weakPublicKey }
        return shared
    }
}
