import Foundation
import ParlanceCore
import ParlanceHistory
import ParlanceRecords
import ParlanceSodium
import ParlanceTestKit
import ParlanceWire

/// Writes membership events of a group as any of its people could. Person 0 creates it.
struct MembershipBench {
    let people: [PeerID]
    /// The ID of the first group that is created; another creation makes another group.
    private(set) var group = ConversationID(value: .zero)
    private let nonce = [UInt8](repeating: 7, count: 16)
    private var sequences: [Int: UInt64] = [:]
    private(set) var events: [StoredEvent] = []

    init(people count: Int) throws {
        people = try (0..<count).map { number in
            guard let id = PeerID(SHA256.hash([UInt8(number & 0xFF), UInt8(number >> 8)])) else {
                throw CocoaError(.coderInvalidValue)
            }
            return id
        }
    }

    func log(_ person: Int, _ replica: Int = 0) -> LogID {
        LogID(author: people[person], replica: EngineBench.replica(UInt8(replica)))
    }

    /// - Parameter names: the names of members that are not called `person N`.
    mutating func create(
        _ members: [Int],
        title: String = "Group",
        by person: Int = 0,
        names: [Int: String] = [:]
    ) -> StoredEvent {
        var body = WireCreateBody()
        body.nonce = Data(nonce)
        body.title = title
        body.members = members.map { member($0, names[$0]) }
        let bytes = body.encodedBytes()
        if events.isEmpty { group = ConversationID(creator: people[person], creation: bytes) }
        return append(.create, bytes, by: person)
    }

    mutating func change(
        _ action: WireMemberAction,
        _ who: [Int],
        by person: Int,
        after: [StoredEvent],
        marks: [LogID: UInt64] = [:],
        names: [Int: String] = [:]
    ) -> StoredEvent {
        var body = WireMembersBody(action, after: after.map(\.id))
        body.members = who.map { member($0, names[$0]) }
        body.marks = marks.sorted { $0.key < $1.key }.map { log, sequence in
            var mark = WireLogMark()
            mark.log = log.wire
            mark.sequence = sequence
            return mark
        }
        return append(.members, body.encodedBytes(), by: person)
    }

    /// Leaves room in a log for other events before the next one.
    mutating func advance(_ person: Int, by count: UInt64) { sequences[person, default: 0] += count }

    private func member(_ person: Int, _ name: String?) -> WireMember {
        var member = WireMember()
        member.id = Data(people[person].bytes)
        member.name = name ?? "person \(person)"
        return member
    }

    private mutating func append(_ kind: EventKind, _ body: [UInt8], by person: Int) -> StoredEvent {
        sequences[person, default: 0] += 1
        let event = event(kind, body, by: person, at: sequences[person, default: 0])
        events.append(event)
        return event
    }

    /// An event that a person could have written at a position of its log.
    func event(_ kind: EventKind, _ body: [UInt8], by person: Int, at sequence: UInt64) -> StoredEvent {
        let header = EventHeader(
            conversation: group,
            log: log(person),
            sequence: sequence,
            previous: sequence == 1 ? nil : EventID(value: .zero),
            time: EventTime(raw: sequence),
            dependencies: [],
            kind: kind,
            bodyHash: Bytes32(hashingBody: body)
        )
        let bytes = header.encoded()
        return StoredEvent(
            id: EventID(hashing: bytes),
            header: header,
            headerBytes: bytes,
            body: body,
            signature: [UInt8](repeating: 0, count: 64)
        )
    }
}
