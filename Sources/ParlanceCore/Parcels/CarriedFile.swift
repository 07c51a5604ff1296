import FoundationEssentials
import ParlanceRecords
package import ParlanceSodium
package import ParlanceWire

/// A file that lies sealed beside the parcels on a stick, as a parcel tells of it (carry.md, "Sealed files").
package struct CarriedFile: Equatable, Sendable {
    package var file: FileID
    /// Bytes of the file.
    package var size: UInt64
    package var key: SealedFileKey
    /// 0 to `Limits.sealedFileSlots` - 1.
    package var slot: Int

    package init(file: FileID, size: UInt64, key: SealedFileKey, slot: Int) {
        (self.file, self.size, self.key, self.slot) = (file, size, key, slot)
    }

    /// - Returns: `nil` for what breaks a limit.
    package init?(_ wire: WireCarriedFile) {
        guard let file = FileID(wire.file), let key = SealedFileKey([UInt8](wire.key)), wire.size <= Limits.fileBytes,
            wire.slot < Limits.sealedFileSlots
        else { return nil }
        self.init(file: file, size: wire.size, key: key, slot: Int(wire.slot))
    }

    package var wire: WireCarriedFile {
        var wire = WireCarriedFile()
        wire.file = Data(file.bytes)
        wire.size = size
        wire.key = Data(key.bytes)
        wire.slot = UInt32(clamping: slot)
        return wire
    }

    /// The name of the sealed file. It tells nobody who does not know both identities whose it is.
    package static func name(from author: PeerID, to recipient: PeerID, slot: Int) -> String {
        let bytes = author.bytes + recipient.bytes + UInt64(clamping: slot).bigEndianBytes
        return "parlance-" + Base32.encode(Bytes32(hashing: bytes, domain: Domain.sealedFileName).bytes)
    }
}

/// The key of one sealed file.
package struct SealedFileKey: Equatable, Sendable, CustomStringConvertible, CustomReflectable {
    /// 32 bytes. They never stand in a log.
    package let bytes: [UInt8]

    /// - Returns: `nil` unless there are 32 bytes.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == SecretStream.keyByteCount else { return nil }
        self.bytes = bytes
    }

    /// With what the sealed file begins: author and recipient tell by it whether this is the file that they look for,
    /// without reading the rest.
    package var mark: [UInt8] { Bytes32(hashing: bytes, domain: Domain.sealedFileMark).bytes }

    package var secret: SecretBytes { SecretBytes(copying: bytes, placement: .heap) }

    package var description: String { "\(Self.self)" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

/// Of what an author makes the keys of the sealed files for one recipient: the same as long as both have the same keys of
/// the day, so that what lies on a stick already need not be written again (carry.md, "Packing files").
package struct SealedFileSecret: Equatable, Sendable, CustomStringConvertible, CustomReflectable {
    private let bytes: [UInt8]

    /// - Parameters:
    ///   - own: the author's key of the day.
    ///   - theirs: the recipient's key of the day.
    /// - Returns: `nil` if that is no valid key.
    package init?(_ own: X25519KeyPair, _ theirs: [UInt8], from author: PeerID, to recipient: PeerID) {
        guard let shared = try? own.sharedSecret(with: theirs) else { return nil }
        let context = own.publicKey + theirs + author.bytes + recipient.bytes
        bytes = shared.withBytes {
            Bytes32(hashing: Array($0) + context, domain: Domain.sealedFileSecret).bytes
        }
    }

    package func key(of file: FileID, size: UInt64) -> SealedFileKey? {
        let all = bytes + file.bytes + size.bigEndianBytes
        return SealedFileKey(Bytes32(hashing: all, domain: Domain.sealedFileKey).bytes)
    }

    package var description: String { "\(Self.self)" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
