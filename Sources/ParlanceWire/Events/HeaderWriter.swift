/// Writes an event header as the general encoder does, which makes an object of each part and takes ten times as long.
struct HeaderWriter {
    private(set) var bytes: [UInt8] = []

    init(_ header: EventHeader) {
        bytes.reserveCapacity(Self.usualBytes + header.dependencies.count * Self.mostReferenceBytes)
        append(0x0A, header.conversation.value)
        append(0x12, header.log)
        append(0x18, header.sequence)
        if let previous = header.previous { append(0x22, previous.value) }
        append(0x29, fixed: header.time.raw)
        for dependency in header.dependencies { append(0x32, dependency) }
        append(0x38, UInt64(bitPattern: Int64(header.kind.number)))
        append(0x42, header.bodyHash)
        if let target = header.target { append(0x4A, target) }
        append(0x50, header.behind)
    }

    /// A header without references.
    private static let usualBytes = 192
    private static let mostReferenceBytes = 101

    private mutating func append(_ tag: UInt8, _ value: Bytes32) {
        bytes.append(tag)
        bytes.append(UInt8(Bytes32.count))
        value.withUnsafeBytes { bytes.append(contentsOf: $0) }
    }

    private mutating func append(_ tag: UInt8, _ log: LogID) {
        bytes.append(tag)
        bytes.append(UInt8(Bytes32.count + ReplicaID.count + 4))
        append(0x0A, log.author.value)
        bytes.append(0x12)
        bytes.append(UInt8(ReplicaID.count))
        bytes.append(contentsOf: log.replica.bytes)
    }

    private mutating func append(_ tag: UInt8, _ reference: EventReference) {
        bytes.append(tag)
        let length = bytes.count
        bytes.append(0)
        append(0x0A, reference.log)
        append(0x10, reference.sequence)
        append(0x1A, reference.id.value)
        // A reference is so short that its length takes one byte.
        bytes[length] = UInt8(bytes.count - length - 1)
    }

    /// A varint; a field of 0 is left out.
    private mutating func append(_ tag: UInt8, _ number: UInt64) {
        guard number != 0 else { return }
        bytes.append(tag)
        bytes.append(varint: number)
    }

    private mutating func append(_ tag: UInt8, fixed number: UInt64) {
        guard number != 0 else { return }
        bytes.append(tag)
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }
}

extension [UInt8] {
    /// Appends a number as protobuf does: seven bits a byte, the lowest first.
    mutating func append(varint number: UInt64) {
        var rest = number
        while rest > 0x7F {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(rest))
    }
}
