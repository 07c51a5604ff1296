package import ParlanceSodium
import ParlanceWire

/// Derives secrets for the engine, which has no randomness of its own, from the shell's entropy.
///
/// Each secret comes with a new state, and the old one is wiped: who gets the state later cannot compute earlier secrets.
package struct KeySource: Equatable, Sendable {
    /// What the next secret and the next state are made from.
    private(set) var state: SecretBytes
    private var count: UInt64 = 0

    /// - Parameter entropy: 32 random bytes, new at each start.
    package init(entropy: SecretBytes) {
        state = entropy
    }

    /// Returns 32 bytes that were never returned before.
    mutating func next() -> SecretBytes {
        count += 1
        let secret = derive(1, .pooled)
        state = derive(0, .pooled)
        return secret
    }

    private func derive(_ purpose: UInt8, _ placement: SecretBytes.Placement) -> SecretBytes {
        let input = SecretBytes(count: state.count + 1, placement: .heap) { target in
            state.withBytes { target.copyBytes(from: $0) }
            target[target.count - 1] = purpose
        }
        return SecretBytes(count: 32, placement: placement) { target in
            input.withBytes { Blake2b.hash(Domain.keySource, bytes: $0, into: target) }
        }
    }

    package static func == (a: KeySource, b: KeySource) -> Bool { a.count == b.count }
}
