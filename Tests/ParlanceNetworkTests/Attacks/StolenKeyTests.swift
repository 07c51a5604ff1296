import ParlanceSodium
import ParlanceWire
import Testing

@testable import ParlanceNetwork
@testable import ParlanceNoise

/// A thief of all of Ada's keys can pose as Ada to others, but cannot pose as Bob to Ada.
/// The attacker runs the handshake by hand with Bob's real static key and certificate, and with every secret that it
/// can compute instead of the one that only Bob can compute.
@Suite struct StolenKeyTests {
    private static let ada = LocalIdentity.sample(1)
    private static let bob = LocalIdentity.sample(2)
    private static let preamble: [UInt8] = [0x50, 0x4C, 0x4E, 1, 0, 0, 0, 0, 0]

    /// What the attacker may use instead of Bob's part of the key agreement.
    enum Guess: CaseIterable {
        /// From Ada's stolen static key and Bob's public one.
        case stolenAndBobs
        /// From Ada's stolen static key and her ephemeral one.
        case stolenAndEphemeral
        /// From the attacker's own key and Ada's ephemeral one.
        case ownAndEphemeral
        /// The secret that only Bob can compute: it shows that nothing else prevents the link.
        case bobsOwn
    }

    private static func secret(_ guess: Guess, own: X25519KeyPair, ephemeral: [UInt8]) throws -> SecretBytes {
        switch guess {
        case .stolenAndBobs: try ada.noiseKey.sharedSecret(with: bob.noiseKey.publicKey)
        case .stolenAndEphemeral: try ada.noiseKey.sharedSecret(with: ephemeral)
        case .ownAndEphemeral: try own.sharedSecret(with: ephemeral)
        case .bobsOwn: try bob.noiseKey.sharedSecret(with: ephemeral)
        }
    }

    private static func begin() -> SymmetricState {
        var state = SymmetricState(protocolName: "Noise_XX_25519_ChaChaPoly_SHA256")
        state.mixHash(preamble)
        return state
    }

    private static func framed(_ message: [UInt8]) -> [UInt8] {
        [UInt8(message.count >> 8), UInt8(message.count & 0xFF)] + message
    }

    @Test(arguments: Guess.allCases) func nobodyDialsAdaAsBob(_ guess: Guess) throws {
        let own = X25519KeyPair.generate(placement: .heap)
        var codec = try LinkCodec(.responder([]), identity: Self.ada, ephemeral: .generate(placement: .heap))
        var state = Self.begin()
        state.mixHash(own.publicKey)
        state.mixHash([])
        codec.receive(Self.preamble + Self.framed(own.publicKey))
        #expect(try codec.next() == nil)
        let answer = Array(codec.takeOutput().dropFirst(2))
        let ephemeral = Array(answer[..<32])
        state.mixHash(ephemeral)
        try state.mixKey(own.sharedSecret(with: ephemeral))
        let adasStatic = try state.decryptAndHash(Array(answer[32..<80]))
        #expect(adasStatic == Self.ada.noiseKey.publicKey)
        try state.mixKey(own.sharedSecret(with: adasStatic))
        _ = try state.decryptAndHash(Array(answer[80...]))
        var message = try state.encryptAndHash(Self.bob.noiseKey.publicKey)
        try state.mixKey(Self.secret(guess, own: own, ephemeral: ephemeral))
        message += try state.encryptAndHash(Self.bob.certificate)
        codec.receive(Self.framed(message))
        if guess == .bobsOwn {
            guard case .opened(let peer) = try codec.next() else { throw Unexpected() }
            #expect(peer.peer == Self.bob.peer)
        } else {
            #expect(throws: LinkError.noise(.authenticationFailed)) { try Self.next(&codec) }
        }
    }

    @Test(arguments: Guess.allCases) func nobodyAnswersAdaAsBob(_ guess: Guess) throws {
        let own = X25519KeyPair.generate(placement: .heap)
        var codec = try LinkCodec(
            .initiator(nil),
            identity: Self.ada,
            ephemeral: .generate(placement: .heap),
            expected: Self.bob.peer
        )
        let hello = codec.takeOutput()
        #expect(Array(hello[..<9]) == Self.preamble)
        let ephemeral = Array(hello[11...])
        var state = Self.begin()
        state.mixHash(ephemeral)
        state.mixHash([])
        var message = own.publicKey
        state.mixHash(own.publicKey)
        try state.mixKey(own.sharedSecret(with: ephemeral))
        message += try state.encryptAndHash(Self.bob.noiseKey.publicKey)
        try state.mixKey(Self.secret(guess, own: own, ephemeral: ephemeral))
        message += try state.encryptAndHash([])
        codec.receive(Self.framed(message))
        if guess == .bobsOwn {
            #expect(try Self.next(&codec) == nil)
            #expect(codec.takeOutput().count > 64)
        } else {
            #expect(throws: LinkError.noise(.authenticationFailed)) { try Self.next(&codec) }
            #expect(codec.takeOutput().isEmpty)
        }
    }

    /// The testing macros accept no mutating calls on noncopyable values.
    private static func next(_ codec: inout LinkCodec) throws(LinkError) -> LinkEvent? { try codec.next() }

    private struct Unexpected: Error {}
}
