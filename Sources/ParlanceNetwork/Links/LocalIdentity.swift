import Foundation
package import ParlanceSodium
package import ParlanceWire

/// Who this node is on its links: its identity, its replica, and the Noise static key of this start.
/// The Noise key is new at each start, and the identity's signature vouches for it. So peers pin the identity, and the
/// identity's key never takes part in a handshake (identity.md, "Certificate").
package struct LocalIdentity: Sendable {
    package let peer: PeerID
    package let replica: ReplicaID
    /// The number of starts of the replica, from 1.
    package let epoch: UInt64
    package let noiseKey: X25519KeyPair
    /// The encoded certificate, made once.
    package let certificate: [UInt8]

    package init(peer: PeerID, replica: ReplicaID, epoch: UInt64, noiseKey: X25519KeyPair, certificate: [UInt8]) {
        self.peer = peer
        self.replica = replica
        self.epoch = epoch
        self.noiseKey = noiseKey
        self.certificate = certificate
    }
}

extension LocalIdentity {
    /// Certifies a Noise static key, by default a new random key.
    package init(
        signingKey: SigningKey,
        replica: ReplicaID,
        epoch: UInt64,
        noiseKey: X25519KeyPair = .generate()
    ) {
        var wire = WireCertificate()
        wire.version = PeerCertificate.version
        wire.suite = PeerCertificate.suite
        wire.identity = Data(signingKey.publicKey)
        wire.noiseStatic = Data(noiseKey.publicKey)
        wire.replica = Data(replica.bytes)
        wire.epoch = epoch
        let signed = PeerCertificate.signedBytes(noiseStatic: noiseKey.publicKey, replica: replica, epoch: epoch)
        wire.signature = Data(signingKey.sign(signed))
        self.init(
            peer: PeerID(value: Bytes32 { $0.copyBytes(from: signingKey.publicKey.prefix($0.count)) }),
            replica: replica,
            epoch: epoch,
            noiseKey: noiseKey,
            certificate: wire.encodedBytes()
        )
    }

    /// The same node as the first start of another replica. It keeps its Noise key, by which it knows its own dials.
    package func renewed(as replica: ReplicaID, signingKey: SigningKey) -> LocalIdentity {
        LocalIdentity(signingKey: signingKey, replica: replica, epoch: 1, noiseKey: noiseKey)
    }
}
