import CSodium

/// BLAKE2b (RFC 7693) without a key, always over a domain tag followed by the content.
/// The tag says what is hashed, so that the hash of one kind of thing can never be mistaken for that of another.
package enum Blake2b {
    /// The usual length of a hash, in bytes: BLAKE2b-256.
    package static let byteCount = 32

    /// Hashes the domain tag and then the parts, as one run of bytes, to `count` bytes (1 to 64).
    /// Parts are joined without their lengths: if more than one has a variable length, include the lengths.
    package static func hash(_ domain: UInt8, _ parts: [UInt8]..., count: Int = byteCount) -> [UInt8] {
        [UInt8](count: count) { output in
            withState(domain, output: output) { state in
                for part in parts {
                    crypto_generichash_blake2b_update(state, part, UInt64(part.count))
                }
            }
        }
    }

    /// Hashes the domain tag and `bytes` into the caller's memory (1 to 64 bytes), allocating nothing.
    package static func hash(
        _ domain: UInt8,
        bytes: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer
    ) {
        withState(domain, output: output) { state in
            crypto_generichash_blake2b_update(state, bytes.octets, UInt64(bytes.count))
        }
    }

    /// The size of libsodium's state, part of its ABI, and the alignment it asks for, in bytes.
    private static let stateByteCount = 384, stateAlignment = 64

    /// Starts a hash with its tag, lets `update` add the content, and finishes into `output`.
    /// Swift cannot hold libsodium's state in a variable (it is over-aligned), so the state is in scratch memory on the
    /// stack. The output's length is a constant of our code and never comes from a peer, so a wrong length is a defect
    /// that stops the program.
    private static func withState(
        _ domain: UInt8,
        output: UnsafeMutableRawBufferPointer,
        update: (OpaquePointer) -> Void
    ) {
        precondition((1...Int(crypto_generichash_blake2b_BYTES_MAX)).contains(output.count), "BLAKE2b: 1 to 64 bytes")
        precondition(crypto_generichash_blake2b_statebytes() <= stateByteCount, "BLAKE2b: unknown libsodium ABI")
        let room = stateByteCount + stateAlignment
        withUnsafeTemporaryAllocation(byteCount: room, alignment: 16) { scratch in
            guard let base = scratch.baseAddress else { return }
            let state = OpaquePointer(base.alignedUp(toMultipleOf: stateAlignment))
            crypto_generichash_blake2b_init(state, nil, 0, output.count)
            withUnsafePointer(to: domain) { _ = crypto_generichash_blake2b_update(state, $0, 1) }
            update(state)
            crypto_generichash_blake2b_final(state, output.octets, output.count)
        }
    }
}
