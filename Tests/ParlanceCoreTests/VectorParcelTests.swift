import Foundation
import ParlanceCore
import ParlanceSodium
import ParlanceWire
import Testing

/// Tests files on a stick against golden files (carry.md).
@Suite struct VectorParcelTests {
    struct Parcel: Decodable, Sendable, CustomTestStringConvertible {
        var name, seed, author, recipient, slot, file, prekeySecret, key, load, content, signed, signature: String
        var parcel: String
        var testDescription: String { name }
    }

    @Test(arguments: try VectorFiles.vectors("parcel", as: Parcel.self)) func parcel(_ vector: Parcel) throws {
        let (author, recipient) = (try peer(vector.author), try peer(vector.recipient))
        let slot = try #require(Int(vector.slot))
        let signer = try SigningKey(seed: SecretBytes(copying: try hex(vector.seed)))
        #expect(WireParcel.name(from: author, to: recipient, slot: slot) == vector.file)
        let parcel = try #require(WireParcel(decoding: hex(vector.parcel)))
        let content = try #require(parcel.open(from: author, to: recipient, slot: slot))
        #expect(try content.encodedBytes() == hex(vector.content) && parcel.encodedBytes() == hex(vector.parcel))
        let made = WireParcel.seal(content, to: recipient, slot: slot, from: author, with: signer)
        #expect(try made == parcel && [UInt8](made.signature) == hex(vector.signature))
        let address = author.bytes + recipient.bytes + UInt64(slot).bigEndianBytes
        #expect(try [Domain.parcel] + address + hex(vector.content) == hex(vector.signed))
        for (a, b, place) in [(recipient, author, slot), (author, author, slot), (author, recipient, slot + 1)] {
            #expect(parcel.open(from: a, to: b, slot: place) == nil)
        }
        let state = WireParcelContent.state(
            of: try hex(vector.load),
            try #require(ReplicaID(content.replica)),
            ownPrekey: content.hasPrekeys ? content.prekeys.encodedBytes() : [],
            theirPrekey: try hex(vector.key),
            with: signer
        )
        #expect(state == [UInt8](content.state))
        guard content.hasEnvelope else { return #expect(vector.key.isEmpty) }
        var envelope = content.envelope
        envelope.recipient = Data(recipient.bytes)
        let secret = SecretBytes(copying: try hex(vector.prekeySecret))
        let key = try OwnPrekey(secret: secret, made: 0, peer: nil)
        #expect(try envelope.unseal(prekey: key, oneTime: nil) == hex(vector.load))
        #expect(try WireParcelLoad(decoding: hex(vector.load))?.runs.count == 1)
        // Neither a courier's envelope nor a parcel is read as the other.
        #expect(envelope.open(prekey: key, oneTime: nil)?.events.isEmpty == true)
    }
}
