package import ParlanceHistory
package import ParlanceRecords
package import ParlanceWire

/// Who may do what in a workspace, and which keys it has: a pure function of a set of signed events (charter.md).
///
/// Nodes that hold the same events compute the same, whatever the order of arrival. The evaluation is that of a group's
/// membership with the rules of a charter.
package struct Charter: Equatable, Sendable {
    package let id: ConversationID
    private var result: Result

    /// What follows from the events, computed once. It is a class because a charter is copied far more often than it
    /// changes.
    private final class Result: Equatable, Sendable {
        let membership: Membership
        let rotations: [Rotation]
        let policies: [Policy]
        let admission: Admission
        let hash: [UInt8]
        let invitations: [Invitation]

        init(_ membership: Membership) {
            self.membership = membership
            let counting = membership.evaluated.filter { membership.isValid($0.change.id) }
            rotations = counting.compactMap { Rotation($0.change) }
            policies = Policy.inForce(after: counting.map(\.change))
            admission = Admission(policies)
            hash = membership.hash
            invitations = Self.invitations(policies, counting, membership)
            invariant(Set(rotations.map(\.key)).count == rotations.count, "no two rotations name one key")
            invariant(Set(policies.map(\.name)).count == policies.count, "a policy is in force once")
            invariant(
                invitations.allSatisfy { membership.isAdmin($0.author) },
                "an invitation in force is one of an admin"
            )
        }

        /// Those whose authors are admins: an invitation ends with the right of its author.
        private static func invitations(
            _ policies: [Policy],
            _ counting: [Membership.Seen],
            _ membership: Membership
        ) -> [Invitation] {
            let standing = policies.filter { $0.name.isInvitationName && membership.isAdmin($0.author) }
            guard !standing.isEmpty else { return [] }
            var admitted: [String: Set<PeerID>] = [:]
            for change in counting.map(\.change) {
                if let name = change.admission?.invitation { admitted[name, default: []].formUnion(change.subjects) }
            }
            let exclusions = membership.exclusions
            let rotations = counting.compactMap { event in Rotation(event.change).map { (event, $0.key) } }
            let ids = Set(standing.map(\.id))
            let written = counting.filter { ids.contains($0.change.id) }.map { ($0.change.id, $0) }
            let events = Dictionary(uniqueKeysWithValues: written)
            return standing.compactMap { policy in
                guard let event = events[policy.id] else {
                    broken("a policy in force is an event that counts")
                    return nil
                }
                return Invitation(
                    policy,
                    codeKey: rotations.last { event.knows($0.0) }?.1,
                    precedesExclusion: !exclusions.allSatisfy { event.knows($0) },
                    admitted: admitted[policy.name] ?? []
                )
            }
        }

        static func == (a: Result, b: Result) -> Bool { a.membership == b.membership }
    }

    private var membership: Membership { result.membership }

    /// - Parameter bounds: those of charter.md, which all nodes use.
    package init(id: ConversationID, bounds: CharterBounds = CharterBounds()) {
        self.id = id
        result = Result(Membership(rules: .charter(bounds)))
    }

    /// Inserts events whose signatures are verified. Ignores events of another charter and those that a group's
    /// membership would ignore (`Membership.insert`). Insert all that a peer tells together: then two nodes that told each
    /// other everything hold the same.
    ///
    /// - Returns: the events that are new. Even if there are none, some that were held may not be held any more.
    @discardableResult
    package mutating func insert(_ events: [StoredEvent]) -> [StoredEvent] {
        var changed = membership
        let new = changed.insert(events.filter { $0.header.conversation == id })
        if !new.isEmpty || changed.events.count != membership.events.count { result = Result(changed) }
        return new
    }

    /// The events that are held, for telling others.
    package var events: [StoredEvent] { membership.events }

    package func contains(_ id: EventID) -> Bool { membership.contains(id) }

    package func counts(_ id: EventID) -> Bool { membership.isValid(id) }

    /// The length of `hash`.
    package static let hashBytes = 8

    /// A short hash of all events that are held.
    package var hash: [UInt8] { result.hash }

    /// The name that its creator gave the workspace; empty while the creation is not held.
    package var title: String { membership.title }

    // People.

    /// The admins, in the order in which they became it: nobody takes the right from those before them.
    package var admins: [PeerID] { membership.seniority.filter { isAdmin($0) } }

    package func isAdmin(_ peer: PeerID) -> Bool { membership.isAdmin(peer) }

    /// Whether somebody is an admin who became it before somebody else, who can take nothing from them.
    package func isSenior(_ peer: PeerID, to other: PeerID) -> Bool {
        peer != other && isAdmin(peer) && membership.seniority.first { $0 == peer || $0 == other } == peer
    }

    /// Whether there is room for these in the list of those who ever became admins.
    func mayAppoint(_ peers: [PeerID]) -> Bool {
        Set(membership.seniority).union(peers).count <= Limits.charterAdmins
    }

    /// In the order of their IDs.
    package var excluded: [PeerID] { membership.standings.keys.filter { isExcluded($0) } }

    package func isExcluded(_ peer: PeerID) -> Bool { !membership.exclusions(of: peer).isEmpty }

    /// Those whom an admin let in and nobody excludes, in the order of their IDs.
    package var admitted: [PeerID] { Array(membership.members) }

    /// Whether an admin let somebody in and nobody excludes it.
    package func isAdmitted(_ peer: PeerID) -> Bool { membership.isMember(peer) }

    /// Whether somebody who holds the key is a member.
    package func isMember(_ peer: PeerID) -> Bool {
        !isExcluded(peer) && (admission == .open || membership.isMember(peer))
    }

    /// The events that excluded somebody who is excluded now, in the order of the evaluation.
    package func exclusions(of peer: PeerID) -> [EventID] {
        membership.exclusions(of: peer).sorted { $0.place < $1.place }.map(\.change.id)
    }

    /// Who excluded somebody last who is excluded now; `nil` if somebody is not.
    package func excluder(of peer: PeerID) -> PeerID? {
        guard let exclusion = exclusions(of: peer).last else { return nil }
        return entries.first { $0.change.id == exclusion }?.change.log.author
    }

    /// What shows somebody that it is excluded: the exclusions, and all that their authors had seen.
    package func farewell(to peer: PeerID) -> [StoredEvent] {
        let exclusions = membership.exclusions(of: peer).sorted { $0.place < $1.place }
        return exclusions.isEmpty ? [] : membership.pasts(of: exclusions)
    }

    // Changes.

    /// The last events that count: a new one names them, unless a link has to come first.
    package var frontier: [EventID] { membership.frontier }

    /// What a link has to name before anything else is written; `nil` if a change can name all of the frontier itself.
    package var nextLink: [EventID]? {
        let last = frontier
        return last.count > Limits.charterParents ? Array(last.prefix(Limits.charterParents)) : nil
    }

    /// Whether one more change by an admin can count, as far as the admin's share decides it.
    package func hasRoom(for author: PeerID, _ action: MembershipChange.Action) -> Bool {
        membership.hasRoom(for: author, action)
    }

    /// The events that are evaluated, in the order of depth and ID.
    package var entries: [Entry] {
        membership.evaluated.map { event in
            let id = event.change.id
            return Entry(change: event.change, counts: counts(id), spared: membership.spared[id] ?? [])
        }
    }

    /// One event and its outcome.
    package struct Entry: Equatable, Sendable {
        package let change: MembershipChange
        package let counts: Bool
        /// Of those from whom it would take something, the ones whom seniority shields from its author, in its order.
        package let spared: [PeerID]
    }
}

