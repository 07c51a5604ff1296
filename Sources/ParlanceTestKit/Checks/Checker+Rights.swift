import Foundation
import ParlanceAudit
import ParlanceCore
import ParlanceHistory
import ParlanceRecords
import ParlanceWire

// Checks membership and rights in groups: compares the nodes' result with a plain statement of the rules.
extension Checker {
    /// A former member of a group is told why it is no longer in it, and nothing that came later.
    func checkFarewell(_ frame: WireFrame, on link: LinkID, _ node: Int) {
        guard case .invite(let invite) = frame.kind, let place = ConversationID(invite.conversation),
            let peer = watches[node].links.links[link]?.peer, world.nodes[node].engine?.isSettled == true,
            let membership = world.nodes[node].disk.memberships[place]
        else { return }
        let id = world.nodes[peer].identity
        let plain = plainMembership(of: place, membership)
        guard plain.members(among: [id]).isEmpty, plain.wasGiven(.member, id) else { return }
        let allowed = plain.farewell(to: id)
        let sent = invite.events.map { EventID(hashing: [UInt8]($0.header)) }
        guard !sent.allSatisfy(allowed.contains) else { return }
        violate("\(name(node)) tells \(name(peer)), who is in \(place) no more, what came later")
    }

    /// A batch brought membership events: each node evaluates them as the rules say, and nobody writes an event that is
    /// void by everything its author has seen.
    func checkMembership(_ batch: PersistBatch, _ node: Int) {
        let new = batch.membership + batch.events.filter(\.header.kind.isMembership)
        for group in Set(new.map(\.header.conversation)).sorted() {
            guard let membership = world.nodes[node].disk.memberships[group] else { continue }
            let plain = plainMembership(of: group, membership)
            checkEvaluation(membership, plain, of: group, node)
            for event in new where event.header.conversation == group && event.header.kind == .members {
                checkWritten(event, plain, batch, node)
            }
            watches[node].evaluated[group] = plain.valid
            noteOutsiders(of: group, node)
        }
    }

    /// The plain evaluation, kept for the next node, because many nodes hold the same events.
    func plainMembership(of group: ConversationID, _ membership: Membership) -> PlainMembership {
        let ids = Set(membership.events.map(\.id))
        if let known = plainMemberships[group], known.ids == ids { return known.plain }
        let plain = PlainMembership(membership.events)
        plainMemberships[group] = (ids, plain)
        return plain
    }

    private func checkEvaluation(
        _ membership: Membership,
        _ plain: PlainMembership,
        of group: ConversationID,
        _ node: Int
    ) {
        let people = world.nodes.map(\.identity)
        for id in plain.ancestors.keys.sorted() where membership.isValid(id) != plain.valid.contains(id) {
            return violate("\(name(node)) counts a change of \(group) that is void, or the other way")
        }
        let (members, admins) = (people.filter { membership.isMember($0) }, people.filter { membership.isAdmin($0) })
        if members != plain.members(among: people) {
            return violate(
                "\(name(node)) has \(names(members)) in \(group), not \(names(plain.members(among: people)))"
            )
        }
        if admins != plain.admins(among: people) {
            violate("\(name(node)) has admins \(names(admins)), not \(names(plain.admins(among: people)))")
        }
    }

    private func names(_ peers: [PeerID]) -> [String] { peers.compactMap { indexes[$0].map(name) } }

