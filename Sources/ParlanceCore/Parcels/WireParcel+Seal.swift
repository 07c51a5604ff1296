import FoundationEssentials
import ParlanceRecords
package import ParlanceSodium
package import ParlanceWire

// The names, signatures and states of parcels (carry.md, "File").
extension WireParcel {
    /// The name of the file. It tells nobody who does not know both identities whose it is.
    package static func name(from author: PeerID, to recipient: PeerID, slot: Int) -> String {
        let bytes = address(author, recipient, slot)
        return "parlance-" + Base32.encode(Bytes32(hashing: bytes, domain: Domain.parcelName).bytes)
    }

    package static func seal(
        _ content: WireParcelContent,
        to recipient: PeerID,
        slot: Int,
        from author: PeerID,
        with signer: SigningKey
    ) -> WireParcel {
        var parcel = WireParcel()
        let bytes = content.encodedBytes()
        parcel.content = Data(bytes)
        parcel.signature = Data(signer.sign([Domain.parcel] + address(author, recipient, slot) + bytes))
        return parcel
    }

    /// The content, if the author made it for this recipient and slot and nobody has changed it.
    package func open(from author: PeerID, to recipient: PeerID, slot: Int) -> WireParcelContent? {
        let bytes = [UInt8](content)
        guard signature.count == 64,
            Ed25519.verify(
                [UInt8](signature),
                of: [Domain.parcel] + Self.address(author, recipient, slot) + bytes,
                by: author.bytes
            ),
            let opened = WireParcelContent(decoding: bytes), ReplicaID(opened.replica) != nil
        else { return nil }
        return opened
    }

    private static func address(_ author: PeerID, _ recipient: PeerID, _ slot: Int) -> [UInt8] {
        author.bytes + recipient.bytes + UInt64(clamping: slot).bigEndianBytes
    }
}

extension WireParcelContent {
    /// Equal for equal loads. It is the hash of a signature that nobody else can make, so nobody can test with it what
    /// the load may be.
    package static func state(
        of load: [UInt8],
        _ replica: ReplicaID,
        ownPrekey: [UInt8],
        theirPrekey: [UInt8],
        with signer: SigningKey
    ) -> [UInt8] {
        let parts = [replica.bytes, ownPrekey, theirPrekey].flatMap { UInt64($0.count).bigEndianBytes + $0 }
        return Bytes32(hashing: signer.sign([Domain.parcelLoad] + parts + load), domain: Domain.parcelState).bytes
    }
}
