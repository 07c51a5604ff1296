import CSodium

/// SHA-256 (FIPS 180-4) of bytes that come in parts.
struct SHA256Stream {
    private var state = crypto_hash_sha256_state()

    init() { crypto_hash_sha256_init(&state) }

    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        let octets = bytes.assumingMemoryBound(to: UInt8.self)
        crypto_hash_sha256_update(&state, octets.baseAddress, UInt64(octets.count))
    }

    /// The hash in hexadecimal. The stream ends with it.
    consuming func finish() -> String {
        var hash = [UInt8](repeating: 0, count: Int(crypto_hash_sha256_BYTES))
        crypto_hash_sha256_final(&state, &hash)
        let digits = Array("0123456789abcdef")
        return String(hash.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] })
    }
}
