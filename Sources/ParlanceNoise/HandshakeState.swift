package import ParlanceSodium

/// One side of a Noise handshake (revision 34, section 5.3), XX or XXpsk3 with 25519, ChaChaPoly and SHA256.
///
/// ```
///  initiator: write e -> read e,ee,s,es -> write s,se[,psk] -> complete -> split
///  responder: read e -> write e,ee,s,es -> read s,se[,psk] -> complete -> split
///  any error, a call out of turn included -> dead
/// ```
/// Pure: the caller gives the ephemeral pair, a new one for each handshake. Not copyable, so that a handshake cannot
/// continue twice from one point.
package struct HandshakeState: ~Copyable {
    /// How far the handshake has got.
    private enum Phase {
        /// The message with this index is next: even ones are the initiator's.
        case awaiting(message: Int)
        case complete
        case dead
    }

    private var symmetric: SymmetricState
    private var phase = Phase.awaiting(message: 0)
    private let role: NoiseRole
    private let pattern: NoisePattern
    private let staticKey: X25519KeyPair
    private let ephemeralKey: X25519KeyPair
    private let presharedKey: SecretBytes?
    private var theirEphemeral: [UInt8]?
    private var theirStatic: [UInt8]?

    /// Begins a handshake; both sides must give the same prologue, pattern and pre-shared key.
    /// The ephemeral pair must be new. Throws `missingPresharedKey`, `unexpectedPresharedKey`, or `wrongKeyLength` for
    /// a pre-shared key that does not have 32 bytes.
    package init(
        role: NoiseRole,
        pattern: NoisePattern,
        prologue: [UInt8],
        staticKey: X25519KeyPair,
        ephemeralKey: X25519KeyPair,
        psk: SecretBytes?
    ) throws(NoiseError) {
        if let psk {
            guard pattern.usesPresharedKey else { throw .unexpectedPresharedKey }
            guard psk.count == NoiseLimits.keyByteCount else { throw .wrongKeyLength(actual: psk.count) }
        } else if pattern.usesPresharedKey {
            throw .missingPresharedKey
        }
        self.role = role
        self.pattern = pattern
        self.staticKey = staticKey
        self.ephemeralKey = ephemeralKey
        presharedKey = psk
        symmetric = SymmetricState(protocolName: pattern.protocolName)
        symmetric.mixHash(prologue)
    }

    /// Whether all messages have been exchanged, so that `split` may follow.
    package var isComplete: Bool {
        if case .complete = phase { true } else { false }
    }

    /// The other side's static key; nil until the message that contains it has been authenticated, and after an error.
    package var remoteStatic: [UInt8]? {
        if case .dead = phase { nil } else { theirStatic }
    }

    /// The hash of the handshake so far; once the handshake is complete, the hash of all of it.
    package var handshakeHash: [UInt8] { symmetric.handshakeHash }

    /// Writes this side's next message with a payload inside.
    /// The payload of the first message is not encrypted, that of the second reaches whoever answers, and only that of
    /// the third reaches an authenticated peer. Throws `outOfTurn`, `handshakeDead`, `messageTooLong`, `weakPublicKey`;
    /// any of them ends the handshake.
    package mutating func writeMessage(payload: [UInt8]) throws(NoiseError) -> [UInt8] {
        let index = try begin(writing: true)
        var message: [UInt8] = []
        for token in pattern.messages[index] {
            switch token {
            case .e:
                message += ephemeralKey.publicKey
                try mixEphemeral(ephemeralKey.publicKey)
            case .s:
                message += try symmetric.encryptAndHash(staticKey.publicKey)
            case .ee, .es, .se, .psk:
                try mix(token)
            }
        }
        let length = message.count + payload.count + symmetric.overhead
        guard length <= NoiseLimits.messageByteCount else { throw .messageTooLong(byteCount: length) }
        message += try symmetric.encryptAndHash(payload)
        advance(from: index)
        return message
    }

    /// Reads the other side's next message and returns its payload.
    ///
    /// Throws `outOfTurn`, `handshakeDead`, `messageTooLong`, `messageTooShort`, `authenticationFailed` (changed, or made
    /// with another prologue or pre-shared key), `weakPublicKey`; any of them ends the handshake.
    package mutating func readMessage(_ message: [UInt8]) throws(NoiseError) -> [UInt8] {
        let index = try begin(writing: false)
        guard message.count <= NoiseLimits.messageByteCount else { throw .messageTooLong(byteCount: message.count) }
        var rest = message[...]
        for token in pattern.messages[index] {
            switch token {
            case .e:
                let key = try take(NoiseLimits.keyByteCount, from: &rest)
                theirEphemeral = key
                try mixEphemeral(key)
            case .s:
                let sealed = try take(NoiseLimits.keyByteCount + symmetric.overhead, from: &rest)
                theirStatic = try symmetric.decryptAndHash(sealed)
            case .ee, .es, .se, .psk:
                try mix(token)
            }
        }
        let payload = try symmetric.decryptAndHash(Array(rest))
        advance(from: index)
        return payload
    }

    /// Ends the handshake and returns the link's keys. Throws `incomplete` before the last message, or `handshakeDead`.
    package consuming func split() throws(NoiseError) -> TransportKeys {
        switch phase {
        case .complete: break
        case .awaiting: throw .incomplete
        case .dead: throw .handshakeDead
        }
        let role = role
        let hash = symmetric.handshakeHash
        let (initiators, responders) = symmetric.split()
        return TransportKeys(
            send: try CipherState(key: role == .initiator ? initiators : responders),
            receive: try CipherState(key: role == .initiator ? responders : initiators),
            handshakeHash: hash
        )
    }

    /// Checks whose turn it is and returns the index of the message.
    /// The handshake counts as dead until `advance`, so it stays dead if anything throws in between.
    private mutating func begin(writing: Bool) throws(NoiseError) -> Int {
        let before = phase
        phase = .dead
        switch before {
        case .dead: throw .handshakeDead
        case .complete: throw .outOfTurn
        case .awaiting(let index):
            guard index.isMultiple(of: 2) == ((role == .initiator) == writing) else { throw .outOfTurn }
            return index
        }
    }

    private mutating func advance(from index: Int) {
        phase = index + 1 < pattern.messages.count ? .awaiting(message: index + 1) : .complete
    }

    /// Mixes an ephemeral public key that was sent, on both sides.
    private mutating func mixEphemeral(_ publicKey: [UInt8]) throws(NoiseError) {
        symmetric.mixHash(publicKey)
        guard pattern.usesPresharedKey else { return }
        try symmetric.mixKey(public: publicKey)
    }

    /// Mixes the keys that a token names, for a token that sends nothing.
    private mutating func mix(_ token: NoisePattern.Token) throws(NoiseError) {
        switch (token, role) {
        case (.ee, _): try exchange(ephemeralKey, with: theirEphemeral)
        case (.es, .initiator), (.se, .responder): try exchange(ephemeralKey, with: theirStatic)
        case (.es, .responder), (.se, .initiator): try exchange(staticKey, with: theirEphemeral)
        case (.psk, _):
            guard let presharedKey else { throw .missingPresharedKey }
            try symmetric.mixKeyAndHash(presharedKey)
        case (.e, _), (.s, _): break
        }
    }

    private mutating func exchange(_ ours: X25519KeyPair, with theirs: [UInt8]?) throws(NoiseError) {
        guard let theirs else { throw .outOfTurn }
        let shared: SecretBytes
        do throws(SodiumError) {
            shared = try ours.sharedSecret(with: theirs)
        } catch {
            throw .weakPublicKey
        }
        try symmetric.mixKey(shared)
    }

    /// Takes the next `count` bytes of a message (whose indices the slice keeps, so its end is the message's length).
    private func take(_ count: Int, from rest: inout ArraySlice<UInt8>) throws(NoiseError) -> [UInt8] {
        guard rest.count >= count else { throw .messageTooShort(byteCount: rest.endIndex) }
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }
}
