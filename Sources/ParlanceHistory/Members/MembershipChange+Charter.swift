package import ParlanceRecords
package import ParlanceWire

/// What an event of a charter says without giving or taking anything (charter.md, "Events").
package enum CharterNote: Equatable, Sendable {
    /// Names the key that is to be used from now on.
    ///
    /// - Parameter number: for people; no rule depends on it.
    case rotate(number: UInt64, key: Bytes32, isAutomatic: Bool)
    case policy(name: String, value: String)
    /// Only names events, so that a later event does not have to.
    case link

    /// The key that a rotation names.
    var key: Bytes32? { if case .rotate(_, let key, _) = self { key } else { nil } }
}

/// What an event that admits says beside the people: by which invitation they came (charter.md, "Invitations").
package struct AdmissionNote: Equatable, Sendable {
    /// What the name of an invitation's policy begins with; the public key in base32 follows.
    package static let policyPrefix = "invite_"

    /// The name of the invitation's policy.
    package let invitation: String
    /// A node wrote it by itself.
    package let isAutomatic: Bool

    package init(invitation: String, isAutomatic: Bool) {
        (self.invitation, self.isAutomatic) = (invitation, isAutomatic)
    }
}

extension ConversationID {
    /// The ID of a charter: a hash of its creator and of the creation's body (charter.md, "Creation").
    package init(creator: PeerID, charter body: [UInt8]) {
        self.init(value: Bytes32(hashing: creator.bytes + body, domain: Domain.charter))
    }
}

extension MembershipChange {
    /// Parses an event of a charter; returns `nil` if it is none, or breaks a rule by itself.
    package static func inCharter(_ event: StoredEvent) -> MembershipChange? {
        guard let body = event.body, body.count <= Limits.charterBodyBytes,
            event.headerBytes.count <= Limits.charterHeaderBytes, event.header.dependencies.isEmpty,
            event.header.target == nil
        else { return nil }
        return switch event.header.kind {
        case .create: MembershipChange(charter: event, creation: body)
        case .members: MembershipChange(charter: event, change: body)
        default: nil
        }
    }

    private init?(charter event: StoredEvent, creation body: [UInt8]) {
        guard let create = WireCreateBody(decoding: body), create.title.isTitle, create.members.isEmpty,
            create.nonce.count == ReplicaID.count,
            ConversationID(creator: event.header.log.author, charter: body) == event.header.conversation
        else { return nil }
        self.init(charter: event, .create(title: create.title), [], after: [])
    }

    private init?(charter event: StoredEvent, change body: [UInt8]) {
        guard let change = WireMembersBody(decoding: body), let action = Action(charter: change),
            change.members.count <= Limits.charterPeople, let members = Self.members(change.members),
            members.ids.isEmpty == action.isNote, change.after.count <= Limits.charterParents
        else { return nil }
        let parents = change.after.compactMap { EventID($0) }
        guard parents.count == change.after.count else { return nil }
        self.init(charter: event, action, members.ids, after: parents, AdmissionNote(change))
    }
}

extension AdmissionNote {
    /// `nil` if the change says no such thing. Nothing depends on it but how often an invitation was used.
    fileprivate init?(_ change: WireMembersBody) {
        guard change.action == .admit, !change.charter.isEmpty,
            let details = MembershipChange.Action.details(change), details.name.isInvitationName
        else { return nil }
        invitation = details.name
        isAutomatic = details.automatic
    }
}

extension MembershipChange.Action {
    fileprivate init?(charter change: WireMembersBody) {
        switch change.action {
        case .appoint: self = .appoint
        case .dismiss: self = .dismiss
        case .exclude: self = .remove
        case .readmit: self = .add
        case .admit: self = .admit
        case .link: self = .note(.link)
        case .rotate:
            guard let details = Self.details(change), (1...Limits.sequence).contains(details.number),
                let key = Bytes32(details.keyHash)
            else { return nil }
            self = .note(.rotate(number: details.number, key: key, isAutomatic: details.automatic))
        case .policy:
            guard let details = Self.details(change), details.name.isPolicyName, details.value.isPolicyValue else {
                return nil
            }
            self = .note(.policy(name: details.name, value: details.value))
        case .add, .remove, .leave, .unspecified, .UNRECOGNIZED: return nil
        }
    }

    fileprivate static func details(_ change: WireMembersBody) -> WireCharterDetails? {
        WireCharterDetails(decoding: Array(change.charter))
    }

    fileprivate var isNote: Bool { if case .note = self { true } else { false } }
}

extension String {
    /// Whether a policy of this name is an invitation, or would be if the rest of it were right.
    package var isInvitationName: Bool { isPolicyName && hasPrefix(AdmissionNote.policyPrefix) }

    /// Whether this can name a policy: lower-case letters, digits and underscores.
    package var isPolicyName: Bool {
        !isEmpty && utf8.count <= Limits.charterPolicyNameBytes
            && utf8.allSatisfy { byte in
                (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                    || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "_")
            }
    }

    /// Whether this can be the value of a policy: one line, or nothing.
    package var isPolicyValue: Bool { utf8.count <= Limits.charterPolicyValueBytes && !hasControlCharacters }
}
