import Foundation
import ParlanceCore
import ParlanceRecords
import ParlanceTestKit
import ParlanceWire

/// Writes the events of one log as its author would; some may break rules.
struct LogWriter {
    let conversation: ConversationID
    let log: LogID
    private(set) var events: [StoredEvent] = []
    var time: UInt64

    init(_ conversation: ConversationID, _ log: LogID, time: UInt64 = 1_760_000_000_000 << 16) {
        self.conversation = conversation
        self.log = log
        self.time = time
    }

    /// The same log as another replica would continue it after its first events.
    func forked(after count: Int, _ random: inout SeededGenerator) -> LogWriter {
        var other = self
        other.events = Array(events.prefix(count))
        other.time = (other.events.last?.header.time.raw ?? time) + UInt64.random(in: 1...1 << 20, using: &random)
        return other
    }

    /// A reference to the last event.
    var reference: EventReference? { reference(to: UInt64(events.count)) }

    func reference(to sequence: UInt64) -> EventReference? {
        guard sequence >= 1, sequence <= events.count else { return nil }
        return EventReference(log: log, sequence: sequence, id: events[Int(sequence) - 1].id)
    }

    @discardableResult
    mutating func say(
        _ text: String,
        after: [EventReference] = [],
        signed: Bool = true,
        to target: EventReference? = nil,
        mentioning peers: [PeerID] = [],
        with files: [FileMention] = []
    ) -> StoredEvent {
        write(.message, text, target, peers, files, after: after, signed: signed)
    }

    @discardableResult
    mutating func edit(
        _ target: EventReference,
        _ text: String,
        after: [EventReference] = [],
        mentioning peers: [PeerID] = []
    ) -> StoredEvent {
        write(.edit, text, target, peers, [], after: after, signed: true)
    }

    private mutating func write(
        _ kind: EventKind,
        _ text: String,
        _ target: EventReference?,
        _ peers: [PeerID],
        _ files: [FileMention],
        after: [EventReference],
        signed: Bool
    ) -> StoredEvent {
        var body = WireMessageBody()
        body.text = text
        body.files = files.map(\.wire)
        body.mentions = peers.map { Data($0.bytes) }
        return append(kind, body: body.encodedBytes(), after: after, signed: signed, target: target)
    }

    @discardableResult
    mutating func delete(_ target: EventReference, after: [EventReference] = []) -> StoredEvent {
        append(.delete, body: [], after: after, target: target)
    }

    @discardableResult
    mutating func react(
        to target: EventReference,
        _ emoji: String,
        removed: Bool = false,
        after: [EventReference] = []
    ) -> StoredEvent {
        var body = WireReactionBody()
        body.emoji = emoji
        body.removed = removed
        return append(.reaction, body: body.encodedBytes(), after: after, target: target)
    }

    /// The body of a creation, from which the group's ID is made.
    static func creation(_ title: String, nonce: [UInt8], members: [PeerID]) -> [UInt8] {
        var body = WireCreateBody()
        body.nonce = Data(nonce)
        body.title = title
        body.members = members.map { $0.wireMember }
        return body.encodedBytes()
    }

    @discardableResult
    mutating func create(_ body: [UInt8]) -> StoredEvent { append(.create, body: body) }

    /// - Parameters:
    ///   - known: the last membership events that its author has seen.
    ///   - marks: how far the logs of those who lose something count.
    @discardableResult
    mutating func change(
        _ action: WireMemberAction,
        _ peers: [PeerID],
        known: [EventID],
        marks: [LogID: UInt64] = [:],
        after: [EventReference] = []
    ) -> StoredEvent {
        var body = WireMembersBody(action, peers, after: known)
        body.marks = marks.sorted { $0.key < $1.key }.map { log, sequence in
            var mark = WireLogMark()
            mark.log = log.wire
            mark.sequence = sequence
            return mark
        }
        return append(.members, body: body.encodedBytes(), after: after)
    }

    @discardableResult
    mutating func rename(_ title: String, after: [EventReference] = []) -> StoredEvent {
        var body = WireTitleBody()
        body.title = title
        return append(.title, body: body.encodedBytes(), after: after)
    }

    @discardableResult
    mutating func topic(_ topic: String, after: [EventReference] = []) -> StoredEvent {
        var body = WireTopicBody()
        body.topic = topic
        return append(.topic, body: body.encodedBytes(), after: after)
    }

    @discardableResult
    mutating func lifetime(_ seconds: UInt64, after: [EventReference] = []) -> StoredEvent {
        var body = WireLifetimeBody()
        body.seconds = seconds
        return append(.lifetime, body: body.encodedBytes(), after: after)
    }

    @discardableResult
    mutating func withdraw(_ sequence: UInt64, after: [EventReference] = []) -> StoredEvent {
        var body = WireWithdrawBody()
        body.sequence = sequence
        return append(.withdraw, body: body.encodedBytes(), after: after)
    }

    @discardableResult
    mutating func append(
        _ kind: EventKind,
        body: [UInt8]?,
        after: [EventReference] = [],
        signed: Bool = true,
        advance: UInt64 = 1 << 16,
        target: EventReference? = nil
    ) -> StoredEvent {
        time += advance
        let header = EventHeader(
            conversation: conversation,
            log: log,
            sequence: UInt64(events.count) + 1,
            previous: events.last?.id,
            time: EventTime(raw: time),
            dependencies: after,
            kind: kind,
            bodyHash: Bytes32(hashingBody: body ?? []),
            target: target
        )
        let bytes = header.encoded()
        let event = StoredEvent(
            id: EventID(hashing: bytes),
            header: header,
            headerBytes: bytes,
            body: body,
            signature: signed ? [UInt8](repeating: UInt8(truncatingIfNeeded: events.count), count: 64) : nil
        )
        events.append(event)
        return event
    }
}

extension PeerID {
    fileprivate var wireMember: WireMember {
        var member = WireMember()
        member.id = Data(bytes)
        return member
    }
}

extension StoredEvent {
    /// How other events refer to it.
    var reference: EventReference { EventReference(log: header.log, sequence: header.sequence, id: id) }

    /// The event from a sender that has dropped its body or never had it.
    var withoutBody: StoredEvent {
        var event = self
        event.body = nil
        return event
    }

    /// The body alone, as it arrives later.
    var found: FoundBody? {
        body.map {
            FoundBody(conversation: header.conversation, log: header.log, sequence: header.sequence, body: $0)
        }
    }
}
