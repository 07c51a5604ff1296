import ParlanceSodium
package import ParlanceWords

extension SodiumError {
    /// What went wrong, why, and what to do about it, as one text for people.
    package var text: Phrase {
        switch self {
        case .cannotStart:
            Phrase(
                """
                The cryptography library libsodium could not be started. Check that /dev/urandom exists and can be read, \
                then start again.
                """
            )
        case .vulnerableLibrary(let version):
            Phrase(
                """
                libsodium \(version) on this machine accepts invalid curve points (CVE-2025-69277), so it is not used. On \
                Debian 12 install libsodium23 1.0.18-1+deb12u1 or later (sudo apt-get update && sudo apt-get install \
                libsodium23), elsewhere a libsodium released after 30 December 2025, then start again.
                """
            )
        case .wrongLength(let what, let expected, let actual):
            Phrase(
                "The \(what.text) has \(actual) bytes but needs \(expected). It is damaged or not of this kind; use a valid one."
            )
        case .cannotHash(let bytes):
            Phrase(
                """
                Hashing a passphrase takes \(bytes / 1_048_576) MiB of memory, which this machine does not give now. \
                Close something and try again.
                """
            )
        case .weakPublicKey:
            Phrase(
                """
                The other side sent a public key that gives no secret (a point of low order). It is broken or an attack; \
                the connection must be closed.
                """
            )
        }
    }
}

extension SodiumError.Material {
    fileprivate var text: Phrase {
        switch self {
        case .signingSeed: Phrase("seed of the signing key")
        case .exchangeSecretKey: Phrase("X25519 secret key")
        case .exchangePublicKey: Phrase("X25519 public key")
        case .salt: Phrase("salt")
        }
    }
}
