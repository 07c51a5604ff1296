import ParlanceCore
import ParlanceRecords
import ParlanceWire

// Actions of people in groups, and on messages.
extension Office {
    func doInGroups(_ kind: Act.Kind, _ node: Int, _ other: Int, _ random: inout SeededGenerator) {
        if kind == .createGroup { return createGroup(node, &random) }
        let groups = world.nodes[node].disk.groups
        guard !groups.isEmpty else {
            if kind == .rollCall { createGroup(node, of: world.nodes.indices.filter { $0 != node }, &random) }
            return
        }
        let group = groups[Int(random.below(Int64(groups.count)))]
        let who = random.below(2) == 0 ? group.text : String(group.text.prefix(12))
        let people = [identity(other)] + (random.below(4) == 0 ? [identity((other + 1) % world.nodes.count)] : [])
        switch kind {
        case .sendGroup:
            for _ in 0...(random.below(8) == 0 ? random.below(30) : 0) {
                // Now and then it mentions somebody.
                let named = random.below(5) == 0 ? " @\(world.nodes[other].name)" : ""
                let text = checker.nextText(from: node) + named
                let command = give(.send(who: who, text: text), to: node)
                checker.expectMessage(command, text: text, from: node, in: group)
            }
        case .rollCall: callRoll(of: group, node)
        case .readGroup: give(.read(who: who), to: node)
        case .add: give(.changeGroup(who: who, .add(people)), to: node)
        case .remove: give(.changeGroup(who: who, .remove(people)), to: node)
        case .leave: give(.changeGroup(who: who, .leave), to: node)
        case .appoint: give(.changeGroup(who: who, .appoint(people)), to: node)
        case .dismiss:
            give(.changeGroup(who: who, .dismiss(people)), to: node)
            // A dismissed admin may be deleting something without having learnt of the dismissal yet.
            if random.below(2) == 0, world.nodes[other].isUp { doToMessage(.delete, other, in: group, &random) }
        case .retitle:
            let text = "room \(random.below(20))"
            give(.changeGroup(who: who, random.below(2) == 0 ? .rename(text) : .topic(text)), to: node)
        default: break
        }
    }

    /// Creates a group with one other person, with several, or with all.
    private func createGroup(_ node: Int, _ random: inout SeededGenerator) {
        guard checker.groupsMade < Self.mostGroups else { return }
        var others = world.nodes.indices.filter { $0 != node }
        let isWhole = random.below(3) == 0
        while !isWhole && others.count > 1 && random.below(3) != 0 {
            others.remove(at: Int(random.below(Int64(others.count))))
        }
        createGroup(node, of: others, &random)
    }

    /// Everybody who is there writes a word, so that the next author has seen all of them.
    private func callRoll(of group: ConversationID, _ node: Int) {
        for (index, other) in world.nodes.enumerated()
        where index != node && other.isUp && !other.isStopping && other.disk.groups.contains(group) {
            let text = checker.nextText(from: index)
            let command = give(.send(who: group.text, text: text), to: index)
            checker.expectMessage(command, text: text, from: index, in: group)
        }
        follow(.answerRoll, node, after: 10_000)
    }

    private func createGroup(_ node: Int, of others: [Int], _ random: inout SeededGenerator) {
        let nonce = (0..<ReplicaID.count).map { _ in UInt8(truncatingIfNeeded: random.next()) }
        checker.groupsMade += 1
        let (title, who) = ("room \(random.below(20))", others.map { identity($0) })
        give(.createGroup(title: title, who: who, nonce: nonce, force: nonce[0] % 2 == 0), to: node)
    }

    /// In a day twenty people would create a hundred groups, most of them of everybody. Each link that opens exchanges
    /// each group, so the run would do nothing else; people continue to write in the existing groups. An office of an
    /// hour or two creates fewer.
    private static let mostGroups = 32

    /// One of the last messages that the node shows, in any conversation.
    func doToMessage(
        _ kind: Act.Kind,
        _ node: Int,
        in chosen: ConversationID? = nil,
        _ random: inout SeededGenerator
    ) {
        let disk = world.nodes[node].disk
        guard !disk.conversations.isEmpty else { return }
        let any = disk.conversations[Int(random.below(Int64(disk.conversations.count)))].id
        let conversation = chosen ?? any
        let own = world.nodes[node].identity
        let isOwn = kind == .edit ? random.below(8) != 0 : kind == .delete && random.below(2) == 0
        let lines = disk.history(of: conversation).filter { $0.note == nil && (!isOwn || $0.log.author == own) }
        guard !lines.isEmpty else { return }
        let back = random.below(min(20, Int64(lines.count)))
        let message = MessageReference(
            conversation: conversation,
            event: lines[lines.count - 1 - Int(back)].reference
        )
        switch kind {
        case .reply:
            let text = checker.nextText(from: node)
            let command = give(.reply(message, text: text), to: node)
            checker.expectMessage(
                command,
                text: text,
                from: node,
                in: conversation,
                answering: message.event.id
            )
        case .edit:
            let text = checker.nextText(from: node)
            let command = give(.edit(message, text: text), to: node)
            checker.expectEdit(command, text: text, of: message.event.id, from: node, in: conversation)
            if message.event.log.author != own { checker.expectRefusal(of: command) }
        case .delete:
            let command = give(.delete(message), to: node)
            if message.event.log.author != own { checker.expectDeletion(command, in: conversation, by: node) }
        default:
            let emoji = ["👍", "❤️", "🎉"][Int(random.below(3))]
            give(.react(message, emoji: emoji, removed: random.below(4) == 0), to: node)
        }
    }
}
