import ParlanceSodium
package import ParlanceWire

/// Who is in a group and who may do what: a pure function of the set of membership events (groups.md, "Membership").
///
/// However and in whatever order they came, whoever holds the same events computes the same. They are known by
/// themselves, without the logs they stand in: so an invitation says all, and a removed member can be told.
package struct Membership: Equatable, Sendable {
    /// What somebody has been given or has lost.
    package enum Capability: Hashable, Sendable, CaseIterable {
        case member, admin
    }

    /// A valid event that gave a capability.
    package struct Gain: Equatable, Sendable {
        package let id: EventID
        package let log: LogID
        package let sequence: UInt64
        /// The losses its author had seen: it makes up for these.
        var knows: Set<EventID>
    }

    /// What counts for one identity.
    struct Standing: Equatable, Sendable {
        var gains: [Capability: [Gain]] = [:]
        var losses: [Capability: [MembershipChange]] = [:]

        /// Whether the capability is held now: some gain makes up for every loss.
        func holds(_ capability: Capability) -> Bool {
            let lost = losses[capability] ?? []
            return (gains[capability] ?? []).contains { gain in lost.allSatisfy { gain.knows.contains($0.id) } }
        }
    }

    /// The events as they came, for telling others.
    package private(set) var events: [StoredEvent] = []
    var changes: [EventID: MembershipChange] = [:]
    var valid: Set<EventID> = []
    var standings: [PeerID: Standing] = [:]
    /// Those whose parents are all held, in an order that respects them.
    var evaluated: [EventID] = []
    /// Identities that members have named, whether or not that counts, and the members.
    private var mentioned: Set<PeerID> = []
    package private(set) var title = ""
    /// What those who added them call members.
    package private(set) var names: [PeerID: String] = [:]

    package init() {}

    package init(_ events: [StoredEvent]) {
        insert(events)
    }

    /// Takes in membership events; those that are known or break a rule by themselves are passed over.
    ///
    /// - Returns: the events that are new.
    @discardableResult
    package mutating func insert(_ new: [StoredEvent]) -> [StoredEvent] {
        var taken: [StoredEvent] = []
        for event in new where changes[event.id] == nil && changes.count < Limits.membershipEvents {
            guard let change = MembershipChange(event) else { continue }
            changes[event.id] = change
            events.append(event)
            taken.append(event)
        }
        if !taken.isEmpty {
            evaluate()
            mentioned = Set(standings.filter { $0.value.gains[.member]?.isEmpty == false }.map(\.key))
            for change in changes.values where wasMember(change.log.author) { mentioned.formUnion(change.subjects) }
        }
        return taken
    }

    package func contains(_ id: EventID) -> Bool { changes[id] != nil }

    /// Whether an event counts, all that is held considered.
    package func isValid(_ id: EventID) -> Bool { valid.contains(id) }

    package func isMember(_ peer: PeerID) -> Bool { standings[peer]?.holds(.member) == true }

    package func isAdmin(_ peer: PeerID) -> Bool { isMember(peer) && standings[peer]?.holds(.admin) == true }

    private func wasMember(_ peer: PeerID) -> Bool { standings[peer]?.gains[.member]?.isEmpty == false }

    /// Whether somebody may have written here: is or was a member, or was named by one.
    package func mentions(_ peer: PeerID) -> Bool { mentioned.contains(peer) }

    /// The members now, in the order of their IDs.
    package var members: [PeerID] { standings.keys.filter { isMember($0) }.sorted() }

    /// Everybody who was a member at some time, in the order of their IDs.
    package var everMembers: [PeerID] {
        standings.filter { $0.value.gains[.member]?.isEmpty == false }.map(\.key).sorted()
    }

    /// Whether what an author wrote at a place of a log counts under a capability.
    ///
    /// - Parameter knows: whether that log had named a gain, which stands in another log, by then (groups.md, "Rights").
    package func allows(
        _ capability: Capability,
        _ author: PeerID,
        in log: LogID,
        at sequence: UInt64,
        knows: (Gain) -> Bool
    ) -> Bool {
        guard let standing = standings[author], let gains = standing.gains[capability], !gains.isEmpty else {
            return false
        }
        let open = (standing.losses[capability] ?? []).filter { sequence > $0.mark(of: log) }
        return open.isEmpty
            || gains.contains { gain in
                open.allSatisfy { gain.knows.contains($0.id) }
                    && (gain.log == log ? gain.sequence < sequence : knows(gain))
            }
    }

    /// Whether an author's events need a look: something was taken from them at some time.
    package func hasLost(_ author: PeerID) -> Bool {
        standings[author]?.losses.values.contains { !$0.isEmpty } == true
    }

    /// From where on what its author wrote in a log may not count: the least that somebody who took membership away had seen.
    package func firstMark(of log: LogID) -> UInt64 {
        standings[log.author]?.losses[.member]?.map { $0.mark(of: log) }.min() ?? 0
    }

    /// What ended a membership; `nil` for a member, and for who never was one. A loss that an addition made up for did not; if
    /// there is more than one left, the last that had seen the others.
    package func departure(of peer: PeerID) -> MembershipChange? {
        guard !isMember(peer), let standing = standings[peer] else { return nil }
        let losses = Dictionary((standing.losses[.member] ?? []).map { ($0.id, $0) }) { first, _ in first }
        let mended = (standing.gains[.member] ?? []).reduce(into: Set<EventID>()) { $0.formUnion($1.knows) }
        // Each can be made up for by another addition, and none of these is enough.
        let last = evaluated.last { losses[$0] != nil && !mended.contains($0) } ?? evaluated.last { losses[$0] != nil }
        return last.flatMap { losses[$0] }
    }

    /// The last events, which no other has seen: what a new one names.
    package var frontier: [EventID] {
        var seen: Set<EventID> = []
        for id in evaluated { seen.formUnion(changes[id]?.after ?? []) }
        return evaluated.filter { !seen.contains($0) }.sorted()
    }

    /// The short hash that a `Summary` tells: 8 bytes over the IDs of all that are held.
    package var hash: [UInt8] {
        let ids = changes.keys.sorted().flatMap(\.bytes)
        return Array(Blake2b.hash(Domain.membership, ids).prefix(8))
    }

    mutating func setLabels(title: String, names: [PeerID: String]) {
        self.title = title
        self.names = names
    }
}
