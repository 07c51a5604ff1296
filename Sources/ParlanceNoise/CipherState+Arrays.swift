/// The same operations with arrays, for handshakes and wherever speed does not matter.
extension CipherState {
    /// Seals `plaintext` and returns it, 16 bytes longer; errors as with buffers.
    package mutating func encrypt(_ plaintext: [UInt8], ad: [UInt8] = []) throws(NoiseError) -> [UInt8] {
        let capacity = plaintext.count + NoiseLimits.tagByteCount
        guard capacity <= NoiseLimits.messageByteCount else { throw .messageTooLong(byteCount: capacity) }
        var sealed = [UInt8](repeating: 0, count: capacity)
        try plaintext.withUnsafeBufferPointer { plaintext throws(NoiseError) in
            try ad.withUnsafeBufferPointer { ad throws(NoiseError) in
                try sealed.withUnsafeMutableBufferPointer { sealed throws(NoiseError) in
                    _ = try encrypt(
                        UnsafeRawBufferPointer(plaintext),
                        ad: UnsafeRawBufferPointer(ad),
                        into: UnsafeMutableRawBufferPointer(sealed)
                    )
                }
            }
        }
        return sealed
    }

    /// Opens `sealed` and returns the plaintext, 16 bytes shorter; errors as with buffers.
    package mutating func decrypt(_ sealed: [UInt8], ad: [UInt8] = []) throws(NoiseError) -> [UInt8] {
        guard sealed.count >= NoiseLimits.tagByteCount else { throw .messageTooShort(byteCount: sealed.count) }
        guard sealed.count <= NoiseLimits.messageByteCount else { throw .messageTooLong(byteCount: sealed.count) }
        var plaintext = [UInt8](repeating: 0, count: sealed.count - NoiseLimits.tagByteCount)
        try sealed.withUnsafeBufferPointer { sealed throws(NoiseError) in
            try ad.withUnsafeBufferPointer { ad throws(NoiseError) in
                try plaintext.withUnsafeMutableBufferPointer { plaintext throws(NoiseError) in
                    _ = try decrypt(
                        UnsafeRawBufferPointer(sealed),
                        ad: UnsafeRawBufferPointer(ad),
                        into: UnsafeMutableRawBufferPointer(plaintext)
                    )
                }
            }
        }
        return plaintext
    }
}
