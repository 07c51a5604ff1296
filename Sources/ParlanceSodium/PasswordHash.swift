import CSodium

/// Argon2id (RFC 9106): derives a key from what a person can remember, and makes each guess costly.
package enum PasswordHash {
    /// The length of a salt, in bytes.
    package static let saltByteCount = Int(crypto_pwhash_argon2id_SALTBYTES)

    /// The cost of one guess.
    package struct Cost: Equatable, Sendable {
        /// Passes over the memory.
        package var operations: UInt64
        package var memoryBytes: Int

        package init(operations: UInt64, memoryBytes: Int) {
            self.operations = operations
            self.memoryBytes = memoryBytes
        }

        /// 3 passes over 256 MiB, about 0.7 s: for a passphrase that is asked once at a start, never for each
        /// connection.
        package static let moderate = Cost(
            operations: UInt64(crypto_pwhash_argon2id_OPSLIMIT_MODERATE),
            memoryBytes: Int(crypto_pwhash_argon2id_MEMLIMIT_MODERATE)
        )

        /// Whether libsodium accepts it.
        package var isPossible: Bool {
            let passes = UInt64(crypto_pwhash_argon2id_OPSLIMIT_MIN)...UInt64(crypto_pwhash_argon2id_OPSLIMIT_MAX)
            return passes.contains(operations) && memoryBytes >= Int(crypto_pwhash_argon2id_MEMLIMIT_MIN)
                && UInt64(memoryBytes) <= 4_398_046_510_080
        }
    }

    /// Derives a key of `byteCount` bytes, at least 16.
    ///
    /// - Parameter salt: 16 bytes, different for each secret that is wrapped.
    package static func key(
        from passphrase: SecretBytes,
        salt: [UInt8],
        cost: Cost,
        byteCount: Int = XChaCha20Poly1305.keyByteCount
    ) throws(SodiumError) -> SecretBytes {
        guard salt.count == saltByteCount else {
            throw .wrongLength(of: .salt, expected: saltByteCount, actual: salt.count)
        }
        guard cost.isPossible else { throw .cannotHash(memoryBytes: cost.memoryBytes) }
        var status: Int32 = -1
        let key = SecretBytes(count: byteCount) { key in
            passphrase.withBytes { passphrase in
                status = crypto_pwhash_argon2id(
                    key.octets,
                    UInt64(key.count),
                    UnsafeRawPointer(passphrase.octets).assumingMemoryBound(to: CChar.self),
                    UInt64(passphrase.count),
                    salt,
                    cost.operations,
                    cost.memoryBytes,
                    crypto_pwhash_argon2id_ALG_ARGON2ID13
                )
            }
        }
        guard status == 0 else { throw .cannotHash(memoryBytes: cost.memoryBytes) }
        return key
    }
}
