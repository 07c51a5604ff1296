import ParlanceSodium

/// How fast one core could move a file if nothing were left but what protects it: each piece is sealed and opened, and
/// hashed on both sides.
enum CipherLimit {
    private static let bytes = 128 << 20
    private static let piece = 32 * 1024

    /// MiB a second.
    static func megabytesPerSecond() throws -> Double {
        let key = SecretBytes(count: ChaCha20Poly1305.keyByteCount) {
            $0.initializeMemory(as: UInt8.self, repeating: 7)
        }
        var plain = [UInt8](repeating: 1, count: piece)
        var sealed = [UInt8](repeating: 0, count: piece + ChaCha20Poly1305.tagByteCount)
        var stream = Blake2bStream(0)
        var hash = [UInt8](repeating: 0, count: Blake2b.byteCount)
        let began = ContinuousClock.now
        for number in 0..<UInt64(bytes / piece) {
            let nonce = ChaCha20Poly1305.Nonce(counter: number)
            let length = plain.withUnsafeMutableBytes { plain in
                sealed.withUnsafeMutableBytes { sealed -> Int? in
                    let none = UnsafeRawBufferPointer(start: nil, count: 0)
                    for _ in 0..<2 { stream.update(UnsafeRawBufferPointer(plain)) }
                    ChaCha20Poly1305.encrypt(
                        UnsafeRawBufferPointer(plain),
                        ad: none,
                        nonce: nonce,
                        key: key,
                        into: sealed
                    )
                    return ChaCha20Poly1305.decrypt(
                        UnsafeRawBufferPointer(sealed),
                        ad: none,
                        nonce: nonce,
                        key: key,
                        into: plain
                    )
                }
            }
            guard length == piece else { throw BenchError("a piece was not opened") }
        }
        hash.withUnsafeMutableBytes { stream.finish(into: $0) }
        return Double(bytes >> 20) / (ContinuousClock.now - began).seconds
    }
}
