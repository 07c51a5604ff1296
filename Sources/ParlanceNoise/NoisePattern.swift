/// Which side of a handshake this side is.
package enum NoiseRole: Sendable, Equatable {
    /// This side dialled; it writes the first message.
    case initiator
    /// This side was dialled; it reads the first message.
    case responder
}

/// The handshakes that we support (Noise specification, revision 34, sections 7.5 and 9.4).
package enum NoisePattern: Sendable, Equatable, CaseIterable {
    /// Both sides send their static keys, encrypted: for open networks.
    case xx
    /// The same, and both must hold a 32-byte pre-shared key: for workspaces.
    case xxPSK3

    /// The full protocol name, which both sides hash first.
    package var protocolName: String {
        switch self {
        case .xx: "Noise_XX_25519_ChaChaPoly_SHA256"
        case .xxPSK3: "Noise_XXpsk3_25519_ChaChaPoly_SHA256"
        }
    }

    /// Whether a pre-shared key takes part.
    package var usesPresharedKey: Bool { self == .xxPSK3 }

    /// The tokens of each message, beginning with the initiator's, then alternating.
    var messages: [[Token]] {
        switch self {
        case .xx: [[.e], [.e, .ee, .s, .es], [.s, .se]]
        case .xxPSK3: [[.e], [.e, .ee, .s, .es], [.s, .se, .psk]]
        }
    }

    /// One step within a message (section 5.3); the names are the specification's.
    enum Token {
        /// The sender's ephemeral public key follows.
        case e
        /// The sender's static public key follows, encrypted if there is a key by now.
        case s
        /// Both ephemeral keys are mixed.
        case ee
        /// The initiator's ephemeral and the responder's static key are mixed.
        case es
        /// The initiator's static and the responder's ephemeral key are mixed.
        case se
        /// The pre-shared key is mixed.
        case psk
    }
}

/// Fixed sizes of Noise, in bytes.
package enum NoiseLimits {
    /// The longest message of any kind, sealed form (section 3).
    package static let messageByteCount = 65535
    /// How much longer a sealed message is than its content.
    package static let tagByteCount = 16
    /// Public keys, symmetric keys and hashes of our protocols.
    package static let keyByteCount = 32
}
