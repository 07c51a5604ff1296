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
