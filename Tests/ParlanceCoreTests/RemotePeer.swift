import Foundation
import ParlanceCore
import ParlanceRecords
import ParlanceSodium
import ParlanceTestKit
import ParlanceWire
import Testing

/// The other side of a link, played by the test: it says what the test wants, true or not.
struct RemotePeer {
    let key: SigningKey
    let identity: PeerID
    var replica: ReplicaID
    var epoch: UInt64 = 1
    var host: String
    /// The events that it has written.
    private(set) var log: [StoredEvent] = []

    init(_ number: UInt8 = 2, replica: UInt8 = 0x42) throws {
        key = try EngineBench.key(number)
        identity = try EngineBench.peer(number)
        self.replica = EngineBench.replica(replica)
        host = "10.0.0.\(number)"
    }

    var logID: LogID { LogID(author: identity, replica: replica) }

    func conversation(with other: PeerID) -> ConversationID { ConversationID(direct: identity, other) }

    /// The row of a node that has accepted it.
    func record(_ trust: Trust = .accepted, name: String? = "Bob") -> PeerRecord {
        var record = PeerRecord(id: identity)
        record.trust = trust
        record.announcedName = name ?? ""
        record.pinnedName = trust == .unknown ? nil : name
        return record
    }

    /// Writes a message, which is signed as a head unless the caller decides otherwise.
    @discardableResult
    mutating func write(
        _ text: String,
        to other: PeerID,
        kind: EventKind = .message,
        time: UInt64? = nil,
        isHead: Bool = true,
        after: [EventReference] = [],
        in group: ConversationID? = nil
    ) -> StoredEvent {
        var body = WireMessageBody()
        body.text = text
        let place = group ?? conversation(with: other)
        return append(body.encodedBytes(), in: place, kind: kind, time: time, isHead: isHead, after: after)
    }

    /// Withdraws one of its messages.
    @discardableResult
    mutating func withdraw(_ sequence: UInt64, to other: PeerID) -> StoredEvent {
        var body = WireWithdrawBody()
        body.sequence = sequence
        return append(
            body.encodedBytes(),
            in: conversation(with: other),
            kind: .withdraw,
            time: nil,
            isHead: true
        )
    }

    @discardableResult
    mutating func append(
        _ bytes: [UInt8],
        in conversation: ConversationID,
        kind: EventKind = .message,
        time: UInt64? = nil,
        isHead: Bool = true,
        after: [EventReference] = []
    ) -> StoredEvent {
        let header = EventHeader(
            conversation: conversation,
            log: logID,
            sequence: UInt64(log.count) + 1,
            previous: log.last?.id,
            time: EventTime(raw: time ?? (1_700_000_000_000 + UInt64(log.count)) << 16),
            dependencies: after,
            kind: kind,
            bodyHash: Bytes32(hashingBody: bytes)
        )
        let encoded = header.encoded()
        let id = EventID(hashing: encoded)
        let event = StoredEvent(
            id: id,
            header: header,
            headerBytes: encoded,
            body: bytes,
            signature: isHead ? HeadSeal.sign(id, with: key) : nil
        )
        log.append(event)
        return event
    }

    /// Writes a change of a group's members, whether or not it has the right.
    mutating func change(
        _ action: WireMemberAction,
        _ who: [PeerID] = [],
        names: String = "",
        after: [StoredEvent],
        in group: ConversationID
    ) -> StoredEvent {
        var body = WireMembersBody(action, who, after: after.map(\.id))
        for index in body.members.indices { body.members[index].name = names }
        return append(body.encodedBytes(), in: group, kind: .members)
    }

    // Frames.

    func hello(_ name: String = "Bob", port: UInt32 = 4747, activity: WireActivity = .online) -> WireFrame.OneOf_Kind {
        var hello = WireHello()
        hello.purpose = .main
        hello.name = name
        hello.presence.activity = activity
        hello.listeningPort = port
        hello.frameLimit = 262_144
        return .hello(hello)
    }

    func summary(of conversations: [(ConversationID, Clock)]) -> WireFrame.OneOf_Kind {
        var summary = WireSummary()
        summary.entries = conversations.map { conversation, clock in
            var entry = WireSummary.Entry()
            entry.conversation = Data(conversation.bytes)
            entry.clockHash = Data(clock.hash)
            return entry
        }
        return .summary(summary)
    }

    func clock(_ conversation: ConversationID, _ clock: Clock) -> WireFrame.OneOf_Kind {
        var frame = WireClock()
        frame.conversation = Data(conversation.bytes)
        frame.entries = clock.wire
        return .clock(frame)
    }

    func have(_ conversation: ConversationID, _ clock: Clock) -> WireFrame.OneOf_Kind {
        var frame = WireHave()
        frame.conversation = Data(conversation.bytes)
        frame.entries = clock.wire
        return .have(frame)
    }

