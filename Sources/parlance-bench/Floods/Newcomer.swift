import Foundation
import ParlanceNoise
import ParlanceSodium
import ParlanceWire

/// An unknown identity that completes one handshake in open mode (link.md).
final class Newcomer {
    static let preamble: [UInt8] = Array("PLN".utf8) + [1, 0, 0, 0, 0, 0]
    /// The second message with its length: an ephemeral and a static key, and two tags.
    private static let answerBytes = 2 + 32 + 48 + 16

    private var handshake: HandshakeState
    private let certificate: [UInt8]
    private var received: [UInt8] = []
    private var hasAnswered = false
    /// Whether the other end has accepted our certificate and sent its own.
    private(set) var isLinked = false
    /// The first bytes to send.
    let beginning: [UInt8]

    init() throws {
        let key = X25519KeyPair.generate(placement: .heap)
        handshake = try HandshakeState(
            role: .initiator,
            pattern: .xx,
            prologue: Self.preamble,
            staticKey: key,
            ephemeralKey: .generate(placement: .heap),
            psk: nil
        )
        beginning = Self.preamble + Self.framed(try handshake.writeMessage(payload: []))
        let signer = SigningKey.generate()
        let replica = [UInt8](repeating: 1, count: ReplicaID.count)
        var signed: [UInt8] = [Domain.certificate, 1, 1] + key.publicKey + replica
        withUnsafeBytes(of: UInt64(1).bigEndian) { signed += $0 }
        var wire = WireCertificate()
        wire.version = 1
        wire.suite = 1
        wire.identity = Data(signer.publicKey)
        wire.noiseStatic = Data(key.publicKey)
        wire.replica = Data(replica)
        wire.epoch = 1
        wire.signature = Data(signer.sign(signed))
        certificate = wire.encodedBytes()
    }

    /// - Returns: the bytes to send next.
    func receive(_ bytes: ArraySlice<UInt8>) throws -> [UInt8] {
        received += bytes
        if !hasAnswered {
            guard received.count >= Self.answerBytes else { return [] }
            _ = try handshake.readMessage(Array(received[2..<Self.answerBytes]))
            received.removeFirst(Self.answerBytes)
            hasAnswered = true
            return Self.framed(try handshake.writeMessage(payload: certificate))
        }
        guard received.count >= 2 else { return [] }
        isLinked = received.count >= 2 + (Int(received[0]) << 8 | Int(received[1]))
        return []
    }

    private static func framed(_ message: [UInt8]) -> [UInt8] {
        [UInt8(message.count >> 8), UInt8(message.count & 0xFF)] + message
    }
}
