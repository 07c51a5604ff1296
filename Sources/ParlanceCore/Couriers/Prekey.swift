package import ParlanceSodium
package import ParlanceWire

/// A key pair of this node, to which others seal envelopes while it is away (couriers.md, "Prekeys").
package struct OwnPrekey: Equatable, Sendable {
    package let secret: SecretBytes
    package let pair: X25519KeyPair
    /// In milliseconds since 1970.
    package let made: Int64
    /// How long the node had run when it was made, in milliseconds.
    package let born: Int64
    /// The only peer that may use it, once; `nil` for a daily key.
    package let peer: PeerID?

    /// - Parameter secret: 32 bytes.
    package init(secret: SecretBytes, made: Int64, born: Int64 = 0, peer: PeerID?) throws(SodiumError) {
        self.secret = secret
        pair = try X25519KeyPair(secret: secret)
        self.made = made
        self.born = born
        self.peer = peer
    }

    package var id: PrekeyID { PrekeyID(pair.publicKey) ?? PrekeyID(value: .zero) }

    package static func == (a: OwnPrekey, b: OwnPrekey) -> Bool {
        a.pair.publicKey == b.pair.publicKey && a.made == b.made && a.born == b.born && a.peer == b.peer
    }
}

/// An envelope that is kept for another peer.
package struct EnvelopeRecord: Equatable, Sendable {
    package var id: EnvelopeID
    package var depositor: PeerID
    package var recipient: PeerID
    /// In milliseconds since 1970.
    package var expires: Int64
    package var byteCount: Int

    package init(id: EnvelopeID, depositor: PeerID, recipient: PeerID, expires: Int64, byteCount: Int) {
        self.id = id
        self.depositor = depositor
        self.recipient = recipient
        self.expires = expires
        self.byteCount = byteCount
    }
}

/// Records that a courier holds an envelope of this node for a peer.
package struct DepositRecord: Equatable, Sendable, Codable {
    /// Bytes of the courier's peer ID.
    package var courier: [UInt8]
    package var envelope: [UInt8]
    /// The one-time prekey that it used; empty if none.
    package var oneTime: [UInt8]
    /// The replica whose log it contains. `through` is the last sequence in it.
    package var replica: [UInt8]
    package var through: UInt64
    /// In milliseconds since 1970.
    package var expires: Int64

    package init(
        courier: [UInt8],
        envelope: [UInt8],
        oneTime: [UInt8],
        replica: [UInt8],
        through: UInt64,
        expires: Int64
    ) {
        self.courier = courier
        self.envelope = envelope
        self.oneTime = oneTime
        self.replica = replica
        self.through = through
        self.expires = expires
    }
}
