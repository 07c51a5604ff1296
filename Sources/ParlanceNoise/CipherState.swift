package import ParlanceSodium

/// One direction of an encrypted link: a key and the number of the next message (section 5.1).
/// Not copyable, because two copies would use a nonce twice. Messages must be opened in the order they were sealed: a
/// repeated, missing or reordered one fails. After a failure the count is unchanged (section 5.1), but what follows in
/// a stream is lost too, so close the link.
package struct CipherState: ~Copyable {
    /// The number of the next message under this key; `UInt64.max` is reserved and ends the key's use.
    package private(set) var nonce: UInt64

    private var key: SecretBytes

    /// Starts with a 32-byte key and the number of the first message (other than 0 only in tests).
    ///
    /// Throws `wrongKeyLength`.
    package init(key: SecretBytes, nonce: UInt64 = 0) throws(NoiseError) {
        guard key.count == NoiseLimits.keyByteCount else { throw .wrongKeyLength(actual: key.count) }
        self.key = key
        self.nonce = nonce
    }

    /// Seals `plaintext` into `output`, which has at least 16 bytes more; the two may start at the same address.
    ///
    /// Nothing is allocated. Throws `messageTooLong` over 65,519 bytes of plaintext, `bufferTooSmall`,
    /// `nonceExhausted`.
    /// - Returns: how many bytes of `output` were written.
    @discardableResult
    package mutating func encrypt(
        _ plaintext: UnsafeRawBufferPointer,
        ad: UnsafeRawBufferPointer = .empty,
        into output: UnsafeMutableRawBufferPointer
    ) throws(NoiseError) -> Int {
        let sealedCount = plaintext.count + NoiseLimits.tagByteCount
        try checkLimits(sealedCount: sealedCount, needed: sealedCount, actual: output.count)
        let counter = ChaCha20Poly1305.Nonce(counter: nonce)
        let written = ChaCha20Poly1305.encrypt(plaintext, ad: ad, nonce: counter, key: key, into: output)
        nonce += 1
        return written
    }

    /// Opens `sealed` into `output`, which has room for 16 bytes less; the two may start at the same address.
    ///
    /// Nothing is allocated. Throws `authenticationFailed` (then `output` holds nothing of the plaintext),
    /// `messageTooShort` under 16 bytes, `messageTooLong` over 65,535, `bufferTooSmall`, `nonceExhausted`.
    /// - Returns: how many bytes of `output` were written.
    @discardableResult
    package mutating func decrypt(
        _ sealed: UnsafeRawBufferPointer,
        ad: UnsafeRawBufferPointer = .empty,
        into output: UnsafeMutableRawBufferPointer
    ) throws(NoiseError) -> Int {
        let needed = sealed.count - NoiseLimits.tagByteCount
        guard needed >= 0 else { throw .messageTooShort(byteCount: sealed.count) }
        try checkLimits(sealedCount: sealed.count, needed: needed, actual: output.count)
        let counter = ChaCha20Poly1305.Nonce(counter: nonce)
        guard let written = ChaCha20Poly1305.decrypt(sealed, ad: ad, nonce: counter, key: key, into: output) else {
            throw .authenticationFailed
        }
        nonce += 1
        return written
    }

    /// Replaces the key by one that is derived from it and does not reveal it (section 4.2); the count goes on.
    /// Both sides do it at the same position of the stream, so that a key stolen later does not open earlier messages.
    package mutating func rekey() {
        let reserved = ChaCha20Poly1305.Nonce(counter: .max)
        let zeros = [UInt8](repeating: 0, count: NoiseLimits.keyByteCount)
        var sealed = ChaCha20Poly1305.encrypt(zeros, nonce: reserved, key: key)
        key = SecretBytes(count: NoiseLimits.keyByteCount, placement: key.placement) { next in
            sealed.withUnsafeBytes { next.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0.prefix(next.count))) }
        }
        wipe(&sealed)
    }

    /// Checks, for both directions, that the key may be used.
    private func checkLimits(sealedCount: Int, needed: Int, actual: Int) throws(NoiseError) {
        guard sealedCount <= NoiseLimits.messageByteCount else { throw .messageTooLong(byteCount: sealedCount) }
        guard actual >= needed else { throw .bufferTooSmall(needed: needed, actual: actual) }
        guard nonce < UInt64.max else { throw .nonceExhausted }
    }
}

extension UnsafeRawBufferPointer {
    /// No bytes at all.
    package static var empty: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: nil, count: 0) }
}
