import ParlanceCore
import ParlanceNetwork
import ParlanceSodium
import ParlanceWire

/// The other end of one link in open mode, an unknown identity if none is given.
final class Newcomer {
    private var codec: LinkCodec
    /// Whether the other end has accepted our certificate and sent its own.
    private(set) var isLinked = false
    /// The first bytes to send.
    let beginning: [UInt8]

    init(_ identity: LocalIdentity? = nil) throws {
        codec = try LinkCodec(
            .initiator(nil),
            identity: try identity ?? Self.identity(),
            ephemeral: .generate(placement: .heap)
        )
        beginning = codec.takeOutput()
    }

    /// Takes bytes until the link is open; what comes later is ignored.
    ///
    /// - Returns: the bytes to send next.
    func receive(_ bytes: ArraySlice<UInt8>) throws -> [UInt8] {
        guard !isLinked else { return [] }
        codec.receive(bytes)
        while let event = try codec.next() {
            if case .opened = event { isLinked = true }
        }
        return codec.takeOutput()
    }

    /// - Returns: the bytes of a frame, sealed, once the link is open.
    func seal(_ kind: WireFrame.OneOf_Kind) throws -> [UInt8] {
        var frame = WireFrame()
        frame.kind = kind
        try codec.seal(FrameSplitter.frame(frame.encodedBytes()))
        return codec.takeOutput()
    }

    static func identity() throws -> LocalIdentity { try copies(1)[0] }

    /// Copies of the store of one new identity.
    static func copies(_ count: Int) throws -> [LocalIdentity] {
        let signingKey = SigningKey.generate()
        return try (0..<count).map { _ in
            guard let replica = ReplicaID(RandomBytes.bytes(ReplicaID.count)) else { throw BenchError("no replica") }
            let key = X25519KeyPair.generate(placement: .heap)
            return LocalIdentity(signingKey: signingKey, replica: replica, epoch: 1, noiseKey: key)
        }
    }
}
