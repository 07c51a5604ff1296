/// Why a cryptographic operation was refused.
/// No case carries key or message bytes, so they may be logged. Each case names its blast radius.
package enum SodiumError: Error, Equatable, Sendable {
    /// libsodium could not start (no source of randomness, for example). Blast radius: this node.
    case cannotStart

    /// The installed libsodium accepts curve points that it must refuse (CVE-2025-69277). Blast radius: this node.
    case vulnerableLibrary(version: String)

    /// A key, seed or nonce has the wrong number of bytes. Blast radius: this key.
    case wrongLength(of: Material, expected: Int, actual: Int)

    /// A passphrase cannot be hashed: there is not enough memory, or the cost is invalid. Blast radius: this
    /// passphrase.
    case cannotHash(memoryBytes: Int)

    /// An X25519 exchange gave the all-zero result: the other side's key is of low order. Blast radius: this link.
    case weakPublicKey

    /// What has a length.
    package enum Material: Equatable, Sendable {
        case signingSeed
        case exchangeSecretKey
        case exchangePublicKey
        case salt
    }
}
