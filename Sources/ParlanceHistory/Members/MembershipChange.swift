package import ParlanceRecords
package import ParlanceWire

/// A parsed membership event (groups.md, "Membership events").
package struct MembershipChange: Equatable, Sendable {
    package enum Action: Equatable, Sendable {
        case create(title: String)
        case add, remove, leave, appoint, dismiss
        /// Only in a charter: an addition that makes up for no removal.
        case admit
        /// Only in a charter: something that is said and gives or takes nothing.
        case note(CharterNote)
    }

    package let id: EventID
    package let log: LogID
    package let sequence: UInt64
    package let time: WrittenTime
    package let action: Action
    /// Those whom the change affects; the author in a departure.
    package let subjects: [PeerID]
    /// The author's names for those it adds.
    package let names: SortedTable<PeerID, String>
    /// The last membership events that the author had seen.
    package let after: [EventID]
    /// For a loss, how far each log of the affected members still counts; a log that is not named does not count at
    /// all.
    package let marks: [LogID: UInt64]
    /// Only in a charter: by which invitation people are admitted.
    package let admission: AdmissionNote?

    /// Parses an event; returns `nil` if it is not a membership event, or breaks a rule by itself.
    package init?(_ event: StoredEvent) {
        guard let body = event.body, body.count <= Limits.bodyBytes else { return nil }
        id = event.id
        log = event.header.log
        sequence = event.header.sequence
        time = event.writtenTime
        admission = nil
        switch event.header.kind {
        case .create:
            guard let create = WireCreateBody(decoding: body), create.title.isTitle,
                create.members.count < Limits.members,
                create.nonce.count == ReplicaID.count,
                ConversationID(creator: log.author, creation: body) == event.header.conversation,
                let members = Self.members(create.members)
            else { return nil }
            action = .create(title: create.title)
            subjects = members.ids
            names = members.names
            after = []
            marks = [:]
        case .members:
            guard let change = WireMembersBody(decoding: body), let action = Action(change.action),
                change.members.count <= Limits.members, let members = Self.members(change.members),
                members.ids.isEmpty == (action == .leave),
                change.after.count <= Limits.membershipParents, let marks = Self.marks(change.marks)
            else { return nil }
            let parents = change.after.compactMap { EventID($0) }
            guard parents.count == change.after.count else { return nil }
            self.action = action
            subjects = action == .leave ? [event.header.log.author] : members.ids
            names = members.names
            after = parents
            self.marks = action.isLoss ? marks : [:]
        default: return nil
        }
    }

    /// An event of a charter, which has no marks and gives no names.
    init(
        charter event: StoredEvent,
        _ action: Action,
        _ subjects: [PeerID],
        after: [EventID],
        _ admission: AdmissionNote? = nil
    ) {
        id = event.id
        log = event.header.log
        sequence = event.header.sequence
        time = event.writtenTime
        self.action = action
        self.subjects = subjects
        self.after = after
        self.admission = admission
        names = [:]
        marks = [:]
    }

    static func members(_ wire: [WireMember]) -> (ids: [PeerID], names: SortedTable<PeerID, String>)? {
        var ids: [PeerID] = []
        var names: [PeerID: String] = [:]
        for member in wire {
            guard let id = PeerID(member.id), names[id] == nil else { return nil }
            ids.append(id)
            names[id] = member.name.withoutControlCharacters.prefix(utf8: Limits.nameBytes)
        }
        return (ids, SortedTable(names))
    }

    private static func marks(_ wire: [WireLogMark]) -> [LogID: UInt64]? {
        guard wire.count <= Limits.membershipMarks else { return nil }
        var marks: [LogID: UInt64] = [:]
        for mark in wire {
            guard let log = LogID(mark.log), mark.sequence <= Limits.sequence else { return nil }
            marks[log] = mark.sequence
        }
        return marks
    }

    /// The last sequence of a log that counts despite this loss. A departure itself always counts.
    package func mark(of other: LogID) -> UInt64 {
        let named = marks[other] ?? 0
        return action == .leave && other == log ? max(named, sequence) : named
    }
}

extension MembershipChange.Action {
    package init?(_ wire: WireMemberAction) {
        switch wire {
        case .add: self = .add
        case .remove: self = .remove
        case .leave: self = .leave
        case .appoint: self = .appoint
        case .dismiss: self = .dismiss
        // In a group, what only a charter knows is what a group has never known.
        case .exclude, .readmit, .admit, .rotate, .policy, .link, .unspecified, .UNRECOGNIZED: return nil
        }
    }

    /// Whether the action takes something from its subjects.
    package var isLoss: Bool { self == .remove || self == .leave || self == .dismiss }
}

extension ConversationID {
    /// The ID of a group: a hash of its creator and the creation's body (groups.md, "Creation"). A group therefore has
    /// only one creation, however often it is written.
    package init(creator: PeerID, creation body: [UInt8]) {
        self.init(value: Bytes32(hashing: creator.bytes + body, domain: Domain.group))
    }
}

extension String {
    /// Whether this can be a group's title: not blank, one line, at most 200 bytes.
    package var isTitle: Bool { !isBlank && utf8.count <= Limits.titleBytes && !hasControlCharacters }
}
