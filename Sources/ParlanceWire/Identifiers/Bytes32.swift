/// 32 bytes stored inline: the shape of every hash and key that names something.
/// Four words instead of an array, so that identifiers are compared, hashed and copied without use of the heap. The
/// words are big-endian, so that `<` is the order of the bytes.
package struct Bytes32: Hashable, Comparable, Sendable {
    private let words: (UInt64, UInt64, UInt64, UInt64)

    package static let count = 32
    package static let zero = Bytes32(words: (0, 0, 0, 0))

    private init(words: (UInt64, UInt64, UInt64, UInt64)) {
        self.words = words
    }

    /// Accepts exactly 32 bytes; `nil` for any other number.
    package init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == Self.count else { return nil }
        var filled: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        withUnsafeMutableBytes(of: &filled) { $0.copyBytes(from: bytes) }
        words = (
            UInt64(bigEndian: filled.0), UInt64(bigEndian: filled.1), UInt64(bigEndian: filled.2),
            UInt64(bigEndian: filled.3)
        )
    }

    /// Lets a closure write the 32 bytes.
    package init(filling body: (UnsafeMutableRawBufferPointer) -> Void) {
        var filled: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
        withUnsafeMutableBytes(of: &filled) { body($0) }
        words = (
            UInt64(bigEndian: filled.0), UInt64(bigEndian: filled.1), UInt64(bigEndian: filled.2),
            UInt64(bigEndian: filled.3)
        )
    }

    package func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R {
        let ordered = (words.0.bigEndian, words.1.bigEndian, words.2.bigEndian, words.3.bigEndian)
        return Swift.withUnsafeBytes(of: ordered) { body($0) }
    }

    package var bytes: [UInt8] { withUnsafeBytes { Array($0) } }

    package static func == (a: Bytes32, b: Bytes32) -> Bool {
        a.words == b.words
    }

    package static func < (a: Bytes32, b: Bytes32) -> Bool {
        a.words < b.words
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(words.0)
        hasher.combine(words.3)
    }
}
