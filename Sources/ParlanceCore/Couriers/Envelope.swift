import FoundationEssentials
import ParlanceRecords
package import ParlanceSodium
package import ParlanceWire

// Envelopes: sealed to a prekey of the recipient, opened with its secret (couriers.md, "Envelope").
extension WireEnvelope {
    /// Seals a run for a peer.
    ///
    /// - Parameter ephemeral: 32 secret bytes, used only for this envelope.
    /// - Returns: `nil` if a key is invalid (a point of low order).
    package static func seal(
        _ run: WireEvents,
        to recipient: PeerID,
        prekey: [UInt8],
        oneTime: [UInt8],
        ephemeral: SecretBytes,
        expires: Int64
    ) -> WireEnvelope? {
        seal(
            run.encodedBytes(),
            to: recipient,
            prekey: prekey,
            oneTime: oneTime,
            ephemeral: ephemeral,
            expires: expires
        )
    }

    /// Seals bytes for a peer: a run, or what a parcel carries.
    package static func seal(
        _ content: [UInt8],
        to recipient: PeerID,
        prekey: [UInt8],
        oneTime: [UInt8],
        ephemeral: SecretBytes,
        expires: Int64
    ) -> WireEnvelope? {
        guard let pair = try? X25519KeyPair(secret: ephemeral) else {
            broken("the ephemeral secret has 32 bytes")
            return nil
        }
        var envelope = WireEnvelope()
        envelope.recipient = Data(recipient.bytes)
        envelope.prekey = Data(prekey)
        envelope.oneTime = Data(oneTime)
        envelope.ephemeral = Data(pair.publicKey)
        envelope.expires = UInt64(clamping: expires)
        guard let first = try? pair.sharedSecret(with: prekey) else { return nil }
        var second: SecretBytes?
        if !oneTime.isEmpty {
            guard let shared = try? pair.sharedSecret(with: oneTime) else { return nil }
            second = shared
        }
        let sealed = XChaCha20Poly1305.encrypt(
            content,
            ad: envelope.associatedData,
            nonce: noNonce,
            key: envelope.key(first, second)
        )
        envelope.sealed = Data(sealed)
        return envelope
    }

    /// Opens an envelope with the secrets that it was sealed to.
    ///
    /// - Returns: `nil` if they do not fit, or if the content is not a run.
    package func open(prekey: OwnPrekey, oneTime: OwnPrekey?) -> WireEvents? {
        unseal(prekey: prekey, oneTime: oneTime).flatMap { WireEvents(decoding: $0) }
    }

    /// Returns the bytes that were sealed; `nil` if the secrets do not fit.
    package func unseal(prekey: OwnPrekey, oneTime: OwnPrekey?) -> [UInt8]? {
        let from = [UInt8](ephemeral)
        guard let first = try? prekey.pair.sharedSecret(with: from) else { return nil }
        var second: SecretBytes?
        if let oneTime {
            guard let shared = try? oneTime.pair.sharedSecret(with: from) else { return nil }
            second = shared
        }
        return XChaCha20Poly1305.decrypt(
            [UInt8](sealed),
            ad: associatedData,
            nonce: Self.noNonce,
            key: key(first, second)
        )
    }

    /// The hash of everything in the envelope.
    package var id: EnvelopeID {
        EnvelopeID(
            value: Bytes32(
                hashing: associatedData + [UInt8](oneTime) + [UInt8](ephemeral) + [UInt8](sealed),
                domain: Domain.envelope
            )
        )
    }

    /// Whether its fields have valid lengths.
    var isWellFormed: Bool {
        recipient.count == Bytes32.count && prekey.count == Bytes32.count && ephemeral.count == Bytes32.count
            && (oneTime.isEmpty || oneTime.count == Bytes32.count)
            && sealed.count > XChaCha20Poly1305.tagByteCount && sealed.count <= Limits.envelopeBytes
            && expires <= UInt64(Int64.max)
    }

    private var associatedData: [UInt8] { [UInt8](recipient) + [UInt8](prekey) + expires.bigEndianBytes }

    /// A constant nonce is safe: each key seals one envelope.
    private static let noNonce = [UInt8](repeating: 0, count: XChaCha20Poly1305.nonceByteCount)

    private func key(_ first: SecretBytes, _ second: SecretBytes?) -> SecretBytes {
        let context = [UInt8](ephemeral) + [UInt8](prekey) + [UInt8](oneTime) + [UInt8](recipient)
        let secondCount = second?.count ?? 0
        let input = SecretBytes(count: first.count + secondCount + context.count, placement: .heap) { target in
            first.withBytes { target.copyBytes(from: $0) }
            second?.withBytes {
                UnsafeMutableRawBufferPointer(rebasing: target[first.count...]).copyBytes(from: $0)
            }
            UnsafeMutableRawBufferPointer(rebasing: target[(first.count + secondCount)...]).copyBytes(from: context)
        }
        return SecretBytes(count: XChaCha20Poly1305.keyByteCount, placement: .heap) { target in
            input.withBytes { Blake2b.hash(Domain.envelopeKey, bytes: $0, into: target) }
        }
    }
}
