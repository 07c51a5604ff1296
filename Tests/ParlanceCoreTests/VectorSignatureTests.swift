import Foundation
import ParlanceCore
import ParlanceRecords
import ParlanceSodium
import ParlanceWire
import Testing

/// Tests what is signed, and by whom, against golden files.
@Suite struct VectorSignatureTests {
    struct Head: Decodable, Sendable, CustomTestStringConvertible {
        var name, seed, author, id, signed, signature: String
        var testDescription: String { name }
    }

    struct Certificate: Decodable, Sendable, CustomTestStringConvertible {
        var name, seed, identity, noiseStatic, replica, epoch, signed, signature, certificate: String
        var testDescription: String { name }
    }

    struct ContactAnswer: Decodable, Sendable, CustomTestStringConvertible {
        var name, seed, from, to, time, signed, signature, answer: String
        var accepted: Bool
        var testDescription: String { name }
    }

    struct Watermark: Decodable, Sendable, CustomTestStringConvertible {
        var name, seed, conversation, member, replica, author, authorReplica, sequence, head: String
        var level: UInt8
        var signed, signature, watermark: String
        var testDescription: String { name }
    }

    struct Direct: Decodable, Sendable, CustomTestStringConvertible {
        var name, a, b, conversation, text: String
        var testDescription: String { name }
    }

    struct Addresses: Decodable, Sendable, CustomTestStringConvertible {
        struct Place: Decodable, Sendable {
            var address: String
            var port: UInt16
        }

        var name, seed, peer, time, signed, signature, entry: String
        var places: [Place]
        var testDescription: String { name }
    }

    struct Picture: Decodable, Sendable, CustomTestStringConvertible {
        var name, seed, peer, content, id, made, signed, signature, picture: String
        var testDescription: String { name }
    }

    private func expect(_ signature: String, over signed: [UInt8], said: String, seed: String) throws {
        #expect(signed == (try hex(said)))
        let key = try SigningKey(seed: SecretBytes(copying: try hex(seed)))
        #expect(key.sign(signed) == (try hex(signature)))
        #expect(Ed25519.verify(try hex(signature), of: signed, by: key.publicKey))
        for index in signed.indices {
            var changed = signed
            changed[index] ^= 0x10
            #expect(!Ed25519.verify(try hex(signature), of: changed, by: key.publicKey), "byte \(index)")
        }
    }

    @Test(arguments: try VectorFiles.vectors("head-signature", as: Head.self)) func head(_ vector: Head) throws {
        let id = try event(vector.id)
        try expect(vector.signature, over: [Domain.headSignature] + id.bytes, said: vector.signed, seed: vector.seed)
        #expect(HeadSeal.verify(try hex(vector.signature), of: id, by: try peer(vector.author)))
        #expect(!HeadSeal.verify(try hex(vector.signature), of: id, by: try EngineBench.peer(9)))
    }

    @Test(arguments: try VectorFiles.vectors("certificate", as: Certificate.self))
    func certificate(_ vector: Certificate) throws {
        var signed: [UInt8] = [Domain.certificate, 1, 1]
        signed += try hex(vector.noiseStatic)
        signed += try hex(vector.replica)
        signed += try number(vector.epoch).bigEndianBytes
        try expect(vector.signature, over: signed, said: vector.signed, seed: vector.seed)
        let wire = try #require(WireCertificate(decoding: hex(vector.certificate)))
        #expect((wire.version, wire.suite) == (1, 1))
        #expect(PeerID(wire.identity) == (try peer(vector.identity)))
        #expect([UInt8](wire.noiseStatic) == (try hex(vector.noiseStatic)))
        #expect([UInt8](wire.replica) == (try hex(vector.replica)))
        #expect(wire.epoch == (try number(vector.epoch)))
        #expect([UInt8](wire.signature) == (try hex(vector.signature)))
        #expect(wire.encodedBytes() == (try hex(vector.certificate)))
    }

