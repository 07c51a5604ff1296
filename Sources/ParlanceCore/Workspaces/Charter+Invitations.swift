import ParlanceHistory
package import ParlanceRecords
package import ParlanceWire

// Invitations that admit by themselves (charter.md, "Invitations").
extension Charter {
    /// An invitation as its policy says it, with those who came by it.
    package struct Invitation: Equatable, Sendable {
        /// What the name of its policy begins with; the public key in base32 follows.
        package static let prefix = AdmissionNote.policyPrefix

        package let key: Bytes32
        package let author: PeerID
        package let time: WrittenTime
        /// How many people it admits.
        package let uses: Int
        /// Until when it admits, in milliseconds since 1970.
        package fileprivate(set) var until: Int64
        /// The name of the key that its code bears: that of the last rotation which its author had seen.
        package let codeKey: Bytes32?
        /// Whether somebody was excluded of whose exclusion its author had not known: its code may be in wrong hands, and
        /// stays there if that person is readmitted.
        package let precedesExclusion: Bool
        /// Those who were admitted by it, in the order of their IDs.
        package let admitted: [PeerID]

        /// The public key as text.
        package var text: String { Base32.encode(key.bytes) }
        package var policy: String { Self.prefix + text }
        package var left: Int { max(0, uses - admitted.count) }

        /// Whether it admits somebody at a moment.
        package func stands(at wall: Int64) -> Bool { isOffered(at: wall) && !precedesExclusion }

        /// Whether its author still means it to admit somebody.
        func isOffered(at wall: Int64) -> Bool { left > 0 && wall <= until }

        /// What its policy says.
        package static func value(uses: Int, until: Int64) -> String { "\(uses) \(until)" }
    }
}

extension Charter.Invitation {
    /// - Parameter admitted: those whom events admitted that count and name it.
    init?(_ policy: Charter.Policy, codeKey: Bytes32?, precedesExclusion: Bool, admitted: Set<PeerID>) {
        guard policy.name.isInvitationName, let bytes = Base32.decode(policy.name.dropFirst(Self.prefix.utf8.count)),
            let key = Bytes32(bytes)
        else { return nil }
        let numbers = policy.value.split(separator: " ", omittingEmptySubsequences: false).compactMap { Int64($0) }
        guard numbers.count == 2, (1...Int64(Limits.charterInvitationUses)).contains(numbers[0]), numbers[1] > 0,
            Self.value(uses: Int(numbers[0]), until: numbers[1]) == policy.value
        else { return nil }
        self.key = key
        author = policy.author
        time = policy.time
        uses = Int(numbers[0])
        until = numbers[1]
        self.codeKey = codeKey
        self.precedesExclusion = precedesExclusion
        self.admitted = admitted.sorted()
    }
}

/// An invitation that would still admit somebody but whose code lets nobody in any more, or one that admits nobody any more
/// and that somebody shows who waits.
package struct EndedInvitation: Equatable, Sendable {
    package enum Reason: Equatable, Sendable {
        /// Somebody was excluded after it was made.
        case exclusion
        /// The workspace has had another key for a day.
        case newKey
        /// It has admitted as many people as it was made for.
        case usedUp
        /// Its last moment has passed.
        case expired
    }

    package let invitation: Charter.Invitation
    package let reason: Reason
}

/// What this node knows of the invitation by which its user came, who waits for an admin.
package enum InvitationStanding: Equatable, Sendable {
    /// It lets the user in as soon as an admin's node meets this one.
    case admits
    case ended(EndedInvitation.Reason)
    /// It has let the user in, who is not a member any more: it admits each person once.
    case admitted
    /// The events that have come here make no such invitation: an admin has ended it, or its policy has not come.
    case unknown
}

extension Workspace {
    /// Those of the charter that admit somebody now. One whose code bears a former key ends with that key at the latest.
    func standingInvitations(at wall: Int64) -> [Charter.Invitation] {
        let standing = charter?.invitations.filter { $0.stands(at: wall) && end(of: $0, at: wall) == nil } ?? []
        return standing.map { invitation in
            var shown = invitation
            if let end = endOfKey(invitation, at: wall) { shown.until = min(shown.until, end) }
            return shown
        }
    }

    /// Those of the charter that would admit somebody, but whose codes let nobody in any more.
    func endedInvitations(at wall: Int64) -> [EndedInvitation] {
        charter?.invitations.compactMap { invitation in
            end(of: invitation, at: wall).map { EndedInvitation(invitation: invitation, reason: $0) }
        } ?? []
    }

    /// What is known of the invitation by which this user came; `nil` if the code bore none of this charter.
    ///
    /// - Parameter user: who came by it.
    func ownInvitation(of user: PeerID, at wall: Int64) -> InvitationStanding? {
        guard let charter, let shown = invitation, shown.charter.names(charter.id) else { return nil }
        guard let own = charter.invitations.first(where: { $0.policy == shown.policy }) else { return .unknown }
        if own.admitted.contains(user) { return .admitted }
        if let reason = end(of: own, at: wall) { return .ended(reason) }
        return own.isOffered(at: wall) ? .admits : .ended(own.left == 0 ? .usedUp : .expired)
    }

    /// Why the code of an invitation lets nobody in any more; `nil` if it does, or if the invitation is over anyway.
    private func end(of invitation: Charter.Invitation, at wall: Int64) -> EndedInvitation.Reason? {
        guard invitation.isOffered(at: wall) else { return nil }
        if invitation.precedesExclusion { return .exclusion }
        return endOfKey(invitation, at: wall).map { $0 <= wall } == true ? .newKey : nil
    }

    /// When the key that the code of an invitation bears serves no more; `nil` while it is the newest.
    private func endOfKey(_ invitation: Charter.Invitation, at wall: Int64) -> Int64? {
        guard let charter, let newest, let name = invitation.codeKey, name != newest.hash else { return nil }
        let change: Int64?
        if let key = keys.first(where: { $0.hash == name }) {
            change = key.superseded
        } else {
            // A key that is not held here is a former one, or one that members have not handed over yet. Who became a member
            // after the change of the key knows only from the charter when that was.
            let rank = charter.rank(of: name)
            guard rank < charter.rank(of: newest.hash) else { return nil }
            let next = charter.rotations.dropFirst(max(0, rank)).first
            change = next.map { min($0.time.shown(at: wall), wall) }
        }
        return change.map { $0 + Limits.workspaceKeyServesMilliseconds }
    }
}
