import Foundation
import ParlanceCore
import ParlanceHistory
import ParlanceRecords
import ParlanceWire

/// The owner of a hostile node: makes frames that its engine would never send, and signs them with its identity's key.
///
/// It knows what everybody's disk holds, so what it makes fits as well as it can. What it writes goes into logs of made-up
/// copies of its store, which it remembers; its engine gets them from others.
final class HostileMember {
    let world: SimulatedWorld
    let node: Int
    var random = SeededGenerator(seed: 0)
    /// What it has written for each made-up copy.
    private(set) var chains: [LogKey: [StoredEvent]] = [:]
    /// How many groups it has made, how many forks of its engine's own logs, and how many bytes of large texts.
    var groups = 0
    var ownForks = 0
    var largeBytes = 0
    private var texts = 0

    /// How many copies of its store it makes up: what it writes goes into their logs.
    static let copies = 4
    static let mostGroups = 3
    static let mostOwnForks = 3
    static let mostLargeBytes = 12 << 20

    init(_ world: SimulatedWorld, _ node: Int) {
        (self.world, self.node) = (world, node)
    }

    var own: SimulatedNode { world.nodes[node] }
    var identity: PeerID { own.identity }

    /// Where the next mischief goes: to whom, and in which conversation.
    struct Aim {
        let target: Int
        let place: ConversationID
        /// Of the target, if the conversation is a group.
        let membership: Membership?
    }

    /// A group in which the target has known this node as a member, or their direct conversation.
    func aim(at target: Int, inGroup: Bool) -> Aim {
        let disk = world.nodes[target].disk
        let groups = disk.groups.filter { disk.memberships[$0]?.everMembers.contains(identity) == true }.sorted()
        guard inGroup || random.below(3) != 0, let place = pick(groups) else {
            let place = ConversationID(direct: identity, world.nodes[target].identity)
            return Aim(target: target, place: place, membership: nil)
        }
        return Aim(target: target, place: place, membership: disk.memberships[place])
    }

    func pick<T>(_ items: [T]) -> T? {
        items.isEmpty ? nil : items[Int(random.below(Int64(items.count)))]
    }

    func bytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) } }

    func nobody() -> PeerID { PeerID(bytes(Bytes32.count)) ?? identity }

    func nextText() -> String {
        texts += 1
        return "\(own.name) !\(texts)"
    }

    // Events.

    /// The log of one of the made-up copies.
    func copy(_ number: Int) -> LogID {
        var bytes = [UInt8](repeating: 0xC0 + UInt8(node % 32), count: ReplicaID.count)
        bytes[0] = UInt8(number)
        return LogID(author: identity, replica: ReplicaID(bytes) ?? own.replica)
    }

    /// A log that goes on: not one that waits for ever, or whose times cannot rise any more.
    func anyCopy(in place: ConversationID) -> LogKey {
        LogKey(place, copy(pick([0, 0, Self.forked]) ?? 0))
    }

    static let waiting = 1
    static let forked = 2
    static let late = 3

    /// An event at a place of a log, signed.
    func event(
        after previous: LogPosition,
        of key: LogKey,
        _ kind: EventKind,
        _ body: [UInt8],
        dependencies: [EventReference] = [],
        target: EventReference? = nil,
        time: UInt64? = nil
    ) -> StoredEvent {
        let last = chains[key]?.last?.header.time
        let header = EventHeader(
            conversation: key.conversation,
            log: key.log,
            sequence: previous.sequence + 1,
            previous: previous.sequence == 0 ? nil : previous.head,
            time: time.map { EventTime(raw: $0) }
                ?? EventTime(wallMilliseconds: world.instant(of: node).wall, after: last),
            dependencies: dependencies,
            kind: kind,
            bodyHash: Bytes32(hashingBody: body),
            target: target,
            behind: random.below(20) == 0 ? random.next() >> UInt64(random.below(64)) : 0
        )
        let bytes = header.encoded()
        let id = EventID(hashing: bytes)
        let signature = HeadSeal.sign(id, with: own.signer)
        return StoredEvent(id: id, header: header, headerBytes: bytes, body: body, signature: signature)
    }

    /// Writes the next event of a made-up copy.
    @discardableResult
    func write(
        _ kind: EventKind,
        _ body: [UInt8],
        in key: LogKey,
        dependencies: [EventReference] = [],
        target: EventReference? = nil,
        time: UInt64? = nil
    ) -> StoredEvent {
        let end = chains[key]?.last?.position ?? .start
        let written = event(
            after: end,
            of: key,
            kind,
            body,
            dependencies: dependencies,
            target: target,
            time: time
        )
        chains[key, default: []].append(written)
        return written
    }

    func text(_ text: String) -> [UInt8] {
        var body = WireMessageBody()
        body.text = text
        return body.encodedBytes()
    }

    // Frames.

    func run(_ events: some Sequence<StoredEvent>, in place: ConversationID) -> WireFrame.OneOf_Kind {
        var frame = WireEvents()
        frame.conversation = Data(place.bytes)
        frame.events = events.map(\.wire)
        return .events(frame)
    }

    func invitation(_ events: some Sequence<StoredEvent>, to place: ConversationID) -> WireFrame.OneOf_Kind {
        var frame = WireInvite()
        frame.conversation = Data(place.bytes)
        frame.events = events.map(\.wire)
        return .invite(frame)
    }

    /// What a node lacks of the log of a made-up copy, in runs.
    func runs(of key: LogKey, for target: Int) -> [WireFrame.OneOf_Kind] {
        let held = world.nodes[target].disk.position(of: key).sequence
        var frames: [WireFrame.OneOf_Kind] = []
        var part: [StoredEvent] = []
        var size = 0
        for event in (chains[key] ?? []).dropFirst(Int(held)).prefix(256) {
            if !part.isEmpty, part.count == 32 || size + event.byteCount > Limits.bytesPerHead {
                frames.append(run(part, in: key.conversation))
                (part, size) = ([], 0)
            }
            part.append(event)
            size += event.byteCount
        }
        return part.isEmpty ? frames : frames + [run(part, in: key.conversation)]
    }

    /// Events of others that a node holds in a conversation.
    func others(in aim: Aim, _ kinds: [EventKind] = [.message]) -> [(key: LogKey, event: StoredEvent)] {
        let disk = world.nodes[aim.target].disk
        return disk.logs(of: aim.place).filter { $0.author != identity }.sorted().flatMap { log in
            let key = LogKey(aim.place, log)
            return (disk.logs[key]?.events.suffix(20) ?? []).filter { kinds.contains($0.header.kind) }.map {
                (key, $0)
            }
        }
    }

    func reference(_ found: (key: LogKey, event: StoredEvent)) -> EventReference {
        EventReference(log: found.key.log, sequence: found.event.header.sequence, id: found.event.id)
    }
}
