/// Reads an event header that is laid out as this program writes it: every field in order, each once.
/// Nearly every header has this layout, and reading it in place takes a tenth of the time of the general decoder, which
/// makes an object of each part. Headers with another layout, valid or not, are left to the general decoder.
struct CanonicalHeader {
    private let bytes: UnsafeRawBufferPointer
    private var offset = 0

    /// - Returns: `nil` if the bytes have another layout.
    static func read(_ bytes: [UInt8]) -> EventHeader? {
        bytes.withUnsafeBytes { bytes in
            var reader = CanonicalHeader(bytes: bytes)
            return reader.header()
        }
    }

    private init(bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
    }

    private mutating func header() -> EventHeader? {
        guard bytes.count <= Limits.headerBytes, skip(0x0A), let conversation = bytes32(), skip(0x12), let log = log(),
            skip(0x18), let sequence = number(), (1...Limits.sequence).contains(sequence)
        else { return nil }
        var previous: EventID?
        if sequence > 1 {
            guard skip(0x22), let hash = bytes32() else { return nil }
            previous = EventID(value: hash)
        }
        guard skip(0x29), let time = fixed64(), let dependencies = dependencies(of: log), skip(0x38),
            let kind = number(),
            (1...0x7F).contains(kind), skip(0x42), let bodyHash = bytes32()
        else { return nil }
        var behind: UInt64 = 0
        if skip(0x50) {
            guard let number = number(), number > 0 else { return nil }
            behind = number
        }
        guard offset == bytes.count else { return nil }
        return EventHeader(
            conversation: ConversationID(value: conversation),
            log: log,
            sequence: sequence,
            previous: previous,
            time: EventTime(raw: time),
            dependencies: dependencies,
            kind: EventKind(number: Int(kind)),
            bodyHash: bodyHash,
            behind: behind
        )
    }

    private mutating func dependencies(of own: LogID) -> [EventReference]? {
        var dependencies: [EventReference] = []
        while skip(0x32) {
            guard dependencies.count < Limits.dependencies, let length = number(), let end = end(of: length),
                skip(0x0A),
                let log = log(), log != own, skip(0x10), let sequence = number(),
                (1...Limits.sequence).contains(sequence), skip(0x1A), let id = bytes32(), offset == end
            else { return nil }
            dependencies.append(EventReference(log: log, sequence: sequence, id: EventID(value: id)))
        }
        return dependencies
    }

    /// A `Log`, preceded by its length.
    private mutating func log() -> LogID? {
        guard skip(0x34), skip(0x0A), let author = bytes32(), skip(0x12), skip(UInt8(ReplicaID.count)),
            let replica = take(ReplicaID.count).flatMap({ ReplicaID($0) })
        else { return nil }
        return LogID(author: PeerID(value: author), replica: replica)
    }

    /// 32 bytes, preceded by their length.
    private mutating func bytes32() -> Bytes32? {
        guard skip(UInt8(Bytes32.count)), let part = take(Bytes32.count) else { return nil }
        return Bytes32(filling: { $0.copyMemory(from: part) })
    }

    private mutating func fixed64() -> UInt64? {
        take(8).map { UInt64(littleEndian: $0.loadUnaligned(as: UInt64.self)) }
    }

    /// A varint of at most 9 bytes, so that nothing overflows.
    private mutating func number() -> UInt64? {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while shift < 63, offset < bytes.count {
            let byte = bytes[offset]
            offset += 1
            value |= UInt64(byte & 0x7F) << shift
            if byte & 0x80 == 0 { return value }
            shift += 7
        }
        return nil
    }

    private func end(of length: UInt64) -> Int? {
        length <= UInt64(bytes.count - offset) ? offset + Int(length) : nil
    }

    private mutating func take(_ count: Int) -> UnsafeRawBufferPointer? {
        guard bytes.count - offset >= count else { return nil }
        defer { offset += count }
        return UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count])
    }

    /// Moves past a byte if it is the next one.
    private mutating func skip(_ byte: UInt8) -> Bool {
        guard offset < bytes.count, bytes[offset] == byte else { return false }
        offset += 1
        return true
    }
}
