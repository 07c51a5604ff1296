package import ParlanceCore
package import ParlanceNoise
package import ParlanceWire

/// Why the bytes of a link were refused. The blast radius of each is that link.
/// The peer is not told the cause: the link is closed without a closing record.
package enum LinkError: Error, Equatable, Sendable {
    /// The first bytes are not a preamble.
    case notParlance
    case unknownVersion(UInt8)
    /// The mode is not ours, or we do not hold the workspace key.
    case modeNotTaken
    /// A handshake message, or the record with the responder's certificate, is over its limit.
    case messageTooLarge(bytes: Int)
    /// The Noise layer refused a message.
    case noise(NoiseError)
    case certificate(CertificateError)
    /// A record breaks a rule.
    case record(Breach)
    case wire(WireError)

    /// What went wrong, for logs and for people.
    package var message: String {
        switch self {
        case .notParlance: "the other side does not speak Parlance"
        case .unknownVersion(let version): "the other side speaks version \(version) of the protocol, this one speaks 1"
        case .modeNotTaken: "the other side is not in the same workspace"
        case .messageTooLarge(let bytes): "a handshake message of \(bytes) bytes is over \(Limits.handshakeBytes)"
        case .noise(let error): error.text
        case .certificate(let error): error.message
        case .record(let rule): "a record broke a rule (\(rule.rawValue))"
        case .wire(let error): error.text
        }
    }

    /// The rule of an open link that this error breaks.
    var breach: Breach {
        switch self {
        case .record(let rule): rule
        case .wire(.frameTooLarge): .frameTooLarge
        case .wire(.emptyFrame): .emptyFrame
        case .wire(.malformed): .malformedFrame
        case .noise, .notParlance, .unknownVersion, .modeNotTaken, .messageTooLarge, .certificate: .recordAuthenticity
        }
    }
}

/// Why a certificate does not prove who is at the other end.
package enum CertificateError: Error, Equatable, Sendable {
    /// It is not protobuf, or a field has a wrong length.
    case malformed
    /// Its version or its suite of algorithms is unknown.
    case unknownSuite
    /// It names another Noise static key than the handshake used: somebody replays a certificate of somebody else.
    case otherStaticKey
    case wrongSignature
    /// It names our own identity.
    case ownIdentity
    /// It is valid, but names another peer than the one that was dialled.
    case unexpectedIdentity

    var message: String {
        switch self {
        case .malformed: "the other side's certificate is malformed"
        case .unknownSuite: "the other side's certificate uses algorithms that are not known here"
        case .otherStaticKey: "the other side's certificate belongs to another connection"
        case .wrongSignature: "the other side's certificate has a wrong signature"
        case .ownIdentity: "this node itself answers at that address"
        case .unexpectedIdentity: "somebody else answers at that address"
        }
    }
}
