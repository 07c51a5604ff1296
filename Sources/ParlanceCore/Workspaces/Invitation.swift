package import ParlanceSodium
package import ParlanceWire

/// What an invitation's code bears beside the key of the workspace: 16 random bytes.
package struct InvitationSecret: Equatable, Sendable {
    package static let count = 16
    package let bytes: SecretBytes

    /// Accepts exactly 16 bytes; `nil` for any other number.
    package init?(_ bytes: SecretBytes) {
        guard bytes.count == Self.count else { return nil }
        self.bytes = bytes
    }

    package static func == (a: InvitationSecret, b: InvitationSecret) -> Bool {
        a.bytes.withBytes { Array($0) } == b.bytes.withBytes { Array($0) }
    }
}

/// The key pair of an invitation to a workspace whose admins let members in (charter.md, "Invitations"). An admin's policy
/// names the public key; whoever has the secret proves that for one person.
package struct InvitationKey: Equatable, Sendable {
    package let secret: InvitationSecret
    package let charter: CharterPrefix
    private let signer: SigningKey

    package init?(_ secret: InvitationSecret, to charter: CharterPrefix) {
        let seed = secret.bytes.withBytes { Blake2b.hash(Domain.invitation, charter.bytes, Array($0)) }
        guard let signer = try? SigningKey(seed: SecretBytes(copying: seed)) else {
            broken("a hash is as long as a seed")
            return nil
        }
        self.secret = secret
        self.charter = charter
        self.signer = signer
    }

    /// The name of the policy that makes it an invitation.
    package var policy: String { Charter.Invitation.prefix + Base32.encode(signer.publicKey) }

    /// What shows that a person has the secret.
    package func proof(for peer: PeerID) -> InvitationProof? {
        InvitationProof(signer.publicKey + signer.sign(InvitationProof.signed(peer, charter)))
    }
}

/// What a `Hello` says of an invitation: its public key, and a signature for the person that sends it.
package struct InvitationProof: Equatable, Sendable {
    /// The public key.
    package let key: Bytes32
    private let signature: [UInt8]

    /// Accepts exactly 96 bytes; `nil` for any other number.
    package init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == 32 + Ed25519.signatureByteCount, let key = Bytes32(bytes.prefix(32)) else { return nil }
        self.key = key
        signature = Array(bytes.dropFirst(32))
    }

    package var bytes: [UInt8] { key.bytes + signature }

    /// Whether the person has the secret of the invitation.
    package func isValid(for peer: PeerID, in charter: CharterPrefix) -> Bool {
        Ed25519.verify(signature, of: Self.signed(peer, charter), by: key.bytes)
    }

    fileprivate static func signed(_ peer: PeerID, _ charter: CharterPrefix) -> [UInt8] {
        [Domain.invitationProof] + charter.bytes + peer.bytes
    }
}
