import FoundationEssentials
import ParlanceSodium
import ParlanceWire

/// The keys of a peer to which envelopes are sealed while it is away (couriers.md, "Prekeys").
struct PeerPrekeys: Equatable, Sendable {
    /// As the peer sent them, without used one-time keys.
    private var wire: WirePrekeys

    /// - Returns: `nil` if a field has a wrong length.
    init?(_ wire: WirePrekeys) {
        guard wire.daily.count == Bytes32.count, wire.oneTime.count <= Limits.oneTimePrekeys,
            wire.oneTime.allSatisfy({ $0.count == Bytes32.count }), wire.made <= UInt64(Int64.max)
        else { return nil }
        self.wire = wire
    }

    /// Reads a peer's row. The signature was checked when the keys came.
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
    /// The next one-time key; empty if none is left.
    var oneTime: [UInt8] { wire.oneTime.first.map { [UInt8]($0) } ?? [] }

    /// When the daily key was made, in milliseconds since 1970.
    var made: UInt64 { wire.made }

    func isSigned(by peer: PeerID) -> Bool {
        Ed25519.verify([UInt8](wire.signature), of: signedBytes, by: peer.bytes)
    }

    private var signedBytes: [UInt8] { [Domain.prekey] + [UInt8](wire.daily) + wire.made.bigEndianBytes }

    /// When an envelope that is sealed to them expires, in milliseconds since 1970.
    var expires: Int64 { Int64(clamping: min(wire.made, UInt64(Int64.max) / 2)) + Limits.envelopeMilliseconds }

    /// Whether envelopes may be sealed to them now. No if they are too old, or if the peer's clock is so far ahead that
    /// an envelope would outlive its keys.
    func isUsable(at now: Instant) -> Bool {
        expires > now.wall && expires <= now.wall + Limits.envelopeMilliseconds + Limits.prekeyMilliseconds
    }

    /// Removes used one-time keys.
    func without(_ used: Set<[UInt8]>) -> PeerPrekeys {
        var rest = self
        rest.wire.oneTime.removeAll { used.contains([UInt8]($0)) }
        return rest
    }
}
