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

    /// An event with all that its author had seen: one for all to whom it gives something, or from whom it takes it.
    final class Seen: Equatable, Sendable {
        let change: MembershipChange
        /// In the order of evaluation.
        let place: Int
        let ancestors: PlaceSet

        init(_ change: MembershipChange, place: Int, ancestors: PlaceSet) {
            self.change = change
            self.place = place
            self.ancestors = ancestors
        }

        func knows(_ other: Seen) -> Bool { ancestors.contains(other.place) }

        static func == (a: Seen, b: Seen) -> Bool { a.change.id == b.change.id }
    }

    /// A valid event that gave a capability. It makes up for the losses that its author had seen.
    package struct Gain: Equatable, Sendable {
        let event: Seen
        package var id: EventID { event.change.id }
        package var log: LogID { event.change.log }
        package var sequence: UInt64 { event.change.sequence }
    }

    /// What counts for one identity.
    struct Standing: Equatable, Sendable {
        private(set) var gains: [Capability: [Gain]] = [:]
        private(set) var losses: [Capability: [Seen]] = [:]
        /// Those of which some gain makes up for every loss.
        private var held: Set<Capability> = []
        private var lost: [Capability: PlaceSet] = [:]

        func holds(_ capability: Capability) -> Bool { held.contains(capability) }

        /// - Returns: whether it is held now and was not before.
        mutating func gain(_ capability: Capability, by event: Seen) -> Bool {
            gains[capability, default: []].append(Gain(event: event))
            guard lost[capability].map({ event.ancestors.isSuperset(of: $0) }) ?? true else { return false }
            return held.insert(capability).inserted
        }

        /// No gain that came before knows of this loss.
        ///
        /// - Parameter count: of all events.
        /// - Returns: whether it was held.
        mutating func lose(_ capability: Capability, by event: Seen, of count: Int) -> Bool {
            losses[capability, default: []].append(event)
            lost[capability, default: PlaceSet(count: count)].insert(event.place)
            return held.remove(capability) != nil
        }

        /// The places depend on what else is there, and the rest follows from these.
        static func == (a: Standing, b: Standing) -> Bool { a.gains == b.gains && a.losses == b.losses }
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

    /// What shows somebody that it is a member no more: the events that took that from it, and all that their authors
    /// had seen. What came later is not among them.
    func farewell(to peer: PeerID) -> [StoredEvent] {
        var known: Set<EventID> = []
        for loss in standings[peer]?.losses[.member] ?? [] {
            known.insert(loss.change.id)
            known.formUnion(evaluated.enumerated().filter { loss.ancestors.contains($0.offset) }.map(\.element))
        }
        let told = events.filter { known.contains($0.id) }
        // Without what came later it may look otherwise: whether a removal counts can depend on that.
        return Membership(told).isMember(peer) ? events : told
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
        let open = (standing.losses[capability] ?? []).filter { sequence > $0.change.mark(of: log) }
        return open.isEmpty
            || gains.contains { gain in
                open.allSatisfy { gain.event.knows($0) }
                    && (gain.log == log ? gain.sequence < sequence : knows(gain))
            }
    }

    /// Whether an author's events need a look: something was taken from them at some time.
    package func hasLost(_ author: PeerID) -> Bool {
        standings[author]?.losses.values.contains { !$0.isEmpty } == true
    }

    /// From where on what its author wrote in a log may not count: the least that somebody who took membership away had seen.
    package func firstMark(of log: LogID) -> UInt64 {
        standings[log.author]?.losses[.member]?.map { $0.change.mark(of: log) }.min() ?? 0
    }

    /// What ended a membership; `nil` for a member, and for who never was one. A loss that an addition made up for did not; if
    /// there is more than one left, the last that had seen the others.
    package func departure(of peer: PeerID) -> MembershipChange? {
        guard !isMember(peer), let standing = standings[peer] else { return nil }
        let losses = (standing.losses[.member] ?? []).sorted { $0.place < $1.place }
        let gains = standing.gains[.member] ?? []
        // Each can be made up for by another addition, and none of these is enough.
        let last = losses.last { loss in !gains.contains { $0.event.knows(loss) } } ?? losses.last
        return last?.change
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
