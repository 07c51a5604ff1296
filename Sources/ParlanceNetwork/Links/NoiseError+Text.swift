import ParlanceNoise

extension NoiseError {
    /// What went wrong and why, for logs.
    var text: String {
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
