import FoundationEssentials
import ParlanceRecords
package import ParlanceSodium
package import ParlanceWire

/// The picture of a person, as it travels and is stored: signed by that person (contacts.md, "Pictures").
///
/// Its bytes are whatever the person has sent. Nothing here looks into them.
package struct SignedPicture: Equatable, Sendable {
    package let id: PictureID
    package let content: [UInt8]
    /// When the person chose it, in milliseconds since 1970.
    package let made: UInt64
    package let signature: [UInt8]

    package init(_ content: [UInt8], of peer: PeerID, made: UInt64, with key: SigningKey) {
        let id = PictureID(hashing: content)
        self.init(content: content, made: made, signature: key.sign(Self.signedBytes(id, of: peer, made: made)))
    }

    package init(content: [UInt8], made: UInt64, signature: [UInt8]) {
        (self.content, self.made, self.signature) = (content, made, signature)
        id = PictureID(hashing: content)
    }

    /// Parses a frame; `nil` if it is malformed. This does not check the signature: use `isSigned`.
    package init?(_ wire: WirePicture) {
        guard (1...Limits.pictureBytes).contains(wire.content.count), wire.signature.count == 64,
            wire.made <= UInt64(Int64.max)
        else { return nil }
        self.init(content: [UInt8](wire.content), made: wire.made, signature: [UInt8](wire.signature))
    }

    package var wire: WirePicture {
        var wire = WirePicture()
        wire.content = Data(content)
        wire.made = made
        wire.signature = Data(signature)
        return wire
    }

    package func isSigned(by peer: PeerID) -> Bool {
        Ed25519.verify(signature, of: Self.signedBytes(id, of: peer, made: made), by: peer.bytes)
    }

    private static func signedBytes(_ id: PictureID, of peer: PeerID, made: UInt64) -> [UInt8] {
        [Domain.pictureSignature] + peer.bytes + id.bytes + made.bigEndianBytes
    }
}

/// Which picture of a peer is here. Its bytes are in the store.
package struct PictureMark: Equatable, Sendable {
    package var peer: PeerID
    package var id: PictureID
    /// When the person chose it, in milliseconds since 1970.
    package var made: UInt64

    package init(peer: PeerID, id: PictureID, made: UInt64) {
        (self.peer, self.id, self.made) = (peer, id, made)
    }
}

/// The row of a picture: of a peer, or of this user.
package struct PictureRecord: Equatable, Sendable {
    package var peer: PeerID
    /// `nil`: it is to be erased.
    package var picture: SignedPicture?

    package init(peer: PeerID, picture: SignedPicture?) {
        (self.peer, self.picture) = (peer, picture)
    }
}

extension PictureID {
    package init(hashing content: [UInt8]) {
        self.init(value: Bytes32(hashing: content, domain: Domain.picture))
    }
}
