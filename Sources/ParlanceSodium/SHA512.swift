import CSodium

/// SHA-512 (FIPS 180-4), the hash of safety numbers.
package enum SHA512 {
    /// The length of a hash, in bytes.
    package static let byteCount = Int(crypto_hash_sha512_BYTES)

    /// Hashes the parts as one run of bytes.
    package static func hash(_ parts: [UInt8]...) -> [UInt8] {
        [UInt8](count: byteCount) { output in
            var state = crypto_hash_sha512_state()
            crypto_hash_sha512_init(&state)
            for part in parts {
                crypto_hash_sha512_update(&state, part, UInt64(part.count))
            }
            crypto_hash_sha512_final(&state, output.octets)
        }
    }
}
