import ParlanceNoise
import ParlanceSodium

/// Keys for tests, derived from a name, so that they are the same in each run.
enum Fixture {
    static let psk = secret("workspace key")
    static let prologue = Array("PLN test".utf8)

    static func secret(_ name: String) -> SecretBytes { SecretBytes(copying: SHA256.hash(Array(name.utf8))) }

    static func pair(_ name: String) throws -> X25519KeyPair { try X25519KeyPair(secret: secret(name)) }

    static func handshake(
        _ role: NoiseRole,
        _ pattern: NoisePattern,
        prologue: [UInt8] = prologue,
        psk: SecretBytes = psk
    ) throws -> HandshakeState {
        try HandshakeState(
            role: role,
            pattern: pattern,
            prologue: prologue,
            staticKey: pair("\(role) static"),
            ephemeralKey: pair("\(role) ephemeral"),
            psk: pattern.usesPresharedKey ? psk : nil
        )
    }
}

/// Both ends of one direction of a link: two ciphers with the same key.
struct Direction: ~Copyable {
    let key = Fixture.secret("direction")
    var send: CipherState
    var receive: CipherState

    init(nonce: UInt64 = 0) throws {
        let send = try CipherState(key: key, nonce: nonce)
        let receive = try CipherState(key: key, nonce: nonce)
        self.send = send
        self.receive = receive
    }
}

/// Both sides of a handshake.
struct Pair: ~Copyable {
    var initiator: HandshakeState
    var responder: HandshakeState

    init(_ pattern: NoisePattern) throws {
        let initiator = try Fixture.handshake(.initiator, pattern)
        let responder = try Fixture.handshake(.responder, pattern)
        self.initiator = initiator
        self.responder = responder
    }

    /// Whether each side has finished, the initiator first.
    var complete: [Bool] { [initiator.isComplete, responder.isComplete] }

    /// The static key that each side sees, the initiator first.
    var remoteStatics: [[UInt8]?] { [initiator.remoteStatic, responder.remoteStatic] }

    /// Runs the messages with these indices; `change` may alter each on its way.
    mutating func play(
        _ indices: Range<Int> = 0..<3,
        change: (Int, [UInt8]) -> [UInt8] = { $1 }
    ) throws(NoiseError) {
        for index in indices {
            let payload = Array("payload \(index)".utf8)
            if index.isMultiple(of: 2) {
                _ = try responder.readMessage(change(index, initiator.writeMessage(payload: payload)))
            } else {
                _ = try initiator.readMessage(change(index, responder.writeMessage(payload: payload)))
            }
        }
    }
}

/// The error with which `body` ends, or `nil`; for values that `#expect(throws:)` cannot capture because they are not
/// copyable.
func failure(of body: () throws(NoiseError) -> Void) -> NoiseError? {
    do throws(NoiseError) {
        try body()
        return nil
    } catch {
        return error
    }
}
