import CSodium

/// Random bytes from the system's generator.
/// Only shells may call it: the pure targets get random bytes as data, so that a run can be replayed.
package enum RandomBytes {
    /// Makes `count` random bytes, fit for keys and identifiers.
    package static func bytes(_ count: Int) -> [UInt8] {
        _ = Sodium.isInitialized
        return [UInt8](count: count) { randombytes_buf($0.octets, $0.count) }
    }
}

/// Compares two byte strings in a time that depends only on their lengths, not on where they differ.
///
/// For tags, codes and hashes of secrets. Different lengths are unequal at once.
package func constantTimeEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    left.count == right.count && sodium_memcmp(left, right, left.count) == 0
}

/// Overwrites the array with zeros in a way that the optimizer does not remove.
/// It overwrites only this array's storage: copies made before keep their contents.
package func wipe(_ bytes: inout [UInt8]) {
    bytes.withUnsafeMutableBytes { sodium_memzero($0.baseAddress, $0.count) }
}

/// One byte that stands for the start of an empty buffer, because much of libsodium refuses a null pointer even together
/// with a length of 0. Nothing reads or writes it.
nonisolated(unsafe) private let nowhere = UnsafeMutablePointer<UInt8>.allocate(capacity: 1)

extension UnsafeRawBufferPointer {
    /// The start as libsodium wants it: octets, never null.
    var octets: UnsafePointer<UInt8> { baseAddress?.assumingMemoryBound(to: UInt8.self) ?? UnsafePointer(nowhere) }
}

extension UnsafeMutableRawBufferPointer {
    /// The start as libsodium wants it: octets, never null.
    var octets: UnsafeMutablePointer<UInt8> { baseAddress?.assumingMemoryBound(to: UInt8.self) ?? nowhere }
}

extension Array where Element == UInt8 {
    /// Makes an array of `count` bytes that `fill` writes in place.
    init(count: Int, filling fill: (UnsafeMutableRawBufferPointer) -> Void) {
        self.init(unsafeUninitializedCapacity: count) { buffer, initialized in
            buffer.initialize(repeating: 0)
            fill(UnsafeMutableRawBufferPointer(buffer))
            initialized = count
        }
    }
}
