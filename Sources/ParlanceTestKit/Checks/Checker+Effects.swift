import ParlanceAudit
import ParlanceCore
import ParlanceRecords
import ParlanceWire

// Checks in the end that what is written, and what is done to it, counts if its author had the right.
extension Checker {
    func checkEffects(of group: ConversationID, _ node: Int) {
        let disk = world.nodes[node].disk
        guard let membership = disk.memberships[group] else { return }
        let plain = plainMembership(of: group, membership)
        let history = disk.audit(group, plain)
        var about: [EventID: [Deed]] = [:]
        for log in disk.logs(of: group) {
            let key = LogKey(group, log)
            for event in disk.logs[key]?.events.prefix(disk.applied(of: key)) ?? [] {
                if event.header.kind == .message { checkRight(event, key, plain, node) }
                guard let target = history.target(of: event.id), target.header.kind == .message else { continue }
                about[target.id, default: []].append(deed(event, log, target, plain))
            }
        }
        for line in disk.history(of: group) where line.note == nil {
            guard violation == nil else { return }
            check(line, about[line.id] ?? [], node)
        }
    }

    /// Something done to a message.
    private struct Deed {
        let kind: EventKind
        let author: PeerID
        /// Whether it counts.
        let standing: PlainMembership.Standing
    }

    private func deed(_ event: StoredEvent, _ log: LogID, _ target: StoredEvent, _ plain: PlainMembership) -> Deed {
        let sequence = event.header.sequence
        var standing = plain.standing(.member, of: log, at: sequence)
        if target.header.log.author == log.author {
            // An author needs no right to delete its own message (groups.md, "Rights of what is written").
            if event.header.kind == .delete { standing = .yes }
        } else {
            if event.header.kind == .edit { standing = .no }
            if event.header.kind == .delete {
                let asAdmin = plain.standing(.admin, of: log, at: sequence)
                if asAdmin == .no || standing == .yes { standing = asAdmin }
            }
        }
        return Deed(kind: event.header.kind, author: log.author, standing: standing)
    }

    /// What somebody wrote as a member is shown.
    private func checkRight(_ event: StoredEvent, _ key: LogKey, _ plain: PlainMembership, _ node: Int) {
        let line = world.nodes[node].disk.line(event.id, in: key.conversation)
        switch plain.standing(.member, of: key.log, at: event.header.sequence) {
        case .no where line != nil:
            violate("\(name(node)) shows \"\(line?.text.prefix(40) ?? "")\", whose author was in the group no more")
        case .yes where line == nil && event.body != nil && asked[event.id, default: 0] == 0:
            guard let message = accepted[event.id] else { return }
            violate("\(name(node)) does not show \"\(message.text.prefix(40))\", whose author was in the group")
        default: break
        }
    }

    private func check(_ line: ShownMessage, _ deeds: [Deed], _ node: Int) {
        guard let rich = line.rich else { return }
        let deletions = deeds.filter { $0.kind == .delete && $0.standing != .no }
        if let deletion = rich.deletion, !deletions.contains(where: { $0.author == deletion.author }) {
            return violate("\(name(node)) shows a message of \(line.log.short) as deleted by one who may not")
        }
        guard rich.deletion == nil else { return }
        let what = "\"\(line.text.prefix(40))\""
        if deletions.contains(where: { $0.standing == .yes }) {
            return violate("\(name(node)) shows \(what), which was deleted")
        }
        let edits = deeds.filter { $0.kind == .edit && $0.standing != .no }
        let sure = edits.count { $0.standing == .yes }
        if !(sure...edits.count).contains(rich.versions - 1) {
            return violate(
                "\(name(node)) shows \(rich.versions) versions of \(what); edited \(sure) to \(edits.count) times"
            )
        }
        for member in rich.reactions.flatMap(\.members) {
            guard !deeds.contains(where: { $0.kind == .reaction && $0.author == member && $0.standing != .no }) else {
                continue
            }
            violate("\(name(node)) shows a reaction to \(what) of one who may not")
        }
    }
}
