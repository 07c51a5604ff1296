import ParlanceRecords
import ParlanceWire

/// What a membership event says by itself (groups.md, "Membership events").
struct PlainChange: Equatable {
    enum Action: Equatable {
        case create(title: String)
        case add, remove, leave, appoint, dismiss

        init?(_ wire: WireMemberAction) {
            switch wire.rawValue {
            case 1: self = .add
            case 2: self = .remove
            case 3: self = .leave
            case 4: self = .appoint
            case 5: self = .dismiss
            default: return nil
            }
        }
    }

    let id: EventID
    let log: LogID
    let sequence: UInt64
    let action: Action
    /// The members that it is about; the author of a departure.
    let subjects: [PeerID]
    /// The last membership events that its author had seen.
    let after: [EventID]
    /// How far logs of those who lose something count.
    let marks: [LogID: UInt64]

    /// - Returns: `nil` for another event, and for one that breaks a rule by itself.
    init?(_ event: StoredEvent) {
        guard let body = event.body, body.count <= Limits.bodyBytes else { return nil }
        (id, log, sequence) = (event.id, event.header.log, event.header.sequence)
        if event.header.kind == .create {
            let own = Bytes32(hashing: log.author.bytes + body, domain: Domain.group)
            guard let create = WireCreateBody(decoding: body), TextRules.isTitle(create.title),
                create.nonce.count == 16,
                let members = Self.members(create.members), members.count < Limits.members,
                ConversationID(value: own) == event.header.conversation
            else { return nil }
            (action, subjects, after, marks) = (.create(title: create.title), members, [], [:])
            return
        }
        guard event.header.kind == .members, let change = WireMembersBody(decoding: body),
            let action = Action(change.action), let members = Self.members(change.members),
            action == .leave ? members.isEmpty : (1...Limits.members).contains(members.count),
            change.after.count <= Limits.membershipParents, change.marks.count <= Limits.membershipMarks
        else { return nil }
        let parents = change.after.compactMap { EventID($0) }
        guard parents.count == change.after.count else { return nil }
        var marks: [LogID: UInt64] = [:]
        for mark in change.marks {
            guard let log = LogID(mark.log), mark.sequence <= Limits.sequence else { return nil }
            marks[log] = mark.sequence
        }
        (self.action, after) = (action, parents)
        subjects = action == .leave ? [log.author] : members
        self.marks = [.remove, .leave, .dismiss].contains(action) ? marks : [:]
    }

    /// - Returns: `nil` if somebody is named twice, or by something that is no ID.
    private static func members(_ wire: [WireMember]) -> [PeerID]? {
        let members = wire.compactMap { PeerID($0.id) }
        return members.count == wire.count && Set(members).count == members.count ? members : nil
    }

    /// The line that shows it.
    var note: GroupNote {
        switch action {
        case .create(let title): .created(title: title, members: subjects)
        case .add: .added(subjects)
        case .remove: .removed(subjects)
        case .leave: .left
        case .appoint: .appointed(subjects)
        case .dismiss: .dismissed(subjects)
        }
    }
}
