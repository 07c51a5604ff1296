package import ParlanceRecords
import ParlanceSodium
package import ParlanceWire

/// The members of a group and their rights: a pure function of the set of membership events
/// (groups.md, "Membership events").
///
/// Two nodes that hold the same events compute the same result, whatever the order of arrival. The events can be
/// checked without the logs that contain them, so an invitation carries everything needed, and a removed member can be
/// told.
package struct Membership: Equatable, Sendable {
    /// A role that events give and take away.
    package enum Capability: Hashable, Sendable, CaseIterable {
        case member, admin
    }

    /// An event with everything that its author had seen. All standings that it affects share one instance.
    package final class Seen: Equatable, Sendable {
        package let change: MembershipChange
        /// The place in the order of evaluation.
        package let place: Int
        let ancestors: PlaceSet

        init(_ change: MembershipChange, place: Int, ancestors: PlaceSet) {
            self.change = change
            self.place = place
            self.ancestors = ancestors
        }

        package func knows(_ other: Seen) -> Bool { ancestors.contains(other.place) }

        package static func == (a: Seen, b: Seen) -> Bool { a.change.id == b.change.id }
    }

    /// A valid event that gave a capability. It makes up for the losses that its author had seen.
    package struct Gain: Equatable, Sendable {
        let event: Seen
        /// Whether it makes up for losses. Only in a charter there are gains that do not.
        let lifts: Bool
        package var id: EventID { event.change.id }
        package var log: LogID { event.change.log }
        package var sequence: UInt64 { event.change.sequence }

        /// Whether it makes up for all of some losses.
        func makesUp(for losses: PlaceSet) -> Bool {
            lifts ? event.ancestors.isSuperset(of: losses) : losses.isEmpty
        }
    }

    /// The gains and losses of one capability of one identity that count.
    package struct Standing: Equatable, Sendable {
        private(set) var gains: [Gain] = []
        package private(set) var losses: [Seen] = []
        /// Whether some gain makes up for every loss.
        package private(set) var isHeld = false
        private var lost: PlaceSet?

        /// Whether the capability was held at some time.
        var wasHeld: Bool { !gains.isEmpty }

        /// - Returns: whether the capability is held now and was not before.
        mutating func gain(by event: Seen, lifts: Bool) -> Bool {
            let gain = Gain(event: event, lifts: lifts)
            gains.append(gain)
            guard !isHeld, lost.map({ gain.makesUp(for: $0) }) ?? true else { return false }
            isHeld = true
            return true
        }

        /// Records a loss. No earlier gain can have seen it, so the capability is no longer held.
        ///
        /// - Parameter count: the number of all events.
        /// - Returns: whether it was held.
        mutating func lose(by event: Seen, of count: Int) -> Bool {
            defer { isHeld = false }
            losses.append(event)
            var places = lost ?? PlaceSet(count: count)
            places.insert(event.place)
            lost = places
            return isHeld
        }

        /// Places depend on which other events are held, and `isHeld` and `lost` follow from gains and losses: neither
        /// is compared.
        package static func == (a: Standing, b: Standing) -> Bool { a.gains == b.gains && a.losses == b.losses }
    }

    /// The standings of one identity.
    package struct Standings: Equatable, Sendable {
        private var member = Standing()
        private var admin = Standing()

        package subscript(capability: Capability) -> Standing {
            get { capability == .member ? member : admin }
            _modify { if capability == .member { yield &member } else { yield &admin } }
        }
    }

    /// The events as received, for telling others.
    package private(set) var events: [StoredEvent] = []
    /// Whether these are the events of a group or of a charter.
    let rules: MembershipRules
    private(set) var changes: [EventID: MembershipChange] = [:]
    private(set) var valid: Set<EventID> = []
    package private(set) var standings: SortedTable<PeerID, Standings> = [:]
    /// The events whose ancestors are all held, in the order of evaluation.
    package private(set) var evaluated: [Seen] = []
    private var evaluatedIDs: Set<EventID> = []
    /// Creators, and all whom an evaluated appointment names: nobody else's changes can ever count.
    private var appointed: Set<PeerID> = []
    /// Everybody who was an admin at some time, in the order in which they became it.
    package private(set) var seniority: [PeerID] = []
    /// In a charter, the rotations that would count if no other one named the same key.
    package private(set) var copies: Set<EventID> = []
    /// In a charter, those whom seniority shielded from a loss, by its event, in the order of the event.
    package private(set) var spared: [EventID: [PeerID]] = [:]
    /// How many changes of each admin count.
    private var shares: [PeerID: Share] = [:]
    /// Members, and identities that members have named in evaluated events, whether or not those count.
    package private(set) var mentioned: SortedSet<PeerID> = []
    /// The present members, in the order of their IDs.
    package private(set) var members: SortedSet<PeerID> = []
    package private(set) var title = ""
    /// The names that members were given by those who added them.
    package private(set) var names: SortedTable<PeerID, String> = [:]

    package init(rules: MembershipRules = .group) {
        self.rules = rules
    }

    package init(_ events: [StoredEvent]) {
        self.init()
        insert(events)
    }

    /// Inserts membership events. Ignores events that are known, break a rule by themselves, can never count, or exceed
    /// what is held of their author (groups.md, "What is held"). May drop events held so far in favour of new ones.
    ///
    /// - Returns: the events that are new.
    @discardableResult
    package mutating func insert(_ new: [StoredEvent]) -> [StoredEvent] {
        var offered: [StoredEvent] = []
        var all = changes
        for var event in new where all[event.id] == nil {
            guard let change = rules.change(event), !canNeverCount(change) else { continue }
            // It counts by itself, whoever sent it and wherever it is held.
            (event.via, event.branch) = (nil, nil)
            all[event.id] = change
            offered.append(event)
        }
        guard !offered.isEmpty else { return [] }
        let evaluation = Evaluation.settled(&all, rules)
        let taken = offered.filter { all[$0.id] != nil }
        // In a group the result is unchanged without a new event. In a charter go by all that was there together, so that
        // two nodes that tell each other everything drop the same.
        guard !taken.isEmpty || rules.isCharter && all.count < changes.count else { return [] }
        events = events.filter { all[$0.id] != nil } + taken
        changes = all
        take(evaluation)
        return taken
    }

    private mutating func take(_ evaluation: Evaluation) {
        valid = evaluation.valid
        standings = evaluation.standings
        members = standings.filter { $0.value[.member].isHeld }.keys
        evaluated = evaluation.events
        evaluatedIDs = Set(evaluated.map(\.change.id))
        appointed = Set(evaluation.makingAdmin.keys)
        copies = evaluation.copies
        spared = evaluation.spared
        shares = evaluation.shares
        title = evaluation.title
        names = evaluation.names
        seniority = evaluation.admins
        mentioned = everMembers
        // Waiting events are left out: any member can write events that wait for ever.
        for event in evaluated where wasMember(event.change.log.author) { mentioned.formUnion(event.change.subjects) }
    }

    /// Whether an event cannot count, whatever else is held, as far as can be told without an evaluation. This makes
    /// changes by identities that were never appointed cheap, if all that they name is held. Otherwise they cost one
    /// evaluation for all that arrive together.
    private func canNeverCount(_ change: MembershipChange) -> Bool {
        switch change.action {
        case .create, .leave: false
        case .add, .remove, .appoint, .dismiss, .admit, .note:
            !appointed.contains(change.log.author) && change.after.allSatisfy { evaluatedIDs.contains($0) }
        }
    }

    package func contains(_ id: EventID) -> Bool { changes[id] != nil }

    /// Whether an event counts, given everything that is held.
    package func isValid(_ id: EventID) -> Bool { valid.contains(id) }

    package func isMember(_ peer: PeerID) -> Bool { members.contains(peer) }

    /// Whether `members` agrees with the standings, for tests.
    package var listsItsMembers: Bool { members == standings.filter { $0.value[.member].isHeld }.keys }

    package func isAdmin(_ peer: PeerID) -> Bool { isMember(peer) && standings[peer]?[.admin].isHeld == true }

    private func wasMember(_ peer: PeerID) -> Bool { standings[peer]?[.member].wasHeld == true }

    /// Whether somebody may have written here: a present or former member, or somebody named by one.
    package func mentions(_ peer: PeerID) -> Bool { mentioned.contains(peer) }

    /// Everybody who was a member at some time, in the order of their IDs.
    package var everMembers: SortedSet<PeerID> { standings.filter { $0.value[.member].wasHeld }.keys }

    /// The events that show somebody that it is not a member: those that removed it or whoever added it, and all that
    /// their authors had seen. Later events are left out if the others suffice.
    package func farewell(to peer: PeerID) -> [StoredEvent] {
        let additions = evaluated.filter { $0.change.action == .add && $0.change.subjects.contains(peer) }
        let held = pasts(of: additions)
        // Whether a removal counts can depend on later events, and the peer may hold an addition that does not count here.
        func isEnough(_ told: [StoredEvent]) -> Bool {
            !Membership(told).isMember(peer) && !Membership(told + held).isMember(peer)
        }
        let removals = standings[peer]?[.member].losses ?? []
        let told = pasts(of: removals)
        if isEnough(told) { return told }
        // Somebody whose addition does not count is shown what its author had lost.
        let authors = additions.filter { !valid.contains($0.change.id) }.compactMap { standings[$0.change.log.author] }
        let losses = authors.flatMap { author in Capability.allCases.flatMap { author[$0].losses } }
        let more = pasts(of: removals + losses)
        // What waits for another event shows nothing.
        return isEnough(more) ? more : events.filter { evaluatedIDs.contains($0.id) }
    }

    /// Events, and everything that their authors had seen.
    package func pasts(of seen: [Seen]) -> [StoredEvent] {
        var known = Set(seen.map(\.change.id))
        for event in seen { known.formUnion(evaluated.filter { event.knows($0) }.map(\.change.id)) }
        return events.filter { known.contains($0.id) }
    }

    /// Whether what an author wrote at a sequence of a log counts under a capability.
    ///
    /// - Parameter knows: whether that log had named a gain, which stands in another log, by then
    ///   (groups.md, "Rights of what is written").
    package func allows(
        _ capability: Capability,
        _ author: PeerID,
        in log: LogID,
        at sequence: UInt64,
        knows: (Gain) -> Bool
    ) -> Bool {
        guard let standing = standings[author]?[capability], standing.wasHeld else { return false }
        let open = standing.losses.filter { sequence > $0.change.mark(of: log) }
        return open.isEmpty
            || standing.gains.contains { gain in
                open.allSatisfy { gain.event.knows($0) }
                    && (gain.log == log ? gain.sequence < sequence : knows(gain))
            }
    }

    /// Whether an author's events have to be checked because it has lost a capability at some time.
    package func hasLost(_ author: PeerID) -> Bool {
        standings[author].map { standing in Capability.allCases.contains { !standing[$0].losses.isEmpty } } ?? false
    }

    /// The sequence after which events in a log may not count: the least that somebody who removed the author had seen.
    package func firstMark(of log: LogID) -> UInt64 {
        standings[log.author]?[.member].losses.map { $0.change.mark(of: log) }.min() ?? 0
    }

    /// The event that ended a membership; `nil` for a member, and for somebody who never was one. Skips losses that an
    /// addition made up for. If several remain, returns the last in the order of evaluation.
    package func departure(of peer: PeerID) -> MembershipChange? {
        guard !isMember(peer), let standing = standings[peer]?[.member] else { return nil }
        let losses = standing.losses.sorted { $0.place < $1.place }
        // All losses may be made up for by different additions, while no single addition makes up for all of them.
        let last = losses.last { loss in !standing.gains.contains { $0.event.knows(loss) } } ?? losses.last
        return last?.change
    }

    /// What ended a user's own membership: the departure that the user has written, if no addition has seen it, or else
    /// `departure`. It need not count, because others removed the user meanwhile; if that turns out not to count, it does.
    package func end(of user: PeerID) -> MembershipChange? {
        guard !isMember(user) else { return nil }
        let gains = standings[user]?[.member].gains ?? []
        let left = evaluated.last { event in
            event.change.action == .leave && event.change.log.author == user
                && !gains.contains { $0.event.knows(event) }
        }
        return left?.change ?? departure(of: user)
    }

    /// The events that ended the membership of all former members, each once, in the order of their IDs.
    package var departures: [EventID] {
        let former = standings.keys.filter { wasMember($0) && !isMember($0) }
        return Set(former.compactMap { departure(of: $0)?.id }).sorted()
    }

    /// The last events that count: those that no other counting event has seen. A new change names them.
    package var frontier: [EventID] { last { _ in true } }

    /// The frontier without departures. A departure names it, so no departure depends on another one.
    package var frontierForLeaving: [EventID] { last { $0.action != .leave } }

    private func last(_ isNamed: (MembershipChange) -> Bool) -> [EventID] {
        let counting = evaluated.filter { valid.contains($0.change.id) && isNamed($0.change) }
        var seen = PlaceSet(count: evaluated.count)
        for event in counting { seen.formUnion(event.ancestors) }
        return counting.filter { !seen.contains($0.place) }.map(\.change.id).sorted()
    }

    /// Whether one more change by an admin can count.
    package func hasRoom(for author: PeerID, _ action: MembershipChange.Action) -> Bool {
        shares[author]?.hasRoom(for: action, rules) ?? true
    }

    /// The short hash in a `Summary`: 8 bytes over the IDs of all events that are held.
    package var hash: [UInt8] {
        let ids = changes.keys.sorted().flatMap(\.bytes)
        return Array(Blake2b.hash(Domain.membership, ids).prefix(8))
    }
}
