package import ParlanceSodium
import ParlanceWire

/// Derives secrets for the engine, which has no randomness of its own: each is a hash of the shell's entropy and a
/// counter.
package struct KeySource: Equatable, Sendable {
    private let entropy: SecretBytes
    private var count: UInt64 = 0

    /// - Parameter entropy: 32 random bytes, new at each start.
    package init(entropy: SecretBytes) {
        self.entropy = entropy
    }

    /// Returns 32 bytes that were never returned before.
    mutating func next() -> SecretBytes {
        count += 1
        let input = SecretBytes(count: entropy.count + 8, placement: .heap) { target in
            entropy.withBytes { target.copyBytes(from: $0) }
            target.storeBytes(of: count.bigEndian, toByteOffset: entropy.count, as: UInt64.self)
        }
        return SecretBytes(count: 32, placement: .heap) { target in
            input.withBytes { Blake2b.hash(Domain.keySource, bytes: $0, into: target) }
        }
    }

    package static func == (a: KeySource, b: KeySource) -> Bool { a.count == b.count }
}