// Keys (charter.md, "Key in use").
extension Charter {
    /// A rotation that counts.
    package struct Rotation: Equatable, Sendable {
        package let id: EventID
        package let author: PeerID
        package let time: WrittenTime
        package let number: UInt64
        package let key: Bytes32
        package let isAutomatic: Bool
    }

    /// The newest last. No two name one key.
    package var rotations: [Rotation] { result.rotations }

    /// How new a key is: the greater, the newer. 0: no rotation names it, so somebody joined with it; less: only
    /// rotations name it that do not count.
    package func rank(of key: Bytes32) -> Int {
        if let place = rotations.lastIndex(where: { $0.key == key }) { return place + 1 }
        return membership.evaluated.contains { Rotation($0.change)?.key == key } ? -1 : 0
    }

    package func rotation(to key: Bytes32) -> Rotation? { rotations.last { $0.key == key } }

    /// The rotation whose key a node uses; `nil` if it holds none of the keys, and uses the one with which it joined.
    ///
    /// - Parameter held: the names of the keys that it holds.
    package func newest(among held: Set<Bytes32>) -> Rotation? { rotations.last { held.contains($0.key) } }

    /// The excluded who may have been given a key: somebody who named it had not seen that they are excluded. Whoever
    /// copied a rotation has named its key too. If there are any excluded who may have the key in use, an admin's node
    /// names another one.
    ///
    /// - Parameter key: the key in use; one that no rotation names may be in anybody's hands.
    package func exposed(by key: Bytes32) -> [PeerID] {
        let naming = membership.evaluated.filter { event in
            Rotation(event.change)?.key == key
                && (counts(event.change.id) || membership.copies.contains(event.change.id))
        }
        return excluded.filter { peer in
            membership.exclusions(of: peer).contains { loss in naming.isEmpty || naming.contains { !$0.knows(loss) } }
        }
    }
}

