import Foundation
import ParlanceCore
import ParlanceHistory
import ParlanceRecords
import ParlanceWire

/// The membership events of a group in which people write anything, after having seen arbitrary events: no honest node
/// writes such events.
struct MembershipFuzzer {
    private(set) var events: [StoredEvent] = []
    private let people: [PeerID]
    private var group = ConversationID(value: .zero)
    private var sequences: [UInt64]
    private var random: SeededGenerator

    init(of people: [PeerID], seed: UInt64) {
        self.people = people
        random = SeededGenerator(seed: seed)
        sequences = people.map { _ in 0 }
        create()
        for _ in 0..<(4 + below(16)) { writeChange() }
    }

    /// The same events in a random order.
    mutating func shuffled() -> [StoredEvent] {
        var events = events
        for index in events.indices.dropFirst() { events.swapAt(index, below(index + 1)) }
        return events
    }

    private mutating func below(_ bound: Int) -> Int { Int(random.below(Int64(bound))) }

    private mutating func create() {
        var body = WireCreateBody()
        body.nonce = Data((0..<ReplicaID.count).map { _ in UInt8(truncatingIfNeeded: random.next()) })
        body.title = "Quarrel"
        body.members = people.dropFirst().filter { _ in below(4) != 0 }.map { member($0) }
        let bytes = body.encodedBytes()
        group = ConversationID(creator: people[0], creation: bytes)
        append(.create, bytes, by: 0)
    }

    /// Somebody changes the group after having seen arbitrary events.
    private mutating func writeChange() {
        // Mostly by people who have rights.
        let author = below(3) == 0 ? below(people.count) : below(2)
        let actions: [WireMemberAction] = [.add, .add, .remove, .remove, .appoint, .appoint, .dismiss, .leave]
        let action = actions[below(actions.count - (below(3) == 0 ? 0 : 1))]
        let who = action == .leave ? [] : [people[below(people.count)]]
        // The last event so far, or two at random.
        let seen = below(2) == 0 ? [events.count - 1] : [below(events.count), below(events.count)]
        var body = WireMembersBody(action, who, after: Set(seen).sorted().map { events[$0].id })
        for person in people.indices where below(2) == 0 {
            var mark = WireLogMark()
            mark.log = log(of: person).wire
            mark.sequence = UInt64(below(8))
            body.marks.append(mark)
        }
        append(.members, body.encodedBytes(), by: author)
    }

    private func member(_ peer: PeerID) -> WireMember {
        var member = WireMember()
        member.id = Data(peer.bytes)
        return member
    }

    private func log(of person: Int) -> LogID {
        LogID(author: people[person], replica: SimulatedWorld.replica(1, of: person))
    }

    private mutating func append(_ kind: EventKind, _ body: [UInt8], by person: Int) {
        sequences[person] += 1
        let header = EventHeader(
            conversation: group,
            log: log(of: person),
            sequence: sequences[person],
            previous: sequences[person] == 1 ? nil : EventID(value: .zero),
            time: EventTime(raw: UInt64(events.count)),
            dependencies: [],
            kind: kind,
            bodyHash: Bytes32(hashingBody: body)
        )
        let bytes = header.encoded()
        let id = EventID(hashing: bytes)
        events.append(StoredEvent(id: id, header: header, headerBytes: bytes, body: body, signature: nil))
    }
}
