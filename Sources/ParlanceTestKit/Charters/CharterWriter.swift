import Foundation
package import ParlanceCore
package import ParlanceHistory
package import ParlanceRecords
import ParlanceSodium
package import ParlanceWire

/// Writes signed events of a charter as any of its people could. Person 0 creates it.
package struct CharterWriter {
    package let people: [PeerID]
    private let keys: [SigningKey]
    /// The charter of the first creation.
    package private(set) var id = ConversationID(value: .zero)
    package private(set) var events: [StoredEvent] = []
    private var sequences: [Int: UInt64] = [:]
    private let start: Int64

    /// - Parameter start: when the first event is written, in milliseconds since 1970; each next one a second later.
    package init(people count: Int, start: Int64 = 0) throws {
        self.start = start
        keys = try (1...count).map { number in
            let seed = (0..<32).map { _ in UInt8(truncatingIfNeeded: number) }
            return try SigningKey(seed: SecretBytes(copying: seed))
        }
        people = keys.compactMap { PeerID($0.publicKey) }
    }

    package var charter: Charter { charter(CharterBounds()) }

    /// The charter of all events.
    package func charter(_ bounds: CharterBounds) -> Charter {
        var charter = Charter(id: id, bounds: bounds)
        charter.insert(events)
        return charter
    }

    /// The name of a key of 32 equal bytes.
    package static func key(_ number: UInt8) -> Bytes32 {
        WorkspaceKey(secret: SecretBytes(copying: [UInt8](repeating: number, count: 32))).hash
    }

    package mutating func create(title: String = "Ship", members: [Int] = [], by person: Int = 0) -> StoredEvent {
        var body = WireCreateBody()
        body.nonce = Data(repeating: 7, count: 16)
        body.title = title
        body.members = members.map(member)
        let bytes = body.encodedBytes()
        if events.isEmpty { id = ConversationID(creator: people[person], charter: bytes) }
        return append(.create, bytes, by: person)
    }

    package mutating func change(
        _ action: WireMemberAction,
        _ who: [Int] = [],
        by person: Int,
        after: [StoredEvent],
        _ details: WireCharterDetails? = nil
    ) -> StoredEvent {
        change(action, who.map { people[$0] }, by: person, after: after.map(\.id), details?.encodedBytes() ?? [])
    }

    /// - Parameter details: the bytes of the field `charter`.
    package mutating func change(
        _ action: WireMemberAction,
        _ who: [PeerID],
        by person: Int,
        after: [EventID],
        _ details: [UInt8]
    ) -> StoredEvent {
        var body = WireMembersBody(action, who, after: after)
        body.charter = Data(details)
        return append(.members, body.encodedBytes(), by: person)
    }

    package mutating func rotate(
        to key: UInt8,
        number: UInt64 = 1,
        by person: Int,
        after: [StoredEvent]
    ) -> StoredEvent {
        var details = WireCharterDetails()
        details.number = number
        details.keyHash = Data(Self.key(key).bytes)
        return change(.rotate, by: person, after: after, details)
    }

    package mutating func policy(
        _ name: String,
        _ value: String,
        by person: Int,
        after: [StoredEvent]
    ) -> StoredEvent {
        var details = WireCharterDetails()
        details.name = name
        details.value = value
        return change(.policy, by: person, after: after, details)
    }

    private func member(_ person: Int) -> WireMember {
        var member = WireMember()
        member.id = Data(people[person].bytes)
        return member
    }

    package mutating func append(_ kind: EventKind, _ body: [UInt8], by person: Int) -> StoredEvent {
        let sequence = sequences[person, default: 0] + 1
        sequences[person] = sequence
        let header = EventHeader(
            conversation: id,
            log: LogID(author: people[person], replica: SimulatedWorld.replica(1, of: person)),
            sequence: sequence,
            previous: sequence == 1 ? nil : EventID(value: .zero),
            time: EventTime(raw: UInt64(start) << 16 + UInt64(events.count + 1) << 26),
            dependencies: [],
            kind: kind,
            bodyHash: Bytes32(hashingBody: body)
        )
        let bytes = header.encoded()
        let id = EventID(hashing: bytes)
        let signature = HeadSeal.sign(id, with: keys[person])
        let event = StoredEvent(id: id, header: header, headerBytes: bytes, body: body, signature: signature)
        events.append(event)
        return event
    }
}
