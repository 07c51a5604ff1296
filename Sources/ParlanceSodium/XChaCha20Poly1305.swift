import CSodium

/// XChaCha20-Poly1305 (draft-irtf-cfrg-xchacha): like ChaCha20-Poly1305, with a nonce long enough to be random.
/// For data that is kept or handed on, where nobody counts messages. Keys have 32 bytes and come from our code, so
/// wrong ones are defects that stop the program; the sealed bytes may be anything and have any length.
package enum XChaCha20Poly1305 {
    /// The length of a key, in bytes.
    package static let keyByteCount = Int(crypto_aead_xchacha20poly1305_ietf_KEYBYTES)

    /// The length of a nonce, in bytes.
    package static let nonceByteCount = Int(crypto_aead_xchacha20poly1305_ietf_NPUBBYTES)

    /// How many bytes longer the sealed form is than the plain one.
    package static let tagByteCount = Int(crypto_aead_xchacha20poly1305_ietf_ABYTES)

    /// Seals a text; the result is 16 bytes longer.
    package static func encrypt(_ plaintext: [UInt8], ad: [UInt8], nonce: [UInt8], key: SecretBytes) -> [UInt8] {
        plaintext.withUnsafeBytes { seal($0, ad, nonce, key) }
    }

    /// Seals a secret without copying it out of its memory.
    package static func encrypt(_ secret: SecretBytes, ad: [UInt8], nonce: [UInt8], key: SecretBytes) -> [UInt8] {
        secret.withBytes { seal($0, ad, nonce, key) }
    }

    /// Opens sealed bytes, or returns nil if they are too short, the nonce has another length, or the tag is wrong.
    package static func decrypt(_ sealed: [UInt8], ad: [UInt8], nonce: [UInt8], key: SecretBytes) -> [UInt8]? {
        guard sealed.count >= tagByteCount else { return nil }
        var isOpened = false
        let plaintext = [UInt8](count: sealed.count - tagByteCount) { output in
            isOpened = unseal(sealed, ad, nonce, key, into: output)
        }
        return isOpened ? plaintext : nil
    }

    /// The same, with the result in secret memory.
    package static func decryptSecret(
        _ sealed: [UInt8],
        ad: [UInt8],
        nonce: [UInt8],
        key: SecretBytes
    ) -> SecretBytes? {
        guard sealed.count >= tagByteCount else { return nil }
        var isOpened = false
        let secret = SecretBytes(count: sealed.count - tagByteCount) { output in
            isOpened = unseal(sealed, ad, nonce, key, into: output)
        }
        return isOpened ? secret : nil
    }

    private static func seal(
        _ plaintext: UnsafeRawBufferPointer,
        _ ad: [UInt8],
        _ nonce: [UInt8],
        _ key: SecretBytes
    ) -> [UInt8] {
        precondition(key.count == keyByteCount, "An XChaCha20-Poly1305 key has 32 bytes")
        precondition(nonce.count == nonceByteCount, "An XChaCha20-Poly1305 nonce has 24 bytes")
        return [UInt8](count: plaintext.count + tagByteCount) { output in
            key.withBytes { key in
                _ = crypto_aead_xchacha20poly1305_ietf_encrypt(
                    output.octets,
                    nil,
                    plaintext.octets,
                    UInt64(plaintext.count),
                    ad,
                    UInt64(ad.count),
                    nil,
                    nonce,
                    key.octets
                )
            }
        }
    }

    private static func unseal(
        _ sealed: [UInt8],
        _ ad: [UInt8],
        _ nonce: [UInt8],
        _ key: SecretBytes,
        into output: UnsafeMutableRawBufferPointer
    ) -> Bool {
        precondition(key.count == keyByteCount, "An XChaCha20-Poly1305 key has 32 bytes")
        guard nonce.count == nonceByteCount else { return false }
        let status = key.withBytes { key in
            crypto_aead_xchacha20poly1305_ietf_decrypt(
                output.octets,
                nil,
                nil,
                sealed,
                UInt64(sealed.count),
                ad,
                UInt64(ad.count),
                nonce,
                key.octets
            )
        }
        return status == 0
    }
}