extension Charter.Rotation {
    fileprivate init?(_ change: MembershipChange) {
        guard case .note(.rotate(let number, let key, let isAutomatic)) = change.action else { return nil }
        id = change.id
        author = change.log.author
        time = change.time
        self.number = number
        self.key = key
        self.isAutomatic = isAutomatic
    }
}

// Policies (charter.md, "Policies").
extension Charter {
    /// A setting that an admin suggests.
    package struct Policy: Equatable, Sendable {
        /// The event that says it.
        package let id: EventID
        package let author: PeerID
        package let time: WrittenTime
        package let name: String
        package let value: String
    }

    /// Whether every holder of the key is a member, or only those whom an admin let in.
    package enum Admission: String, Sendable { case open, approve }

    /// The policies in force, by name.
    package var policies: [Policy] { result.policies }

    package var admission: Admission { result.admission }

    /// The invitations in force, by name, whether or not they are over or used up.
    package var invitations: [Invitation] { result.invitations }
}

extension Charter.Policy {
    /// The last of each name, by name, without those that are withdrawn.
    fileprivate static func inForce(after changes: [MembershipChange]) -> [Self] {
        var last: [String: Self] = [:]
        for change in changes {
            guard case .note(.policy(let name, let value)) = change.action else { continue }
            last[name] = Self(id: change.id, author: change.log.author, time: change.time, name: name, value: value)
        }
        return last.values.filter { !$0.value.isEmpty }.sorted { $0.name < $1.name }
    }
}

extension Charter.Admission {
    /// The name of the policy that says it.
    package static let policy = "admission"

    /// - Parameter value: that of the policy; empty if there is none.
    init(saying value: String) { self = value.isEmpty || value == Self.open.rawValue ? .open : .approve }

    fileprivate init(_ policies: [Charter.Policy]) {
        self.init(saying: policies.first { $0.name == Self.policy }?.value ?? "")
    }
}

extension Membership {
    /// In a charter: what excludes somebody who is excluded; nothing if somebody is not.
    fileprivate func exclusions(of peer: PeerID) -> [Seen] { standings[peer].map { $0[.member].standingLosses } ?? [] }

    /// In a charter: all events that exclude somebody, whether or not that person was readmitted.
    fileprivate var exclusions: [Seen] { standings.values.flatMap { $0[.member].losses } }
}

extension Membership.Standing {
    /// The losses for which no gain makes up.
    fileprivate var standingLosses: [Membership.Seen] { isHeld ? [] : losses }
}
