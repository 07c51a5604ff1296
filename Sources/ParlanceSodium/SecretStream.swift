import CSodium

/// A sequence of messages under one key, which nobody can change, reorder, shorten or continue: libsodium's secretstream,
/// XChaCha20-Poly1305 with a key that moves on (doc.libsodium.org, "Encrypted streams").
///
/// For files that are written and read piece by piece. The state is wiped when it goes.
package final class SecretStream {
    /// The length of a key, in bytes.
    package static let keyByteCount = Int(crypto_secretstream_xchacha20poly1305_KEYBYTES)

    /// The length of the header, which is as public as a nonce, in bytes.
    package static let headerByteCount = Int(crypto_secretstream_xchacha20poly1305_HEADERBYTES)

    /// How many bytes longer the sealed form of a message is than the plain one.
    package static let overhead = Int(crypto_secretstream_xchacha20poly1305_ABYTES)

    private var state: crypto_secretstream_xchacha20poly1305_state
    private static let final = UInt8(crypto_secretstream_xchacha20poly1305_tag_final())

    /// Starts a stream to write. Only shells may call it: it draws a random header.
    ///
    /// - Parameter key: 32 bytes.
    package init(writingWith key: SecretBytes, header: inout [UInt8]) {
        precondition(key.count == Self.keyByteCount, "A key of a secretstream has 32 bytes")
        state = crypto_secretstream_xchacha20poly1305_state()
        header = [UInt8](repeating: 0, count: Self.headerByteCount)
        _ = Sodium.isInitialized
        key.withBytes { key in
            _ = crypto_secretstream_xchacha20poly1305_init_push(&state, &header, key.octets)
        }
    }

    /// Starts to read a stream; nil if the header has another length.
    ///
    /// - Parameter key: 32 bytes.
    package init?(readingWith key: SecretBytes, header: [UInt8]) {
        precondition(key.count == Self.keyByteCount, "A key of a secretstream has 32 bytes")
        guard header.count == Self.headerByteCount else { return nil }
        state = crypto_secretstream_xchacha20poly1305_state()
        _ = Sodium.isInitialized
        let status = key.withBytes { key in
            crypto_secretstream_xchacha20poly1305_init_pull(&state, header, key.octets)
        }
        if status != 0 { return nil }
    }

    deinit { sodium_memzero(&state, MemoryLayout.size(ofValue: state)) }

    /// Seals the next message; the result is 17 bytes longer.
    package func seal(_ message: [UInt8], ad: [UInt8] = [], isLast: Bool) -> [UInt8] {
        [UInt8](count: message.count + Self.overhead) { output in
            _ = crypto_secretstream_xchacha20poly1305_push(
                &state,
                output.octets,
                nil,
                message,
                UInt64(message.count),
                ad,
                UInt64(ad.count),
                isLast ? Self.final : 0
            )
        }
    }

    /// Opens the next message; nil if it is not the one that was written there under this key.
    package func open(_ sealed: [UInt8], ad: [UInt8] = []) -> (message: [UInt8], isLast: Bool)? {
        guard sealed.count >= Self.overhead else { return nil }
        var tag: UInt8 = 0
        var status: Int32 = -1
        let message = [UInt8](count: sealed.count - Self.overhead) { output in
            status = crypto_secretstream_xchacha20poly1305_pull(
                &state,
                output.octets,
                nil,
                &tag,
                sealed,
                UInt64(sealed.count),
                ad,
                UInt64(ad.count)
            )
        }
        return status == 0 ? (message, tag == Self.final) : nil
    }
}