    @Test(arguments: try VectorFiles.vectors("contact-answer", as: ContactAnswer.self))
    func contactAnswer(_ vector: ContactAnswer) throws {
        let signed =
            try [Domain.contactAnswer] + hex(vector.from) + hex(vector.to) + [vector.accepted ? 1 : 0]
            + number(vector.time).bigEndianBytes
        try expect(vector.signature, over: signed, said: vector.signed, seed: vector.seed)
        let wire = try #require(WireContactAnswer(decoding: hex(vector.answer)))
        #expect((PeerID(wire.from), PeerID(wire.to)) == (try peer(vector.from), try peer(vector.to)))
        #expect((wire.accepted, wire.time) == (vector.accepted, try number(vector.time)))
        #expect(wire.encodedBytes() == (try hex(vector.answer)))
    }

    @Test(arguments: try VectorFiles.vectors("watermark", as: Watermark.self))
    func watermark(_ vector: Watermark) throws {
        let log = try log(vector.author, vector.authorReplica)
        var signed: [UInt8] = [Domain.watermark]
        for field in [vector.conversation, vector.member, vector.replica] { signed += try hex(field) }
        signed += log.author.bytes + log.replica.bytes
        signed += try number(vector.sequence).bigEndianBytes + hex(vector.head) + [vector.level]
        try expect(vector.signature, over: signed, said: vector.signed, seed: vector.seed)
        let wire = try #require(WireWatermark(decoding: hex(vector.watermark)))
        #expect(LogID(wire.log) == log)
        #expect((wire.sequence, wire.level.rawValue) == (try number(vector.sequence), Int(vector.level)))
        #expect(wire.encodedBytes() == (try hex(vector.watermark)))
    }

    @Test(arguments: try VectorFiles.vectors("addresses", as: Addresses.self))
    func addresses(_ vector: Addresses) throws {
        var signed = try [Domain.addresses] + hex(vector.peer) + number(vector.time).bigEndianBytes
        for place in vector.places {
            let address = try hex(place.address)
            signed += [UInt8(address.count)] + address + [UInt8(place.port >> 8), UInt8(place.port & 0xFF)]
        }
        try expect(vector.signature, over: signed, said: vector.signed, seed: vector.seed)
        let places = try vector.places.map { place in
            SignedAddresses.Place(address: try #require(NumericAddress(hex(place.address))), port: place.port)
        }
        let made = SignedAddresses(
            of: try peer(vector.peer),
            time: try number(vector.time),
            places: places,
            with: try SigningKey(seed: SecretBytes(copying: try hex(vector.seed)))
        )
        #expect(made.wire.encodedBytes() == (try hex(vector.entry)))
        #expect(WireAddresses.Entry(decoding: try hex(vector.entry)) == made.wire)
    }

    @Test(arguments: try VectorFiles.vectors("picture", as: Picture.self)) func picture(_ vector: Picture) throws {
        let signed =
            try [Domain.pictureSignature] + hex(vector.peer) + hex(vector.id) + number(vector.made).bigEndianBytes
        try expect(vector.signature, over: signed, said: vector.signed, seed: vector.seed)
        let made = SignedPicture(
            try hex(vector.content),
            of: try peer(vector.peer),
            made: try number(vector.made),
            with: try SigningKey(seed: SecretBytes(copying: try hex(vector.seed)))
        )
        #expect(made.id == PictureID(try hex(vector.id)))
        #expect(made.wire.encodedBytes() == (try hex(vector.picture)))
        let read = WirePicture(decoding: try hex(vector.picture)).flatMap { SignedPicture($0) }
        #expect(read == made)
        let (own, other) = (try peer(vector.peer), try EngineBench.peer(9))
        #expect(made.isSigned(by: own) && !made.isSigned(by: other))
    }

    @Test(arguments: try VectorFiles.vectors("direct-conversation", as: Direct.self))
    func directConversation(_ vector: Direct) throws {
        let (a, b) = (try peer(vector.a), try peer(vector.b))
        #expect(ConversationID(direct: a, b) == (try conversation(vector.conversation)))
        #expect(ConversationID(direct: b, a) == ConversationID(direct: a, b))
        #expect(ConversationID(direct: a, b).text == vector.text)
    }
}
