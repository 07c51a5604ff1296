import Foundation
import ParlanceCore
import ParlanceSodium
import ParlanceWire

@testable import ParlanceNetwork

/// The output of one side, in a form that can be compared.
struct Outcome {
    var opened: PeerCertificate?
    var frames: [WireFrame] = []
    var closed = false
    var error: LinkError?
}

/// Both ends of a link in memory; the test moves the bytes.
struct CodecPair: ~Copyable {
    var initiator: LinkCodec
    var responder: LinkCodec
    var atInitiator = Outcome()
    var atResponder = Outcome()

    init(
        _ a: LocalIdentity = .sample(1),
        _ b: LocalIdentity = .sample(2),
        key: WorkspaceKey? = nil,
        keys: [WorkspaceKey] = [],
        expected: PeerID? = nil
    ) throws {
        let dialling = try LinkCodec(
            .initiator(key),
            identity: a,
            ephemeral: .generate(placement: .heap),
            expected: expected
        )
        let dialled = try LinkCodec(.responder(keys), identity: b, ephemeral: .generate(placement: .heap))
        initiator = dialling
        responder = dialled
    }

    /// Gives bytes to the responder, and pulls the events.
    mutating func toResponder(_ bytes: some Collection<UInt8>) {
        responder.receive(bytes)
        Self.pull(&responder, &atResponder)
    }

    mutating func toInitiator(_ bytes: some Collection<UInt8>) {
        initiator.receive(bytes)
        Self.pull(&initiator, &atInitiator)
    }

    /// Moves all bytes, both ways, until none are left; `pieces` decides how they are cut.
    mutating func exchangeAll(_ pieces: (ArraySlice<UInt8>) -> Int = { $0.count }) {
        while true {
            var forward = initiator.takeOutput()[...]
            var back = responder.takeOutput()[...]
            if forward.isEmpty && back.isEmpty { return }
            while !forward.isEmpty {
                let count = pieces(forward)
                toResponder(forward.prefix(count))
                forward = forward.dropFirst(count)
            }
            while !back.isEmpty {
                let count = pieces(back)
                toInitiator(back.prefix(count))
                back = back.dropFirst(count)
            }
        }
    }

    private static func pull(_ codec: inout LinkCodec, _ outcome: inout Outcome) {
        do throws(LinkError) {
            while let event = try codec.next() {
                switch event {
                case .opened(let peer): outcome.opened = peer
                case .frame(let frame, _): outcome.frames.append(frame)
                case .closed: outcome.closed = true
                }
            }
        } catch {
            outcome.error = error
        }
    }
}

extension LocalIdentity {
    /// The same identity for the same number, with the same Noise key unless another is given.
    static func sample(_ number: UInt8, noiseKey: X25519KeyPair? = nil, epoch: UInt64 = 7) -> LocalIdentity {
        do {
            let seed = SecretBytes(copying: [UInt8](repeating: number, count: 32))
            let secret = SecretBytes(copying: [UInt8](repeating: number ^ 0x55, count: 32))
            return LocalIdentity(
                signingKey: try SigningKey(seed: seed),
                replica: .sample(number),
                epoch: epoch,
                noiseKey: try noiseKey ?? X25519KeyPair(secret: secret)
            )
        } catch {
            preconditionFailure("32 bytes are a seed and a secret key: \(error)")
        }
    }

    /// This identity with only its certificate changed.
    func presenting(_ change: (inout WireCertificate) -> Void) -> LocalIdentity {
        var wire = WireCertificate(decoding: certificate) ?? WireCertificate()
        change(&wire)
        return presenting(wire.encodedBytes())
    }

    func presenting(_ certificate: [UInt8]) -> LocalIdentity {
        LocalIdentity(peer: peer, replica: replica, epoch: epoch, noiseKey: noiseKey, certificate: certificate)
    }
}

extension ReplicaID {
    static func sample(_ number: UInt8) -> ReplicaID {
        ReplicaID([UInt8](repeating: number, count: ReplicaID.count)) ?? sample(number)
    }
}

extension WorkspaceKey {
    static func sample(_ number: UInt8) -> WorkspaceKey {
        WorkspaceKey(secret: SecretBytes(copying: [UInt8](repeating: number, count: 32)))
    }
}

extension WireFrame {
    /// A frame with a text of this many bytes that contains its number.
    static func sample(_ number: Int, padding: Int = 20) -> WireFrame {
        var frame = WireFrame()
        frame.heartbeat.name = String(number) + String(repeating: "x", count: padding)
        return frame
    }

    /// The stream form: length and bytes.
    var framed: [UInt8] { FrameSplitter.frame(encodedBytes()) }
}
