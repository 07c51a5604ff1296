import CSodium

/// SHA-256 (FIPS 180-4), the hash of our Noise protocols.
package enum SHA256 {
    /// The length of a hash, in bytes.
    package static let byteCount = Int(crypto_hash_sha256_BYTES)

    /// Hashes the parts as one run of bytes.
    package static func hash(_ parts: [UInt8]...) -> [UInt8] {
        [UInt8](count: byteCount) { output in
            var state = crypto_hash_sha256_state()
            crypto_hash_sha256_init(&state)
            for part in parts {
                crypto_hash_sha256_update(&state, part, UInt64(part.count))
            }
            crypto_hash_sha256_final(&state, output.octets)
        }
    }

    /// A hash of bytes that come in parts.
    package struct Stream {
        private var state = crypto_hash_sha256_state()

        package init() { crypto_hash_sha256_init(&state) }

        package mutating func update(_ part: UnsafeRawBufferPointer) {
            crypto_hash_sha256_update(&state, part.octets, UInt64(part.count))
        }

        /// Ends the stream.
        package consuming func finish() -> [UInt8] {
            [UInt8](count: byteCount) { crypto_hash_sha256_final(&state, $0.octets) }
        }
    }
}

/// HMAC with SHA-256 (RFC 2104).
package enum HMACSHA256 {
    /// The length of a code, in bytes.
    package static let byteCount = Int(crypto_auth_hmacsha256_BYTES)

    /// Computes the code of a message; the key may have any length.
    package static func authenticate(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
        [UInt8](count: byteCount) { output in
            message.withUnsafeBytes { message in
                key.withUnsafeBytes { key in authenticate(message, key: key, into: output) }
            }
        }
    }

    /// Computes the code of `message`, followed by the byte `suffix` if there is one, into 32 bytes of the caller.
    static func authenticate(
        _ message: UnsafeRawBufferPointer,
        suffix: UInt8? = nil,
        key: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) {
        precondition(output.count == byteCount, "HMAC-SHA256 gives 32 bytes")
        var state = crypto_auth_hmacsha256_state()
        crypto_auth_hmacsha256_init(&state, key.octets, key.count)
        crypto_auth_hmacsha256_update(&state, message.octets, UInt64(message.count))
        if var suffix {
            crypto_auth_hmacsha256_update(&state, &suffix, 1)
        }
        crypto_auth_hmacsha256_final(&state, output.octets)
        sodium_memzero(&state, MemoryLayout.size(ofValue: state))
    }
}
