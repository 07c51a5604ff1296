/// HKDF with SHA-256 in the form of the Noise specification, section 4.3.
/// It is RFC 5869 with the chaining key as salt and an empty info; the libsodium of Debian 12 has no HKDF. The outputs
/// are on the heap unless the caller says otherwise: most live for one handshake.
package enum HKDF {
    /// Derives two keys of 32 bytes.
    package static func two(
        chainingKey: SecretBytes,
        input: UnsafeRawBufferPointer,
        placement: SecretBytes.Placement = .heap
    ) -> (SecretBytes, SecretBytes) {
        let pseudorandomKey = extract(chainingKey: chainingKey, input: input)
        let first = expand(pseudorandomKey, after: nil, index: 1, placement: placement)
        let second = expand(pseudorandomKey, after: first, index: 2, placement: placement)
        return (first, second)
    }

    /// Derives three keys of 32 bytes.
    package static func three(
        chainingKey: SecretBytes,
        input: UnsafeRawBufferPointer,
        placement: SecretBytes.Placement = .heap
    ) -> (SecretBytes, SecretBytes, SecretBytes) {
        let pseudorandomKey = extract(chainingKey: chainingKey, input: input)
        let first = expand(pseudorandomKey, after: nil, index: 1, placement: placement)
        let second = expand(pseudorandomKey, after: first, index: 2, placement: placement)
        let third = expand(pseudorandomKey, after: second, index: 3, placement: placement)
        return (first, second, third)
    }

    /// RFC 5869, section 2.2.
    private static func extract(chainingKey: SecretBytes, input: UnsafeRawBufferPointer) -> SecretBytes {
        SecretBytes(count: HMACSHA256.byteCount, placement: .heap) { output in
            chainingKey.withBytes { HMACSHA256.authenticate(input, key: $0, into: output) }
        }
    }

    /// RFC 5869, section 2.3: one block, from the block before it and its index.
    private static func expand(
        _ pseudorandomKey: SecretBytes,
        after previous: SecretBytes?,
        index: UInt8,
        placement: SecretBytes.Placement
    ) -> SecretBytes {
        SecretBytes(count: HMACSHA256.byteCount, placement: placement) { output in
            pseudorandomKey.withBytes { key in
                guard let previous else {
                    let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
                    return HMACSHA256.authenticate(nothing, suffix: index, key: key, into: output)
                }
                previous.withBytes { HMACSHA256.authenticate($0, suffix: index, key: key, into: output) }
            }
        }
    }
}