    /// The author of a change names everything that it has seen, and has the right by that.
    private func checkWritten(_ event: StoredEvent, _ plain: PlainMembership, _ batch: PersistBatch, _ node: Int) {
        guard let author = indexes[event.header.log.author], isHonest(author), let seen = plain.ancestors[event.id]
        else { return }
        if !plain.asSeen(by: event.id).valid.contains(event.id) {
            return violate("\(name(author)) changed \(event.header.conversation) and may not, by what it had seen")
        }
        // Events come back to a store that was rolled back in an invitation, or through others.
        let isWrittenHere =
            author == node && event.via == nil && batch.events.contains { $0.id == event.id }
            && batch.replica == nil && batch.branches.isEmpty
        guard isWrittenHere, let before = watches[node].evaluated[event.header.conversation] else { return }
        // A departure names no other departure.
        let counting = before.intersection(plain.valid).filter {
            !plain.isDeparture(event.id) || !plain.isDeparture($0)
        }
        if !counting.isSubset(of: seen.union([event.id])) {
            violate("\(name(node)) changed \(event.header.conversation) and does not name all that it had seen")
        }
        checkMarks(of: event, batch, node)
    }

    /// The author of a removal states how much it holds of the logs of the removed members.
    private func checkMarks(of event: StoredEvent, _ batch: PersistBatch, _ node: Int) {
        guard let change = MembershipChange(event), change.action.isLoss else { return }
        let disk = world.nodes[node].disk
        let group = event.header.conversation
        for log in disk.logs(of: group) where change.subjects.contains(log.author) {
            let held = disk.position(of: LogKey(group, log)).sequence
            let new = batch.events.count { $0.header.conversation == group && $0.log == log }
            let mark = change.marks[log] ?? 0
            guard mark > held || mark + UInt64(new) < held else { continue }
            return violate("\(name(node)) marks \(log.short) at \(mark), and holds it through \(held)")
        }
    }

    /// Nobody deletes what others wrote without ever having been an admin.
    func checkDeletion(in conversation: ConversationID, by node: Int) {
        let membership = world.nodes[node].disk.memberships[conversation]
        let plain = membership.map { plainMembership(of: conversation, $0) }
        if plain?.wasGiven(.admin, world.nodes[node].identity) != true {
            violate("\(name(node)) deletes what another wrote in \(conversation), and may not")
        }
    }

    /// A node starts with what its disk holds.
    func noteMemberships(of node: Int) {
        watches[node].evaluated = [:]
        watches[node].goneSince = [:]
        for group in world.nodes[node].disk.groups { noteOutsiders(of: group, node) }
    }

    private func noteOutsiders(of group: ConversationID, _ node: Int) {
        let out = outsiders(of: group, for: node)
        let before = watches[node].goneSince[group] ?? [:]
        watches[node].goneSince[group] = Dictionary(uniqueKeysWithValues: out.map { ($0, before[$0] ?? world.now) })
    }

    /// A peer that is known to have left a group, or to have been removed, is sent only the membership; a node that has
    /// left sends nothing.
    func checkReceiver(_ frame: WireFrame, on link: LinkID, _ node: Int) {
        guard let bytes = frame.conversation, let group = ConversationID(bytes),
            let gone = watches[node].goneSince[group],
            // A change that is not durable yet may have brought a member back.
            world.nodes[node].engine?.isSettled == true,
            let other = world.pipes[link]?.ends.first(where: { $0.link != link })?.node
        else { return }
        for who in [node, other] {
            // The engine learns a little later that it is durable.
            guard let since = gone[who], world.now - since > Self.grace else { continue }
            return violate(
                "\(name(node)) sends \(name(other)) \(frame.coverageName), and \(name(who)) is in the group no more"
            )
        }
    }

    /// The most milliseconds that an engine takes to learn that a batch is durable, and to act on it.
    private static var grace: Int64 { 1_000 }
}

extension WireFrame {
    /// The conversation of the frame, if only members share it.
    var conversation: Data? {
        switch kind {
        case .clock(let frame): frame.conversation
        case .have(let frame): frame.conversation
        case .events(let frame): frame.conversation
        case .want(let frame): frame.conversation
        case .bodies(let frame): frame.conversation
        case .bodiesWanted(let frame): frame.conversation
        case .watermarks(let frame): frame.conversation
        case .fork(let frame): frame.conversation
        case .typing(let frame): frame.conversation
        default: nil
        }
    }
}
