import Foundation
import ParlanceCore
import ParlanceRecords
import ParlanceWire

// Events of the charter of a workspace (charter.md, "Events", "Who hands on what").
extension HostileMember {
    func framesOfCharters(_ mischief: Mischief, at target: Int) -> [WireFrame.OneOf_Kind] {
        guard let charter = world.nodes[target].disk.workspace?.charter else { return [] }
        let key = LogKey(charter.id, copy(0))
        switch mischief {
        case .voidCharterChanges:
            // What an admin signs may count, and its engine does that.
            guard !charter.isAdmin(identity) else { return [] }
            return frames(of: charter, voidChanges(of: charter, in: key))
        case .charterChangesThatWait:
            let unknown = EventID(bytes(Bytes32.count)) ?? EventID(value: .zero)
            return frames(
                of: charter,
                (0..<32).map { _ in
                    write(
                        .members,
                        change(.admit, [identity], after: [unknown]),
                        in: LogKey(charter.id, copy(Self.waiting))
                    )
                }
            )
        case .forgedCharterChanges:
            // In the name of an admin, signed by this node.
            let author = charter.admins.first ?? nobody()
            let forged = LogKey(charter.id, LogID(author: author, replica: own.replica))
            let body = change(.exclude, [world.nodes[target].identity], after: charter.frontier)
            return frames(of: charter, [event(after: .start, of: forged, .members, body)])
        case .oddCharterEvents: return frames(of: charter, [oddEvent(of: charter, in: key)])
        case .repeatedCharterEvents:
            return Array(repeating: frames(of: charter, Array(charter.events.suffix(64))), count: 10).flatMap { $0 }
        case .endlessCharter:
            // Parts that announce others, and nothing comes.
            return (0..<20).map { _ in
                var frame = self.frame(of: charter.id, hash: bytes(Charter.hashBytes))
                (frame.more, frame.waits) = (true, random.below(2) == 0)
                return .charterEvents(frame)
            }
        default:
            return (0..<20).map { _ in
                let made = ConversationID(bytes(Bytes32.count)) ?? charter.id
                return .charterEvents(frame(of: made, hash: bytes(Charter.hashBytes)))
            }
        }
    }

    /// Changes by one who has no right: each of these would take the workspace away from the others.
    private func voidChanges(of charter: Charter, in key: LogKey) -> [StoredEvent] {
        let others = world.nodes.map(\.identity).filter { $0 != identity }
        let seen = random.below(2) == 0 ? charter.frontier : charter.events.prefix(1).map(\.id)
        var rotation = WireCharterDetails()
        (rotation.number, rotation.keyHash) = (1 + UInt64(random.below(9)), Data(bytes(Bytes32.count)))
        var policy = WireCharterDetails()
        (policy.name, policy.value) = ("admission", "open")
        return (0..<(4 + random.below(60))).map { number in
            let body: [UInt8] =
                switch number % 6 {
                case 0: change(.exclude, others, after: seen)
                case 1: change(.appoint, [identity], after: seen)
                case 2: change(.rotate, [], after: seen, rotation)
                case 3: change(.policy, [], after: seen, policy)
                case 4: change(.readmit, [identity], after: seen)
                default: change(.dismiss, charter.admins, after: seen)
                }
            return write(.members, body, in: key)
        }
    }

    /// An event that breaks a rule by itself: the link ends.
    private func oddEvent(of charter: Charter, in key: LogKey) -> StoredEvent {
        switch random.below(4) {
        case 0: write(.message, text(nextText()), in: key)
        case 1: write(.members, change(.exclude, [], after: charter.frontier), in: key)
        case 2: write(.members, change(.admit, [identity, identity], after: charter.frontier), in: key)
        default: write(.members, bytes(40), in: key)
        }
    }

    private func change(
        _ action: WireMemberAction,
        _ who: [PeerID],
        after: [EventID],
        _ details: WireCharterDetails? = nil
    ) -> [UInt8] {
        var body = WireMembersBody(action, who, after: after.prefix(Limits.membershipParents))
        body.charter = Data(details?.encodedBytes() ?? [])
        return body.encodedBytes()
    }

    private func frame(of charter: ConversationID, hash: [UInt8]) -> WireCharterEvents {
        var frame = WireCharterEvents()
        (frame.charter, frame.hash) = (Data(charter.bytes), Data(hash))
        return frame
    }

    private func frames(of charter: Charter, _ events: [StoredEvent]) -> [WireFrame.OneOf_Kind] {
        var frame = frame(of: charter.id, hash: random.below(2) == 0 ? charter.hash : bytes(Charter.hashBytes))
        frame.events = events.map(\.wire)
        return [.charterEvents(frame)]
    }
}
