import ParlanceSodium
package import ParlanceWire

/// The peer at the other end of a link, as a certificate has proved it.
package struct PeerCertificate: Equatable, Sendable {
    static let version: UInt32 = 1
    /// Ed25519, X25519, ChaChaPoly, SHA256, BLAKE2b.
    static let suite: UInt32 = 1

    package let peer: PeerID
    package let replica: ReplicaID
    package let epoch: UInt64

    /// Reads and verifies a certificate.
    ///
    /// - Parameters:
    ///   - noiseStatic: the static key that the other side has proved in the handshake to hold.
    ///   - own: our own identity: a link to ourselves is refused, whatever its replica.
    ///   - expected: the peer that was dialled, if it is known.
    init(
        verifying bytes: [UInt8],
        noiseStatic: [UInt8],
        own: PeerID,
        expected: PeerID?
    ) throws(CertificateError) {
        guard let wire = WireCertificate(decoding: bytes) else { throw .malformed }
        guard wire.version == Self.version, wire.suite == Self.suite else { throw .unknownSuite }
        guard let peer = PeerID(wire.identity), let replica = ReplicaID(wire.replica), wire.epoch >= 1,
            wire.noiseStatic.count == Bytes32.count
        else { throw .malformed }
        guard wire.noiseStatic.elementsEqual(noiseStatic) else { throw .otherStaticKey }
        let signed = Self.signedBytes(noiseStatic: noiseStatic, replica: replica, epoch: wire.epoch)
        guard Ed25519.verify(Array(wire.signature), of: signed, by: peer.bytes) else { throw .wrongSignature }
        guard peer != own else { throw .ownIdentity }
        guard expected == nil || expected == peer else { throw .unexpectedIdentity }
        self.peer = peer
        self.replica = replica
        epoch = wire.epoch
    }

    /// What the identity signs: domain, version, suite, Noise static key, replica, epoch in big-endian order.
    static func signedBytes(noiseStatic: [UInt8], replica: ReplicaID, epoch: UInt64) -> [UInt8] {
        var bytes: [UInt8] = [Domain.certificate, UInt8(version), UInt8(suite)]
        bytes += noiseStatic
        bytes += replica.bytes
        withUnsafeBytes(of: epoch.bigEndian) { bytes += $0 }
        return bytes
    }
}
