package import ParlanceSodium
package import ParlanceWire

// The inputs of hashes and signatures, byte by byte (events.md, "Hashes and signatures").

extension EventID {
    /// The ID of an event: the hash of its header's bytes as received.
    package init(hashing headerBytes: [UInt8]) {
        self.init(value: Bytes32(hashing: headerBytes, domain: Domain.header))
    }
}

extension Bytes32 {
    package init(hashing bytes: [UInt8], domain: UInt8) {
        self.init(filling: { target in
            bytes.withUnsafeBytes { Blake2b.hash(domain, bytes: $0, into: target) }
        })
    }

    /// The hash of an event's body, as its header carries it. An event without a body has the hash of the empty string.
    package init(hashingBody body: [UInt8]) {
        self.init(hashing: body, domain: Domain.body)
    }

    /// The hash of a body of zero bytes, which an event without a body has too.
    package static let noBody = Bytes32(hashingBody: [])
}

extension EventHeader {
    /// The body of an event that came without one: zero bytes if the header says that there is none, and `nil` if it is
    /// missing. No hash says whether a body of zero bytes travelled (events.md, "Hashes and signatures").
    package var untravelledBody: [UInt8]? {
        switch kind {
        case .link, .delete, .unknown: nil
        default: bodyHash == .noBody ? [] : nil
        }
    }
}

extension ConversationID {
    /// The direct conversation of two identities. Both sides compute the same ID.
    package init(direct a: PeerID, _ b: PeerID) {
        let (first, second) = a < b ? (a, b) : (b, a)
        self.init(value: Bytes32(hashing: first.bytes + second.bytes, domain: Domain.directConversation))
    }
}

/// The signature on a head: over the domain tag and the event's ID. The ID covers all earlier events of the log through
/// the hash chain.
package enum HeadSeal {
    package static func sign(_ id: EventID, with key: SigningKey) -> [UInt8] {
        key.sign([Domain.headSignature] + id.bytes)
    }

    package static func verify(_ signature: [UInt8], of id: EventID, by author: PeerID) -> Bool {
        Ed25519.verify(signature, of: [Domain.headSignature] + id.bytes, by: author.bytes)
    }
}
