import ParlanceRecords
import ParlanceWire

// Which events are held (groups.md and charter.md, "What is held").
extension Membership.Evaluation {
    /// The events to hold: those that count, what the changes among them had seen, and a limited number of the others
    /// for each author.
    func held(of changes: [EventID: MembershipChange]) -> Set<EventID> {
        guard changes.count > rules.few else { return Set(changes.keys).subtracting(idle) }
        var held = valid
        var seen = PlaceSet(count: capacity)
        for event in events where valid.contains(event.change.id) && event.change.action != .leave {
            seen.formUnion(event.ancestors)
        }
        for event in events where seen.contains(event.place) { held.insert(event.change.id) }
        var void: [VoidShare: Int] = [:]
        var left = rules.void
        for event in inOrderOfHolding where left > 0 && !held.contains(event.change.id) {
            let share = share(event.change)
            guard void[share, default: 0] < share.limit else { continue }
            void[share, default: 0] += 1
            left -= 1
            held.insert(event.change.id)
        }
        var waits: [PeerID?: Int] = [:]
        for change in waiting.sorted(by: { ($0.sequence, $0.id) < ($1.sequence, $1.id) }) {
            guard waits[sharer(change), default: 0] < Limits.membershipWaiting else { continue }
            waits[sharer(change), default: 0] += 1
            held.insert(change.id)
        }
        return held
    }

    /// The events in the order in which those that do not count are held: in a charter, where their number is limited
    /// in all, first those of the senior admins.
    private var inOrderOfHolding: [Membership.Seen] {
        guard rules.isCharter else { return events }
        let rank = Dictionary(uniqueKeysWithValues: possibleAdmins.enumerated().map { ($1, $0) })
        func key(_ event: Membership.Seen) -> (Int, Int) { (rank[event.change.log.author] ?? .max, event.place) }
        return events.sorted { key($0) < key($1) }
    }

    /// The list of admins, then everybody whom an event of somebody in it appoints, whether or not that counts: the
    /// appointment may count later. Those whom a junior makes up come after those whom a senior appoints.
    private var possibleAdmins: [PeerID] {
        var list = admins
        var known = areAdmins
        var next = 0
        while next < list.count {
            for event in (ownEvents[list[next]] ?? []).map({ events[$0] }) where event.change.action == .appoint {
                list += event.change.subjects.filter { known.insert($0).inserted }
            }
            next += 1
        }
        return list
    }

    /// The events that do not count at present and share one limit. For an admin's changes that limit equals the number
    /// that could count: if they count later, no node may have dropped them.
    private struct VoidShare: Hashable {
        let author: PeerID?
        /// `nil` for departures, creations, and all events of identities that were never members.
        let kind: Membership.Share.Kind?
        let limit: Int
    }

    private func share(_ change: MembershipChange) -> VoidShare {
        // In a charter the number of all is limited, so whoever is not in the list of admins yet needs no other limit.
        let author = rules.isCharter ? change.log.author : sharer(change)
        // Only identities that an appointment names can make those that have a share (`couldCount`).
        guard author != nil, let kind = change.action.share, kind != .creation else {
            return VoidShare(author: author, kind: nil, limit: Limits.membershipVoid)
        }
        return VoidShare(author: author, kind: kind, limit: rules.share(kind))
    }

    /// The identity whose share an event counts against: of those that wait and, in a group, of those that do not count.
    /// Identities that were never members (in a charter: never admins) share one: there may be any number of them.
    private func sharer(_ change: MembershipChange) -> PeerID? {
        let author = change.log.author
        if rules.isCharter { return areAdmins.contains(author) ? author : nil }
        return standings[author]?[.member].wasHeld == true ? author : nil
    }
}
