import CSodium

/// ChaCha20-Poly1305 with a 12-byte nonce (RFC 8439).
/// Never use the same key with the same nonce twice; the owner of the key counts the nonces. Keys have 32 bytes: they
/// and the sizes of the buffers come from our code, never from a peer, so wrong ones are defects that stop the program.
/// The sealed bytes do come from a peer; they may be anything and have any length.
package enum ChaCha20Poly1305 {
    /// The length of a key, in bytes.
    package static let keyByteCount = Int(crypto_aead_chacha20poly1305_ietf_KEYBYTES)

    /// How many bytes longer the sealed form is than the plain one.
    package static let tagByteCount = Int(crypto_aead_chacha20poly1305_ietf_ABYTES)

    /// Seals `plaintext` into `output`, which has at least 16 bytes more; the two may start at the same address.
    ///
    /// - Returns: how many bytes of `output` were written. Nothing is allocated.
    @discardableResult
    package static func encrypt(
        _ plaintext: UnsafeRawBufferPointer,
        ad: UnsafeRawBufferPointer,
        nonce: Nonce,
        key: SecretBytes,
        into output: UnsafeMutableRawBufferPointer
    ) -> Int {
        precondition(key.count == keyByteCount, "A ChaCha20-Poly1305 key has 32 bytes")
        precondition(output.count - tagByteCount >= plaintext.count, "The sealed form takes 16 bytes more")
        var written: UInt64 = 0
        nonce.withBytes { nonce in
            key.withBytes { key in
                _ = crypto_aead_chacha20poly1305_ietf_encrypt(
                    output.octets,
                    &written,
                    plaintext.octets,
                    UInt64(plaintext.count),
                    ad.octets,
                    UInt64(ad.count),
                    nil,
                    nonce.octets,
                    key.octets
                )
            }
        }
        return Int(written)
    }

    /// Opens `sealed` into `output`, which has room for the plain form; the two may start at the same address.
    ///
    /// - Returns: how many bytes were written, or nil if `sealed` is too short or its tag is wrong. Then `output` holds
    ///   nothing of the plaintext. Nothing is allocated.
    package static func decrypt(
        _ sealed: UnsafeRawBufferPointer,
        ad: UnsafeRawBufferPointer,
        nonce: Nonce,
        key: SecretBytes,
        into output: UnsafeMutableRawBufferPointer
    ) -> Int? {
        precondition(key.count == keyByteCount, "A ChaCha20-Poly1305 key has 32 bytes")
        guard sealed.count >= tagByteCount else { return nil }
        precondition(output.count >= sealed.count - tagByteCount, "The plain form takes 16 bytes less")
        var written: UInt64 = 0
        let status = nonce.withBytes { nonce in
            key.withBytes { key in
                crypto_aead_chacha20poly1305_ietf_decrypt(
                    output.octets,
                    &written,
                    nil,
                    sealed.octets,
                    UInt64(sealed.count),
                    ad.octets,
                    UInt64(ad.count),
                    nonce.octets,
                    key.octets
                )
            }
        }
        return status == 0 ? Int(written) : nil
    }

    /// Seals `plaintext` into a new array, 16 bytes longer.
    package static func encrypt(_ plaintext: [UInt8], ad: [UInt8] = [], nonce: Nonce, key: SecretBytes) -> [UInt8] {
        [UInt8](count: plaintext.count + tagByteCount) { output in
            plaintext.withUnsafeBytes { plaintext in
                _ = ad.withUnsafeBytes { encrypt(plaintext, ad: $0, nonce: nonce, key: key, into: output) }
            }
        }
    }

    /// Opens `sealed` into a new array, or returns nil if it is too short or its tag is wrong.
    package static func decrypt(_ sealed: [UInt8], ad: [UInt8] = [], nonce: Nonce, key: SecretBytes) -> [UInt8]? {
        guard sealed.count >= tagByteCount else { return nil }
        var opened: Int?
        let plaintext = [UInt8](count: sealed.count - tagByteCount) { output in
            sealed.withUnsafeBytes { sealed in
                opened = ad.withUnsafeBytes { decrypt(sealed, ad: $0, nonce: nonce, key: key, into: output) }
            }
        }
        return opened == nil ? nil : plaintext
    }
}

extension ChaCha20Poly1305 {
    /// The 12 bytes that must differ for each message under one key.
    package struct Nonce: Sendable {
        /// The bytes in order, as three words in memory order.
        private let words: (UInt32, UInt32, UInt32)

        /// Noise's form (section 12.3): four zero bytes, then the counter in little-endian order.
        package init(counter: UInt64) {
            words = (0, UInt32(truncatingIfNeeded: counter).littleEndian, UInt32(counter >> 32).littleEndian)
        }

        /// Uses 12 bytes as they are; nil for any other number of bytes.
        package init?(_ bytes: [UInt8]) {
            guard bytes.count == Int(crypto_aead_chacha20poly1305_ietf_NPUBBYTES) else { return nil }
            words = bytes.withUnsafeBytes { $0.loadUnaligned(as: (UInt32, UInt32, UInt32).self) }
        }

        /// Lends the 12 bytes.
        func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
            withUnsafeBytes(of: words, body)
        }
    }
}
