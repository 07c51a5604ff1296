import Testing

@testable import ParlanceWire

/// Headers of the greatest size, and with one byte more.
@Suite struct HeaderLimitTests {
    private static func header(dependencies count: Int = 0, sequence: UInt64 = 2) throws -> EventHeader {
        func log(_ number: Int) throws -> LogID {
            let replica = try #require(ReplicaID([UInt8](repeating: UInt8(number), count: ReplicaID.count)))
            return LogID(author: PeerID(value: .zero), replica: replica)
        }
        return EventHeader(
            conversation: ConversationID(value: .zero),
            log: try log(0),
            sequence: sequence,
            previous: EventID(value: .zero),
            time: EventTime(raw: 1),
            dependencies: try (0..<count).map {
                EventReference(log: try log($0 + 1), sequence: 1, id: EventID(value: .zero))
            },
            kind: .message,
            bodyHash: .zero
        )
    }

    private static func reads(_ bytes: [UInt8]) -> Bool { (try? EventHeader(decoding: bytes)) != nil }

    @Test func dependencies() throws {
        #expect(Self.reads(try Self.header(dependencies: Limits.dependencies).encoded()))
        #expect(!Self.reads(try Self.header(dependencies: Limits.dependencies + 1).encoded()))
    }

    @Test func sequence() throws {
        #expect(Self.reads(try Self.header(sequence: Limits.sequence).encoded()))
        #expect(!Self.reads(try Self.header(sequence: Limits.sequence + 1).encoded()))
        #expect(!Self.reads(try Self.header(sequence: .max).encoded()))
    }

    /// Padded with a field that a later version may have (number 100, of bytes).
    @Test func headerBytes() throws {
        let header = try Self.header().encoded()
        for (size, isTaken) in [(Limits.headerBytes, true), (Limits.headerBytes + 1, false)] {
            let content = size - header.count - 4
            let tag: [UInt8] = [0xA2, 0x06, UInt8(content & 0x7F) | 0x80, UInt8(content >> 7)]
            let bytes = header + tag + [UInt8](repeating: 0, count: content)
            #expect(bytes.count == size && Self.reads(bytes) == isTaken)
        }
    }
}