    func events(_ conversation: ConversationID, _ run: some Sequence<StoredEvent>) -> WireFrame.OneOf_Kind {
        var frame = WireEvents()
        frame.conversation = Data(conversation.bytes)
        frame.events = run.map(\.wire)
        return .events(frame)
    }

    func invite(_ conversation: ConversationID, _ events: some Sequence<StoredEvent>) -> WireFrame.OneOf_Kind {
        var frame = WireInvite()
        frame.conversation = Data(conversation.bytes)
        frame.events = events.map(\.wire)
        return .invite(frame)
    }

    func want(_ conversation: ConversationID, _ log: LogID, after: UInt64) -> WireFrame.OneOf_Kind {
        var frame = WireWant()
        frame.conversation = Data(conversation.bytes)
        frame.log = log.wire
        frame.after = after
        return .want(frame)
    }

    func typing(_ conversation: ConversationID) -> WireFrame.OneOf_Kind {
        var frame = WireTyping()
        frame.conversation = Data(conversation.bytes)
        return .typing(frame)
    }

    func request(_ preview: String = "hello") -> WireFrame.OneOf_Kind {
        var frame = WireContactRequest()
        frame.event = Data(repeating: 9, count: 32)
        frame.preview = preview
        return .contactRequest(frame)
    }

    func answer(to other: PeerID, accepted: Bool = true, by signer: SigningKey? = nil) -> WireFrame.OneOf_Kind {
        var frame = WireContactAnswer()
        frame.from = Data(identity.bytes)
        frame.to = Data(other.bytes)
        frame.accepted = accepted
        frame.time = 5
        let signed = [0x08] + identity.bytes + other.bytes + [accepted ? 1 : 0] + UInt64(5).bigEndianBytes
        frame.signature = Data((signer ?? key).sign(signed))
        return .contactAnswer(frame)
    }

    func readMark(_ event: StoredEvent, by signer: SigningKey? = nil) -> WireFrame.OneOf_Kind {
        marks([mark(event, by: signer)], in: event.header.conversation)
    }

    /// A watermark: how far it has received or read a log.
    func mark(_ event: StoredEvent, level: WireWatermark.Level = .read, by signer: SigningKey? = nil) -> WireWatermark {
        let conversation = event.header.conversation
        var mark = WireWatermark()
        mark.member = Data(identity.bytes)
        mark.replica = Data(replica.bytes)
        mark.log = event.header.log.wire
        mark.sequence = event.header.sequence
        mark.head = Data(event.id.bytes)
        mark.level = level
        return signed(mark, in: conversation, by: signer)
    }

    /// The watermark with a signature over its present contents.
    func signed(_ mark: WireWatermark, in conversation: ConversationID, by signer: SigningKey? = nil) -> WireWatermark {
        var signed: [UInt8] = [0x07] + conversation.bytes + [UInt8](mark.member) + [UInt8](mark.replica)
        signed += [UInt8](mark.log.author) + [UInt8](mark.log.replica)
        signed += mark.sequence.bigEndianBytes + [UInt8](mark.head) + [mark.level == .read ? 2 : 1]
        var mark = mark
        mark.signature = Data((signer ?? key).sign(signed))
        return mark
    }

    func marks(_ entries: [WireWatermark], in conversation: ConversationID) -> WireFrame.OneOf_Kind {
        var frame = WireWatermarks()
        frame.conversation = Data(conversation.bytes)
        frame.entries = entries
        return .watermarks(frame)
    }

    func refuse(_ conversation: ConversationID, _ code: WireRefusalCode) -> WireFrame.OneOf_Kind {
        var frame = WireRefuse()
        frame.conversation = Data(conversation.bytes)
        frame.code = code
        return .refuse(frame)
    }

    func bye(_ reason: WireByeReason) -> WireFrame.OneOf_Kind {
        var frame = WireBye()
        frame.reason = reason
        return .bye(frame)
    }
}

extension EngineBench {
    /// Waits for the next dial and opens a link with the peer for it.
    mutating func dial(_ link: UInt64, to remote: RemotePeer) throws {
        for _ in 0..<40 where effects.allSatisfy({ if case .dial = $0 { false } else { true } }) { pass(10_000) }
        opened(link, with: remote, dial: try #require(takeDials().first).dial)
    }

    /// Opens a link with an accepted peer and their direct conversation on it.
    mutating func open(_ link: UInt64, with remote: RemotePeer, theirs: Clock = Clock()) {
        opened(link, with: remote)
        received(remote.hello(), on: link)
        received(remote.summary(of: [(remote.conversation(with: identity), theirs)]), on: link)
        received(remote.clock(remote.conversation(with: identity), theirs), on: link)
    }
}
