import ParlanceRecords
import ParlanceWire

/// The stored bytes of an event, each of which a disk may have changed.
struct EventRow: Equatable {
    var id: [UInt8]
    var header: [UInt8]
    var body: [UInt8]?
    var signature: [UInt8]?

    /// Reads `id, header, body, signature` from the columns from `first` on.
    init(_ row: PreparedRow, from first: Int32) {
        id = row.bytes(first)
        header = row.bytes(first + 1)
        body = row.bytesIfAny(first + 2)
        signature = row.bytesIfAny(first + 3)
    }

    /// What examining a row shows.
    enum Finding: Equatable {
        case whole
        /// A bit of it was another one; this is what the row had.
        case restored(EventRow)
        /// The text is not what was written. The rest is, or was restored.
        case textLost(EventRow)
        /// Only a backup has what was written.
        case beyondRepair
    }

    /// Compares each part with the hash or signature that names it: the ID is the hash of the header, the header has the
    /// hash of the body, and the signature is over the ID. A single bit that was changed is found by trying: nothing else
    /// has the same hash.
    func examined() -> Finding {
        var row = self
        guard row.restoreHead(), let id = EventID(row.id), let header = try? EventHeader(decoding: row.header) else {
            return .beyondRepair
        }
        row.restoreSignature(of: id, by: header.log.author)
        guard let body, Bytes32(hashingBody: body) != header.bodyHash else {
            return row == self ? .whole : .restored(row)
        }
        let isRestored = { Bytes32(hashingBody: $0) == header.bodyHash }
        if body.count <= Self.triedBytes, let right = Self.flipped(body, until: isRestored) {
            row.body = right
            return .restored(row)
        }
        guard header.kind == .message || header.kind == .edit else { return .beyondRepair }
        row.body = nil
        return .textLost(row)
    }

    /// Of larger bodies it takes too long to try every bit; others have them.
    private static let triedBytes = 1024

    private mutating func restoreHead() -> Bool {
        let right = EventID(hashing: header)
        guard right.bytes != id else { return true }
        let changed = zip(right.bytes, id).reduce(0) { $0 + ($1.0 ^ $1.1).nonzeroBitCount }
        // Two hashes have half of their bits in common: so near ones are the same hash, and the header is right.
        if id.count == right.bytes.count, changed <= 16 {
            id = right.bytes
            return true
        }
        guard let fixed = Self.flipped(header, until: { [id] in EventID(hashing: $0).bytes == id }) else {
            return false
        }
        header = fixed
        return true
    }

    private mutating func restoreSignature(of id: EventID, by author: PeerID) {
        guard let signature, !HeadSeal.verify(signature, of: id, by: author) else { return }
        // Without one an event is passed on with the next that has one.
        self.signature = Self.flipped(signature) { HeadSeal.verify($0, of: id, by: author) }
    }

    /// The bytes with one bit changed so that they fulfil a condition.
    private static func flipped(_ bytes: [UInt8], until isRight: ([UInt8]) -> Bool) -> [UInt8]? {
        var bytes = bytes
        for index in bytes.indices {
            for bit in 0..<8 {
                bytes[index] ^= 1 << UInt8(bit)
                if isRight(bytes) { return bytes }
                bytes[index] ^= 1 << UInt8(bit)
            }
        }
        return nil
    }
}

/// A row that was read is not what was written: its hash is another one.
struct DamagedEvent: Error {
    /// Where to look; `nil` if the row does not tell.
    var conversation: ConversationID?
}
