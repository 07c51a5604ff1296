/// An identifier of 32 bytes: one shape, but a type for each kind, so that none is mistaken for another.
package protocol Identifier32: Hashable, Comparable, Sendable, CustomStringConvertible {
    var value: Bytes32 { get }
    init(value: Bytes32)
}

extension Identifier32 {
    /// Accepts exactly 32 bytes; `nil` for any other number.
    package init?(_ bytes: some Collection<UInt8>) {
        guard let value = Bytes32(bytes) else { return nil }
        self.init(value: value)
    }

    package var bytes: [UInt8] { value.bytes }

    /// The text form: 52 base32 characters (identity.md, "Text forms").
    package var text: String { Base32.encode(bytes) }

    package var description: String { String(text.prefix(8)) }

    package static func < (a: Self, b: Self) -> Bool { a.value < b.value }
}

/// The hash of an event's header, which names the event (events.md, "Hashes and signatures").
package struct EventID: Identifier32 {
    package let value: Bytes32
    package init(value: Bytes32) { self.value = value }
}

/// The name of a conversation, computed from the two identities or from a group's creation (events.md,
/// "Conversations").
package struct ConversationID: Identifier32 {
    package let value: Bytes32
    package init(value: Bytes32) { self.value = value }
}

/// The public key of an identity (identity.md).
package struct PeerID: Identifier32 {
    package let value: Bytes32
    package init(value: Bytes32) { self.value = value }
}

/// The public key of a prekey (couriers.md).
package struct PrekeyID: Identifier32 {
    package let value: Bytes32
    package init(value: Bytes32) { self.value = value }
}

/// The hash of an envelope, which names it (couriers.md).
package struct EnvelopeID: Identifier32 {
    package let value: Bytes32
    package init(value: Bytes32) { self.value = value }
}

/// The root of the hashes of a file's chunks, which names the file by its content (files.md, "Leaves and root").
package struct FileID: Identifier32 {
    package let value: Bytes32
    package init(value: Bytes32) { self.value = value }
}

/// The hash of the picture of a person, which names it by its content (contacts.md, "Pictures").
package struct PictureID: Identifier32 {
    package let value: Bytes32
    package init(value: Bytes32) { self.value = value }
}

/// A random 128-bit name of one copy of the store (identity.md, "Replica").
package struct ReplicaID: Hashable, Comparable, Sendable, CustomStringConvertible {
    package static let count = 16
    private let high: UInt64
    private let low: UInt64

    /// Accepts exactly 16 bytes; `nil` for any other number.
    package init?(_ bytes: some Collection<UInt8>) {
        guard bytes.count == Self.count else { return nil }
        var filled: (UInt64, UInt64) = (0, 0)
        withUnsafeMutableBytes(of: &filled) { $0.copyBytes(from: bytes) }
        high = UInt64(bigEndian: filled.0)
        low = UInt64(bigEndian: filled.1)
    }

    package var bytes: [UInt8] {
        withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { Array($0) }
    }

    package var description: String { String(Base32.encode(bytes).prefix(8)) }

    package static func < (a: ReplicaID, b: ReplicaID) -> Bool { (a.high, a.low) < (b.high, b.low) }
}

/// What one replica of one identity wrote in one conversation.
package struct LogID: Hashable, Comparable, Sendable {
    package let author: PeerID
    package let replica: ReplicaID

    package init(author: PeerID, replica: ReplicaID) {
        self.author = author
        self.replica = replica
    }

    package static func < (a: LogID, b: LogID) -> Bool { (a.author, a.replica) < (b.author, b.replica) }
}

/// A position in a log: the sequence of an event and its ID. Sequence 0 is before the first event.
package struct LogPosition: Hashable, Sendable {
    package var sequence: UInt64
    package var head: EventID

    package static let start = LogPosition(sequence: 0, head: EventID(value: .zero))

    package init(sequence: UInt64, head: EventID) {
        self.sequence = sequence
        self.head = head
    }
}
