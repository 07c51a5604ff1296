/// Why a handshake or a record was refused.
/// The blast radius of each is one link: close it. Do not tell the peer the cause.
package enum NoiseError: Error, Equatable, Sendable {
    /// A key does not have 32 bytes.
    case wrongKeyLength(actual: Int)
    /// The pattern needs a pre-shared key and none was given.
    case missingPresharedKey
    /// A pre-shared key was given to a pattern that has none.
    case unexpectedPresharedKey
    /// A message was written or read when it was the other side's turn, or after the last one.
    case outOfTurn
    /// The handshake has failed already, so it cannot be used any more.
    case handshakeDead
    /// The handshake was split before its last message.
    case incomplete
    /// A message would be, or is, longer than Noise allows (65,535 bytes).
    case messageTooLong(byteCount: Int)
    /// A message is shorter than its fixed parts.
    case messageTooShort(byteCount: Int)
    /// The caller's buffer is too small for the result.
    case bufferTooSmall(needed: Int, actual: Int)
    /// The bytes were not sealed by the expected sender, or were changed, repeated, reordered or left out.
    case authenticationFailed
    /// The other side sent a public key of low order.
    case weakPublicKey
    /// The key has sealed as many records as it may (2^64 - 1).
    case nonceExhausted
}

extension NoiseError: CustomStringConvertible {
    /// What went wrong and why, for logs.
    package var description: String {
        switch self {
        case .wrongKeyLength(let actual): "a key has \(actual) bytes instead of 32"
        case .missingPresharedKey: "the handshake needs the workspace key and none was given"
        case .unexpectedPresharedKey: "the handshake takes no workspace key but one was given"
        case .outOfTurn: "a handshake message was written or read out of turn"
        case .handshakeDead: "the handshake has failed before and cannot go on"
        case .incomplete: "the handshake is not complete yet"
        case .messageTooLong(let count): "a message of \(count) bytes is over the limit of 65,535"
        case .messageTooShort(let count): "a message of \(count) bytes ends too early"
        case .bufferTooSmall(let needed, let actual): "a buffer of \(actual) bytes is too small, \(needed) are needed"
        case .authenticationFailed: "a message could not be authenticated: changed, replayed, or made with another key"
        case .weakPublicKey: "the other side's public key is of low order"
        case .nonceExhausted: "the key has been used for as many messages as it may"
        }
    }
}
