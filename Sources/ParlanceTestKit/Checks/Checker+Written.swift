import ParlanceAudit
import ParlanceCore
import ParlanceHistory
import ParlanceRecords
import ParlanceWire

// Checks that an event names everything that its author had seen, and that a new member is a recipient from the right
// event on.
extension Checker {
    /// A local event, and what was applied when the command for it was given.
    struct Naming {
        let event: EventID
        let seen: [EventID]
    }

    /// A node has taken a message from its user.
    func accept(
        _ sent: SentMessage,
        _ text: String,
        _ node: Int,
        _ anchor: EventID?,
        _ outsiders: Set<Int>,
        isEdit: Bool = false
    ) {
        let log = LogID(author: world.nodes[node].identity, replica: world.nodes[node].replica)
        let key = LogKey(sent.conversation, log)
        guard world.nodes[node].disk.event(sent.id, at: sent.sequence, named: key) != nil else {
            return violate("\(name(node)) accepted \"\(text.prefix(40))\" before it was on its disk")
        }
        if !isEdit,
            let peer = world.nodes.indices.first(where: { $0 != node && conversation(node, $0) == sent.conversation }),
            world.nodes[node].disk.peers[world.nodes[peer].identity]?.request != nil
        {
            return violate("\(name(node)) wrote to \(self.name(peer)), and has not answered its request")
        }
        accepted[sent.id] = AcceptedMessage(
            id: sent.id,
            key: key,
            sequence: sent.sequence,
            text: text,
            author: node,
            time: world.now,
            anchor: anchor,
            outsiders: outsiders,
            isEdit: isEdit
        )
        acceptedOrder[sent.conversation, default: []].append(sent.id)
    }

    /// Of a branch of which nothing is applied, the base may be unknown: only what is applied in it was seen.
    func noteApplied(_ batch: PersistReceipt, _ node: Int) {
        let logs = world.nodes[node].disk.logs
        for applied in batch.applied
        where applied.position.sequence > logs[LogKey(applied.conversation, applied.log)]?.base.sequence ?? 0 {
            watches[node].heads[applied.conversation, default: [:]][applied.log] = applied.position.head
        }
    }

    /// A node starts with what its disk has applied.
    func noteHeads(of node: Int) {
        watches[node].heads = [:]
        for (key, log) in world.nodes[node].disk.logs where log.applied.sequence > log.base.sequence {
            watches[node].heads[key.conversation, default: [:]][key.log] = log.applied.head
        }
    }

    /// Remembers what a person sees in the conversation in which they write.
    func noteSeen(_ command: CommandID, in place: ConversationID, _ node: Int) {
        seen[command] = watches[node].heads[place].map { Array($0.values) } ?? []
    }

    func noteNaming(_ command: CommandID, _ sent: SentMessage, _ node: Int) {
        guard let seen = seen.removeValue(forKey: command) else { return }
        watches[node].namings[sent.conversation] = Naming(event: sent.id, seen: seen)
    }

    /// The last event that somebody wrote follows everything that they had seen, by its references and theirs.
    func checkNaming(_ plain: PlainHistory, _ node: Int) {
        guard let naming = watches[node].namings.removeValue(forKey: plain.conversation),
            let past = plain.past(of: naming.event)
        else { return }
        let unnamed = naming.seen.first {
            !past.contains($0) && plain.holds($0) && !isDisplaced($0, of: plain, node) && !plain.isGivenUp($0)
        }
        guard let unnamed else { return }
        violate("\(name(node)) wrote in \(plain.conversation) and has not named \(unnamed), which it had seen")
    }

    /// A new member is a recipient from the present end of the local log on.
    func checkJoined(_ batch: PersistBatch, _ node: Int) {
        let disk = world.nodes[node].disk
        let (own, log) = (
            world.nodes[node].identity, LogID(author: world.nodes[node].identity, replica: world.nodes[node].replica)
        )
        for row in batch.recipients where batch.replica == nil && batch.branches.isEmpty {
            let through = disk.position(of: LogKey(row.conversation, log)).sequence
            let new = UInt64(batch.events.count { $0.header.conversation == row.conversation && $0.log == log })
            guard row.after > through || row.after + new < through else { continue }
            return violate(
                "\(name(node)) says that \(row.peer) joined \(row.conversation) at \(row.after); its log is at \(through)"
            )
        }
        for group in Set(
            (batch.membership + batch.events.filter(\.header.kind.isMembership)).map(\.header.conversation)
        ) {
            guard let members = disk.memberships[group]?.members else { continue }
            watches[node].groupSince[group] = world.now
            let before = watches[node].membersKnown[group] ?? []
            watches[node].membersKnown[group] = Set(members)
            let told = Set(batch.recipients.filter { $0.conversation == group }.map(\.peer))
            if let newcomer = members.first(where: { $0 != own && !before.contains($0) && !told.contains($0) }) {
                return violate("\(name(node)) does not know from where on a message in \(group) is for \(newcomer)")
            }
        }
    }

    func noteMembers(of node: Int) {
        watches[node].membersKnown = world.nodes[node].disk.memberships.mapValues { Set($0.members) }
    }
}

extension PlainHistory {
    /// Everything that an event follows, including itself; `nil` if it is not held.
    func past(of id: EventID) -> Set<EventID>? {
        guard let index = place(of: id) else { return nil }
        var found: Set<Int> = [index]
        var next = [index]
        while let here = next.popLast() {
            for other in named(by: here) where found.insert(other).inserted { next.append(other) }
        }
        return Set(found.map { events[$0].id })
    }

    func holds(_ id: EventID) -> Bool { place(of: id) != nil }
}
