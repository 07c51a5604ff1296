import Foundation
import ParlanceSodium
import ParlanceWire

/// The keys of a peer to which an envelope for it is sealed while it is away (couriers.md, "Prekeys").
struct PeerPrekeys: Equatable, Sendable {
    /// As the peer sent them, without those that are used up.
    private var wire: WirePrekeys

    /// - Returns: `nil` if a field has a wrong length.
    init?(_ wire: WirePrekeys) {
        guard wire.daily.count == Bytes32.count, wire.oneTime.count <= Limits.oneTimePrekeys,
            wire.oneTime.allSatisfy({ $0.count == Bytes32.count }), wire.made <= UInt64(Int64.max)
        else { return nil }
        self.wire = wire
    }

    /// Reads what stands in a peer's row; it was found to be signed when it came.
    init?(decoding row: [UInt8]) {
        guard let wire = WirePrekeys(decoding: row) else { return nil }
        self.wire = wire
    }

    /// Signs keys of this node.
    init(daily: OwnPrekey, oneTime: some Collection<OwnPrekey>, with signer: SigningKey) {
        wire = WirePrekeys()
        wire.daily = Data(daily.pair.publicKey)
        wire.made = UInt64(clamping: daily.made)
        wire.oneTime = oneTime.map { Data($0.pair.publicKey) }
        wire.signature = Data(signer.sign(signedBytes))
    }

    var encoded: [UInt8] { wire.encodedBytes() }
    var frame: WirePrekeys { wire }
    var daily: [UInt8] { [UInt8](wire.daily) }
    /// The next key to be used once; empty if there is none.
    var oneTime: [UInt8] { wire.oneTime.first.map { [UInt8]($0) } ?? [] }

    func isSigned(by peer: PeerID) -> Bool {
        Ed25519.verify([UInt8](wire.signature), of: signedBytes, by: peer.bytes)
    }

    private var signedBytes: [UInt8] { [Domain.prekey] + [UInt8](wire.daily) + wire.made.bigEndianBytes }

    /// Until when an envelope that is sealed to them can be opened.
    var expires: Int64 { Int64(clamping: min(wire.made, UInt64(Int64.max) / 2)) + Limits.envelopeMilliseconds }

    /// Whether envelopes are sealed to them now. A peer whose clock is ahead gets none that outlive their keys.
    func isUsable(at now: Instant) -> Bool {
        expires > now.wall && expires <= now.wall + Limits.envelopeMilliseconds + Limits.prekeyMilliseconds
    }

    /// A one-time key is used once.
    func without(_ used: Set<[UInt8]>) -> PeerPrekeys {
        var rest = self
        rest.wire.oneTime.removeAll { used.contains([UInt8]($0)) }
        return rest
    }
}
