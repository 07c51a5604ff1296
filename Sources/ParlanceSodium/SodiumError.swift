/// Why a cryptographic operation was refused.
/// No case carries key or message bytes, so the text may be logged. Each case names its blast radius.
package enum SodiumError: Error, Equatable, Sendable {
    /// libsodium could not start (no source of randomness, for example). Blast radius: this node.
    case cannotStart

    /// The installed libsodium accepts curve points that it must refuse (CVE-2025-69277). Blast radius: this node.
    case vulnerableLibrary(version: String)

    /// A key, seed or nonce has the wrong number of bytes. Blast radius: this key.
    case wrongLength(of: String, expected: Int, actual: Int)

    /// A passphrase cannot be hashed: there is not enough memory, or the cost is invalid. Blast radius: this
    /// passphrase.
    case cannotHash(memoryBytes: Int)

    /// An X25519 exchange gave the all-zero result: the other side's key is of low order. Blast radius: this link.
    case weakPublicKey
}

extension SodiumError: CustomStringConvertible {
    /// What went wrong, why, and what to do about it, in one text for people.
    package var description: String {
        switch self {
        case .cannotStart:
            "The cryptography library libsodium could not be started. "
                + "Check that /dev/urandom exists and can be read, then start again."
        case .vulnerableLibrary(let version):
            "libsodium \(version) on this machine accepts invalid curve points (CVE-2025-69277), so it is not used. "
                + "On Debian 12 install libsodium23 1.0.18-1+deb12u1 or later "
                + "(sudo apt-get update && sudo apt-get install libsodium23), "
                + "elsewhere a libsodium released after 30 December 2025, then start again."
        case .wrongLength(let what, let expected, let actual):
            "The \(what) has \(actual) bytes but needs \(expected). It is damaged or not of this kind; use a valid one."
        case .cannotHash(let bytes):
            "Hashing a passphrase takes \(bytes / 1_048_576) MiB of memory, which this machine does not give now. "
                + "Close something and try again."
        case .weakPublicKey:
            "The other side sent a public key that gives no secret (a point of low order). "
                + "It is broken or an attack; the connection must be closed."
        }
    }
}
