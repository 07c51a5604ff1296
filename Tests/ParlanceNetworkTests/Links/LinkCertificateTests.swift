import Foundation
import ParlanceSodium
import ParlanceWire
import Testing

@testable import ParlanceNetwork

@Suite struct LinkCertificateTests {
    /// A certificate as an attacker may present it, and why it is refused.
    struct Forgery: CustomTestStringConvertible, Sendable {
        let name: String
        let reason: CertificateError
        let forge: @Sendable (LocalIdentity) -> LocalIdentity
        var testDescription: String { name }
    }

    static let forgeries: [Forgery] = [
        Forgery(name: "of another connection", reason: .otherStaticKey) {
            $0.presenting(LocalIdentity.sample(1, noiseKey: .generate()).certificate)
        },
        Forgery(name: "stolen from somebody", reason: .otherStaticKey) {
            $0.presenting(LocalIdentity.sample(8).certificate)
        },
        Forgery(name: "in another name", reason: .wrongSignature) {
            $0.presenting { $0.identity = Data(LocalIdentity.sample(8).peer.bytes) }
        },
        Forgery(name: "with a flipped signature", reason: .wrongSignature) {
            $0.presenting { $0.signature[5] ^= 1 }
        },
        Forgery(name: "without a signature", reason: .wrongSignature) { $0.presenting { $0.signature = Data() } },
        Forgery(name: "with another replica", reason: .wrongSignature) {
            $0.presenting { $0.replica = Data(ReplicaID.sample(8).bytes) }
        },
        Forgery(name: "with another epoch", reason: .wrongSignature) { $0.presenting { $0.epoch += 1 } },
        Forgery(name: "with epoch 0", reason: .malformed) { $0.presenting { $0.epoch = 0 } },
        Forgery(name: "with a short replica", reason: .malformed) { $0.presenting { $0.replica.removeLast() } },
        Forgery(name: "with a short static key", reason: .malformed) {
            $0.presenting { $0.noiseStatic.removeLast() }
        },
        Forgery(name: "with a short identity", reason: .malformed) { $0.presenting { $0.identity.removeLast() } },
        Forgery(name: "of another version", reason: .unknownSuite) { $0.presenting { $0.version = 2 } },
        Forgery(name: "of another suite", reason: .unknownSuite) { $0.presenting { $0.suite = 257 } },
        Forgery(name: "cut short", reason: .malformed) { $0.presenting($0.certificate.dropLast()) },
        Forgery(name: "empty", reason: .unknownSuite) { $0.presenting([]) },
    ]

    @Test(arguments: forgeries) func theResponderRefuses(_ forgery: Forgery) throws {
        var pair = try CodecPair(forgery.forge(.sample(1)), .sample(2))
        pair.exchangeAll()
        #expect(pair.atResponder.error == .certificate(forgery.reason))
        #expect(pair.atResponder.opened == nil && pair.atInitiator.opened == nil)
    }

    @Test(arguments: forgeries) func theInitiatorRefuses(_ forgery: Forgery) throws {
        var pair = try CodecPair(.sample(2), forgery.forge(.sample(1)))
        pair.exchangeAll()
        #expect(pair.atInitiator.error == .certificate(forgery.reason))
        #expect(pair.atInitiator.opened == nil)
        #expect(pair.initiator.takeOutput().isEmpty)
    }

    @Test func somebodyElseThanDialledIsRefused() throws {
        var pair = try CodecPair(expected: LocalIdentity.sample(3).peer)
        pair.exchangeAll()
        #expect(pair.atInitiator.error == .certificate(.unexpectedIdentity) && pair.atInitiator.opened == nil)
    }

    @Test func aLinkToOneselfIsRefused() throws {
        var pair = try CodecPair(.sample(1), .sample(1, noiseKey: .generate()))
        pair.exchangeAll()
        #expect(pair.atResponder.error == .certificate(.ownIdentity) && pair.atResponder.opened == nil)
    }

    /// A dial that was under way when the node went on as another replica comes back to it: it knows its own key, and
    /// proves nothing.
    @Test func aNodeKnowsItselfAsAnotherReplica() throws {
        let before = LocalIdentity.sample(1)
        let key = try SigningKey(seed: SecretBytes(copying: [UInt8](repeating: 1, count: 32)))
        let after = before.renewed(as: .sample(9), signingKey: key)
        #expect(after.peer == before.peer && after.replica == .sample(9) && after.epoch == 1)
        var pair = try CodecPair(before, after)
        pair.exchangeAll()
        #expect(pair.atInitiator.error == .certificate(.ownIdentity))
        #expect(pair.atResponder.error == nil && pair.atResponder.opened == nil)
    }

    /// The layout in protocol/link.md, implemented a second time.
    @Test func whatIsSignedIsAsSpecified() throws {
        let identity = LocalIdentity.sample(4, epoch: 0x0102_0304_0506_0708)
        let wire = try #require(WireCertificate(decoding: identity.certificate))
        var signed: [UInt8] = [0x01, 1, 1]
        signed += identity.noiseKey.publicKey
        signed += [UInt8](repeating: 4, count: 16)
        signed += [1, 2, 3, 4, 5, 6, 7, 8]
        #expect(Ed25519.verify(Array(wire.signature), of: signed, by: identity.peer.bytes))
    }
}
