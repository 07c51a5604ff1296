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

    /// How many changes of one admin count. Those that give something and those that take something are counted apart, so
    /// that an admin who has added all that one may add can still remove; departures are not counted.
    struct Share: Equatable, Sendable {
        private var creations = 0
        private var gains = 0
        private var losses = 0

        func hasRoom(for action: MembershipChange.Action) -> Bool {
            switch action {
            case .create: creations < Limits.membershipCreations
            case .add, .appoint: gains < Limits.membershipChanges
            case .remove, .dismiss: losses < Limits.membershipChanges
            case .leave: true
            }
        }

        mutating func count(_ action: MembershipChange.Action) {
            switch action {
            case .create: creations += 1
            case .add, .appoint: gains += 1
            case .remove, .dismiss: losses += 1
            case .leave: break
            }
        }
    }

    /// The events as they came, for telling others.
    package private(set) var events: [StoredEvent] = []
    private(set) var changes: [EventID: MembershipChange] = [:]
    private(set) var valid: Set<EventID> = []
    private(set) var standings: [PeerID: Standing] = [:]
    /// The events whose ancestors are all held, in the order of evaluation.
    private(set) var evaluated: [Seen] = []
    private var evaluatedIDs: Set<EventID> = []
    /// Creators, and everybody whom an evaluated appointment names: nobody else's changes can ever count.
    private var appointed: Set<PeerID> = []
    /// How many changes of each admin count.
    private var shares: [PeerID: Share] = [:]
    /// Identities that members have named in evaluated events, whether or not these count, and the members.
    private(set) var mentioned: Set<PeerID> = []
    /// The members now, in the order of their IDs.
    package private(set) var members: [PeerID] = []
    package private(set) var title = ""
    /// What those who added them call members.
    package private(set) var names: [PeerID: String] = [:]

    package init() {}

    package init(_ events: [StoredEvent]) {
        insert(events)
    }

    /// Takes in membership events. Those that are known, break a rule by themselves, can never count, or are beyond
    /// what is held of their author (groups.md, "What is held") are passed over. Events held so far may be dropped in their
    /// favour.
    ///
    /// - Returns: the events that are new.
    @discardableResult
    package mutating func insert(_ new: [StoredEvent]) -> [StoredEvent] {
        var offered: [StoredEvent] = []
        var all = changes
        for event in new where all[event.id] == nil {
            guard let change = MembershipChange(event), !canNeverCount(change) else { continue }
            all[event.id] = change
            offered.append(event)
        }
        guard !offered.isEmpty else { return [] }
        let evaluation = Evaluation.settled(&all)
        let taken = offered.filter { all[$0.id] != nil }
        // What is not held has no part in the result.
        guard !taken.isEmpty else { return [] }
        events = events.filter { all[$0.id] != nil } + taken
        changes = all
        take(evaluation)
        return taken
    }

    private mutating func take(_ evaluation: Evaluation) {
        valid = evaluation.valid
        standings = evaluation.standings
        members = standings.filter { $0.value.holds(.member) }.map(\.key).sorted()
        evaluated = evaluation.events
        evaluatedIDs = Set(evaluated.map(\.change.id))
        appointed = Set(evaluation.makingAdmin.keys)
        shares = evaluation.shares
        title = evaluation.title
        names = evaluation.names
        mentioned = Set(standings.filter { $0.value.gains[.member]?.isEmpty == false }.map(\.key))
        // What waits names nobody: any member can write what waits for ever.
        for event in evaluated where wasMember(event.change.log.author) { mentioned.formUnion(event.change.subjects) }
    }

    /// Whether an event cannot count, whatever else is held, as far as that is seen without an evaluation. So changes by
    /// somebody who was never appointed cost next to nothing, if all that they name is held. If not, they cost an
    /// evaluation, however many come at once.
    private func canNeverCount(_ change: MembershipChange) -> Bool {
        switch change.action {
        case .create, .leave: false
        case .add, .remove, .appoint, .dismiss:
            !appointed.contains(change.log.author) && change.after.allSatisfy { evaluatedIDs.contains($0) }
        }
    }

    package func contains(_ id: EventID) -> Bool { changes[id] != nil }

    /// Whether an event counts, all that is held considered.
    package func isValid(_ id: EventID) -> Bool { valid.contains(id) }

    package func isMember(_ peer: PeerID) -> Bool {
        var (low, high) = (0, members.count)
        while low < high {
            let middle = (low + high) / 2
            if members[middle] < peer { low = middle + 1 } else { high = middle }
        }
        return low < members.count && members[low] == peer
    }

    /// Whether `members` is what the standings say, for tests.
    var listsItsMembers: Bool { members == standings.filter { $0.value.holds(.member) }.map(\.key).sorted() }

    package func isAdmin(_ peer: PeerID) -> Bool { isMember(peer) && standings[peer]?.holds(.admin) == true }

    private func wasMember(_ peer: PeerID) -> Bool { standings[peer]?.gains[.member]?.isEmpty == false }

    /// Whether somebody may have written here: is or was a member, or was named by one.
    package func mentions(_ peer: PeerID) -> Bool { mentioned.contains(peer) }

    /// Everybody who was a member at some time, in the order of their IDs.
    package var everMembers: [PeerID] {
        standings.filter { $0.value.gains[.member]?.isEmpty == false }.map(\.key).sorted()
    }

    /// What shows somebody that it is a member no more: the events that took that from it, and all that their authors
    /// had seen. What came later is not among them.
    package func farewell(to peer: PeerID) -> [StoredEvent] {
        let told = pasts(of: standings[peer]?.losses[.member] ?? [])
        // Without what came later it may look otherwise: whether a removal counts can depend on that, and the peer may hold
        // an addition that does not count here.
        let additions = evaluated.filter { $0.change.action == .add && $0.change.subjects.contains(peer) }
        let isEnough = !Membership(told).isMember(peer) && !Membership(told + pasts(of: additions)).isMember(peer)
        return isEnough ? told : events
    }

    /// Events, and all that their authors had seen.
    private func pasts(of seen: [Seen]) -> [StoredEvent] {
        var known = Set(seen.map(\.change.id))
        for event in seen { known.formUnion(evaluated.filter { event.knows($0) }.map(\.change.id)) }
        return events.filter { known.contains($0.id) }
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

    /// The last events that count: those that no other one that counts has seen. A new change names them.
    package var frontier: [EventID] { last { _ in true } }

    /// The same without departures: what a departure names. So nobody's departure depends on somebody else's.
    package var frontierForLeaving: [EventID] { last { $0.action != .leave } }

    private func last(_ isNamed: (MembershipChange) -> Bool) -> [EventID] {
        let counting = evaluated.filter { valid.contains($0.change.id) && isNamed($0.change) }
        var seen = PlaceSet(count: evaluated.count)
        for event in counting { seen.formUnion(event.ancestors) }
        return counting.filter { !seen.contains($0.place) }.map(\.change.id).sorted()
    }

    /// Whether one more change by an admin can count.
    func hasRoom(for author: PeerID, _ action: MembershipChange.Action) -> Bool {
        shares[author]?.hasRoom(for: action) ?? true
    }

    /// The short hash that a `Summary` tells: 8 bytes over the IDs of all that are held.
    package var hash: [UInt8] {
        let ids = changes.keys.sorted().flatMap(\.bytes)
        return Array(Blake2b.hash(Domain.membership, ids).prefix(8))
    }
}
