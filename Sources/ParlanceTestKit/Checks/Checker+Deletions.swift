import ParlanceAudit
import ParlanceCore
import ParlanceHistory
import ParlanceRecords
import ParlanceWire

// Checks that a deletion removes a text as long as it counts, and no longer (groups.md, "Rights of what is written").
extension Checker {
    /// By the plain rules: a message deleted by a member with the right to do so is a tombstone; a message deleted only
    /// by others is not.
    func checkDeletions(of group: ConversationID, _ membership: Membership, at node: Int) {
        let disk = world.nodes[node].disk
        let plain = plainMembership(of: group, membership)
        for (id, deletions) in disk.deletions(in: group).sorted(by: { $0.key < $1.key }) {
            guard let message = accepted[id], let line = disk.shows(id) else { continue }
            let standings = deletions.map { standing(of: $0.event, in: $0.log, $0.isInBranch, message, plain) }
            let isTombstone = line.rich?.deletion != nil
            if isTombstone && standings.allSatisfy({ $0 == .no }) {
                violate("\(name(node)) shows \"\(message.text.prefix(40))\" as deleted by one who had no right to")
            } else if !isTombstone && standings.contains(.yes) {
                violate("\(name(node)) shows \"\(message.text.prefix(40))\", which was deleted")
            }
        }
    }

    private func standing(
        of deletion: StoredEvent,
        in log: LogID,
        _ isInBranch: Bool,
        _ message: AcceptedMessage,
        _ plain: PlainMembership
    ) -> PlainMembership.Standing {
        if log.author == message.key.log.author { return .yes }
        // This does not check what a branch has in common with others.
        guard !isInBranch else { return .ifNamed }
        let both = [PlainMembership.Capability.member, .admin].map {
            plain.standing($0, of: log, at: deletion.header.sequence)
        }
        if both.contains(.no) { return .no }
        return both.allSatisfy { $0 == .yes } ? .yes : .ifNamed
    }

    /// Whether a clock that jumped ahead caused the text that a deletion had left to be dropped.
    func hasExpired(_ id: EventID) -> Bool { world.nodes.contains { $0.disk.expired.contains(id) } }

    /// Nobody takes back a message that has left. If it went over a link that is gone, and was not acknowledged, the
    /// author may take it back, because it cannot know.
    func checkTakenBack(_ id: EventID, by node: Int) {
        guard world.nodes[node].rollbacks == 0, world.nodes[node].replicas == 1, let message = accepted[id],
            watches[node].links.lastClosed < message.time, !parcels.packed.contains(id),
            let other = world.nodes.indices.first(where: {
                $0 != node && isHonest($0) && message.event(on: world.nodes[$0].disk)?.body != nil
                    && watches[node].links.all(to: $0).contains { !$0.isClosing && $0.hello ?? .max < message.time }
            })
        else { return }
        violate("\(name(node)) took back \"\(message.text.prefix(40))\", and \(name(other)) has it")
    }
}
