import Foundation
import ParlanceCore
import ParlanceSodium
import ParlanceWire
import Testing

/// Tests prekeys, envelopes and receipts against golden files (couriers.md).
@Suite struct VectorCourierTests {
    struct Prekeys: Decodable, Sendable, CustomTestStringConvertible {
        var name, seed, dailySecret, daily, made, signed, signature, prekeys: String
        var oneTime: [String]
        var testDescription: String { name }
    }

    struct Envelope: Decodable, Sendable, CustomTestStringConvertible {
        var name, recipient, prekeySecret, prekey, oneTimeSecret, oneTime, ephemeralSecret, ephemeral: String
        var expires, run, sealed, envelope, id: String
        var testDescription: String { name }
    }

    struct Taken: Decodable, Sendable, CustomTestStringConvertible {
        var name, seed, id, signed, signature, taken: String
        var testDescription: String { name }
    }

    private func key(_ seed: String) throws -> SigningKey {
        try SigningKey(seed: SecretBytes(copying: try hex(seed)))
    }

    private func prekey(_ secret: String) throws -> OwnPrekey {
        try OwnPrekey(secret: SecretBytes(copying: try hex(secret)), made: 0, peer: nil)
    }

    /// An engine that is linked on link 1 with an accepted peer, both made from seeds.
    private func bench(
        _ seed: String,
        envelopes: (PeerID) throws -> [EnvelopeRecord] = { _ in [] }
    ) throws -> (bench: EngineBench, remote: RemotePeer) {
        let remote = try RemotePeer(try #require(try hex(seed).first))
        #expect(remote.key.publicKey == (try key(seed).publicKey))
        var bench = try EngineBench(peers: [remote.record()], envelopes: envelopes(remote.identity))
        bench.opened(1, with: remote)
        bench.received(remote.hello(), on: 1)
        return (bench, remote)
    }

    @Test(arguments: try VectorFiles.vectors("prekeys", as: Prekeys.self)) func prekeys(_ vector: Prekeys) throws {
        #expect(try prekey(vector.dailySecret).pair.publicKey == hex(vector.daily))
        let signed = try [Domain.prekey] + hex(vector.daily) + number(vector.made).bigEndianBytes
        #expect(signed == (try hex(vector.signed)))
        #expect(try key(vector.seed).sign(signed) == hex(vector.signature))
        let bytes = try hex(vector.prekeys)
        var wire = try #require(WirePrekeys(decoding: bytes))
        #expect(try [UInt8](wire.daily) == hex(vector.daily) && wire.made == number(vector.made))
        #expect(try wire.oneTime.map { [UInt8]($0) } == vector.oneTime.map(hex) && wire.encodedBytes() == bytes)

        var (bench, remote) = try bench(vector.seed)
        bench.received(.prekeys(wire), on: 1)
        #expect(try bench.closed.isEmpty && bench.view(of: remote.identity).record.prekeys == bytes)
        wire.made += 1
        bench.received(.prekeys(wire), on: 1)
        #expect(bench.closed == [LinkID(1)])
    }

    @Test(arguments: try VectorFiles.vectors("envelope", as: Envelope.self)) func envelope(_ vector: Envelope) throws {
        let run = try #require(WireEvents(decoding: hex(vector.run)))
        let made = WireEnvelope.seal(
            run,
            to: try peer(vector.recipient),
            prekey: try hex(vector.prekey),
            oneTime: try hex(vector.oneTime),
            ephemeral: SecretBytes(copying: try hex(vector.ephemeralSecret)),
            expires: try #require(Int64(vector.expires))
        )
        let envelope = try #require(made)
        #expect(try envelope.encodedBytes() == hex(vector.envelope))
        #expect(try [UInt8](envelope.sealed) == hex(vector.sealed))
        #expect(try [UInt8](envelope.ephemeral) == hex(vector.ephemeral))
        #expect(try envelope.id.bytes == hex(vector.id))

        let daily = try prekey(vector.prekeySecret)
        let oneTime = vector.oneTime.isEmpty ? nil : try prekey(vector.oneTimeSecret)
        #expect(WireEnvelope(decoding: try hex(vector.envelope))?.open(prekey: daily, oneTime: oneTime) == run)
        if oneTime != nil { #expect(envelope.open(prekey: daily, oneTime: nil) == nil) }
        let changes: [(inout WireEnvelope) -> Void] = [
            { $0.recipient[0] ^= 1 }, { $0.prekey[31] ^= 1 }, { $0.ephemeral[5] ^= 1 }, { $0.expires ^= 1 },
            { $0.sealed[0] ^= 1 }, { $0.sealed[$0.sealed.count - 1] ^= 1 }, { $0.oneTime.append(1) },
        ]
        for (index, change) in changes.enumerated() {
            var other = envelope
            change(&other)
            #expect(other.open(prekey: daily, oneTime: oneTime) == nil && other.id != envelope.id, "change \(index)")
        }
    }

    @Test(arguments: try VectorFiles.vectors("taken", as: Taken.self)) func taken(_ vector: Taken) throws {
        let id = try #require(EnvelopeID(hex(vector.id)))
        let signed = [Domain.taken] + id.bytes
        #expect(signed == (try hex(vector.signed)))
        #expect(try key(vector.seed).sign(signed) == hex(vector.signature))
        var wire = try #require(WireTaken(decoding: hex(vector.taken)))
        #expect(try EnvelopeID(wire.envelope) == id && wire.encodedBytes() == hex(vector.taken))

        let expires = EngineBench.start.wall + Limits.envelopeMilliseconds
        let depositor = try EngineBench.peer(9)
        var (bench, _) = try bench(vector.seed) { recipient in
            [EnvelopeRecord(id: id, depositor: depositor, recipient: recipient, expires: expires, byteCount: 500)]
        }
        bench.received(.taken(wire), on: 1)
        #expect(bench.closed.isEmpty && bench.batches.flatMap(\.erasedEnvelopes) == [id])
        wire.signature[63] ^= 1
        bench.received(.taken(wire), on: 1)
        #expect(bench.closed == [LinkID(1)])
    }
}
