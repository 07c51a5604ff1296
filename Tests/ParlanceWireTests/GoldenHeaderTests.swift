import Foundation
import ParlanceWire
import Testing

/// Headers of the golden files.
@Suite struct GoldenHeaderTests {
    struct Dependency: Decodable, Sendable {
        var author, replica, sequence, id: String
    }

    struct Fields: Decodable, Sendable {
        var conversation, author, replica, sequence, previous, time, bodyHash: String
        var kind: Int
        var dependencies: [Dependency]
        var target: Dependency?
        var behind, written: String?
    }

    struct Header: Decodable, Sendable, CustomTestStringConvertible {
        var name, header: String
        var fields: Fields
        var testDescription: String { name }
    }

    struct Refused: Decodable, Sendable, CustomTestStringConvertible {
        var name, header: String
        var testDescription: String { name }
    }

    @Test(arguments: try GoldenFiles.vectors("header", as: Header.self)) func header(_ vector: Header) throws {
        let bytes = try hex(vector.header)
        let header = try EventHeader(decoding: bytes)
        #expect(try header == expected(vector.fields))
        #expect(header.encoded() == bytes)
        let written = try vector.fields.written.map { try #require(Int64($0)) }
        #expect(header.written == written ?? header.time.milliseconds)
    }

    private func expected(_ fields: Fields) throws -> EventHeader {
        EventHeader(
            conversation: try #require(ConversationID(hex(fields.conversation))),
            log: try log(fields.author, fields.replica),
            sequence: try #require(UInt64(fields.sequence)),
            previous: fields.previous.isEmpty ? nil : try EventID(hex(fields.previous)),
            time: EventTime(raw: try #require(UInt64(fields.time))),
            dependencies: try fields.dependencies.map(reference),
            kind: EventKind(number: fields.kind),
            bodyHash: try #require(Bytes32(hex(fields.bodyHash))),
            target: try fields.target.map(reference),
            behind: try fields.behind.map { try #require(UInt64($0)) } ?? 0
        )
    }

    private func reference(_ other: Dependency) throws -> EventReference {
        EventReference(
            log: try log(other.author, other.replica),
            sequence: try #require(UInt64(other.sequence)),
            id: try #require(EventID(hex(other.id)))
        )
    }

    /// An event waits for a target in another log as it does for a dependency; if both are the same event, it is named
    /// once.
    @Test func aTargetIsAReference() throws {
        let headers = try GoldenFiles.vectors("header", as: Header.self).map {
            try EventHeader(decoding: hex($0.header))
        }
        var answers = 0
        for header in headers {
            guard let target = header.target else {
                #expect(header.references == header.dependencies)
                continue
            }
            answers += 1
            #expect(header.references.contains(target) == (target.log != header.log))
            #expect(Set(header.references).count == header.references.count)
        }
        #expect(answers >= 5)
    }

    private func log(_ author: String, _ replica: String) throws -> LogID {
        LogID(author: try #require(PeerID(hex(author))), replica: try #require(ReplicaID(hex(replica))))
    }

    @Test(arguments: try GoldenFiles.vectors("header-refused", as: Refused.self))
    func refused(_ vector: Refused) throws {
        let bytes = try hex(vector.header)
        #expect(throws: WireError.malformed("event header")) { try EventHeader(decoding: bytes) }
    }

    /// Bytes that are cut off anywhere are never read as the same header.
    @Test(arguments: try GoldenFiles.vectors("header", as: Header.self)) func cutOff(_ vector: Header) throws {
        let bytes = try hex(vector.header)
        let whole = try EventHeader(decoding: bytes)
        for count in 0..<bytes.count {
            #expect((try? EventHeader(decoding: Array(bytes.prefix(count)))) != whole, "cut to \(count)")
        }
    }

    @Test func timesGoForwardAndSaturate() {
        let wall = EventTime(wallMilliseconds: 1_000, after: nil)
        #expect(wall.raw == 1_000 << 16)
        #expect(wall.milliseconds == 1_000)
        #expect(EventTime(wallMilliseconds: 1_000, after: wall).raw == wall.raw + 1, "the same millisecond")
        #expect(EventTime(wallMilliseconds: 10, after: wall).raw == wall.raw + 1, "a clock that went back")
        #expect(EventTime(wallMilliseconds: 1_001, after: wall).raw == 1_001 << 16)
        let full = EventTime(raw: 1_000 << 16 | 0xFFFF)
        #expect(EventTime(wallMilliseconds: 1_000, after: full).milliseconds == 1_001, "the counter runs over")
        #expect(EventTime(wallMilliseconds: -5, after: nil).raw == 0)
        #expect(EventTime(wallMilliseconds: 0, after: EventTime(raw: .max)).raw == .max)
    }

    @Test func aTimeLeadsOverAnEarlierClockOnly() {
        let time = EventTime(raw: 1_000 << 16 | 7)
        for (wall, lead) in [(-5, 1_000), (0, 1_000), (10, 990), (999, 1), (1_000, 0), (.max, 0), (.min, 1_000)]
            as [(Int64, UInt64)]
        {
            #expect(time.lead(overWall: wall) == lead, "\(wall)")
        }
    }
}
