import ParlanceAudit
import ParlanceCore
import ParlanceRecords
import ParlanceWire

// Checks that each conversation is shown as events.md says, from the events that its node holds and the commands that
// people gave.
extension Checker {
    /// Checks one conversation after the other, alternating between nodes.
    func checkNextHistory() {
        let node = turns % world.nodes.count
        let conversations = world.nodes[node].disk.conversations
        let round = turns / world.nodes.count
        turns += 1
        guard !conversations.isEmpty else { return }
        checkHistory(of: conversations[round % conversations.count].id, at: node)
    }

    func checkHistories() {
        for node in world.nodes.indices {
            for record in world.nodes[node].disk.conversations where violation == nil {
                checkHistory(of: record.id, at: node)
            }
        }
    }

    /// - Parameter floors: through where the texts of each log were removed; by default as on the node's disk.
    func plainHistory(
        of conversation: ConversationID,
        at node: Int,
        floors: [LogID: UInt64]? = nil
    ) -> PlainHistory {
        let disk = world.nodes[node].disk
        let membership = disk.memberships[conversation].map { plainMembership(of: conversation, $0) }
        return disk.audit(conversation, membership, floors: floors)
    }

    private func checkHistory(of conversation: ConversationID, at node: Int) {
        let disk = world.nodes[node].disk
        let plain = plainHistory(of: conversation, at: node)
        checkApplied(plain, node)
        let lines = plain.lines
        let shown = disk.history(of: conversation)
        if lines != shown {
            let pair = zip(lines, shown).first { $0 != $1 }
            let what = pair.map { "\($1), not \($0)" } ?? "\(shown.count) lines, not \(lines.count)"
            return violate("\(name(node)) shows in \(conversation) \(what)")
        }
        let label = plain.label
        let called = disk.label(of: conversation)
        if disk.memberships[conversation] != nil, (called.title, called.topic) != label {
            return violate("\(name(node)) calls \(conversation) \(called.title), \(called.topic), not \(label)")
        }
        let terms = plain.lifetimes(own: world.nodes[node].identity)
        guard disk.lifetimes[conversation] ?? LifetimeTerms(conversation: conversation) == terms else {
            return violate("\(name(node)) lets messages of \(conversation) stay for another time than was said")
        }
        checkTexts(shown, conversation, node)
        checkBodies(plain, node)
        checkNaming(plain, node)
        checkStore(plain, node)
    }

    /// Checks what is applied, in which branch it is, and what is missing.
    private func checkApplied(_ plain: PlainHistory, _ node: Int) {
        let disk = world.nodes[node].disk
        var applied: [LogID: Int] = [:]
        for (index, event) in plain.events.enumerated() {
            if event.log != plain.logs[index] {
                return violate(
                    "\(name(node)) keeps \(event.header.sequence) in \(event.log.short), not in \(plain.logs[index].short)"
                )
            }
            if plain.effective[index] != nil { applied[event.log, default: 0] += 1 }
        }
        let missing = plain.missing
        for log in disk.logs(of: plain.conversation) {
            let key = LogKey(plain.conversation, log)
            if disk.applied(of: key) != applied[log] ?? 0 {
                return violate(
                    "\(name(node)) has applied \(disk.applied(of: key)) of \(log.short), not \(applied[log] ?? 0)"
                )
            }
            if disk.missingBodies(of: key) != missing[log] ?? [] {
                let (has, not) = (disk.missingBodies(of: key), missing[log] ?? [])
                return violate("\(name(node)) says that it lacks bodies \(has) of \(log.short), not \(not)")
            }
        }
    }

    /// A text that was here disappears only because of a deletion or a withdrawal.
    private func checkBodies(_ plain: PlainHistory, _ node: Int) {
        for event in plain.events where event.body == nil && watches[node].bodiesHeld.contains(event.id) {
            guard !plain.isTextGoneRightly(event.id) else { continue }
            let place = "\(event.header.log.short) \(event.header.sequence)"
            return violate("\(name(node)) had the text of \(place), which nobody took away, and has it no more")
        }
    }

    func noteBodies(_ batch: PersistBatch, _ node: Int) {
        for event in batch.events where event.body != nil { watches[node].bodiesHeld.insert(event.id) }
        for found in batch.bodies {
            let event = world.nodes[node].disk.event(at: found.sequence, of: LogKey(found.conversation, found.log))
            if let event, event.header.bodyHash == Bytes32(hashingBody: found.body) {
                watches[node].bodiesHeld.insert(event.id)
            }
        }
    }

    /// Each text shown was written there by its author: as that message, as an answer to that message, or as a new text
    /// for it.
    func checkTexts(_ history: [ShownMessage], _ conversation: ConversationID, _ node: Int) {
        var seen: Set<String> = []
        for message in history where message.note == nil && message.rich?.deletion == nil && !isByHostile(message) {
            let what = "\"\(message.text.prefix(40))\""
            if !seen.insert(message.text).inserted { return violate("\(name(node)) shows \(what) twice") }
            guard let written = texts[message.text], written.conversation == conversation || written.isByName,
                world.nodes[written.author].identity == message.log.author
            else { return violate("\(name(node)) shows \(what), which nobody wrote there") }
            if failed.contains(message.text) { return violate("\(name(node)) shows \(what), whose command failed") }
            let original = accepted[message.id]
            if let about = written.edits {
                if about != message.id { return violate("\(name(node)) shows \(what) in place of another message") }
            } else if original.map({ $0.text != message.text }) == true {
                return violate("\(name(node)) shows \(what) as another message")
            }
            // What was given up is not shown as what is answered.
            let answers = original.flatMap { texts[$0.text]?.answers }
            let isGivenUp = answers.map { world.nodes[node].disk.givenUp[conversation]?.contains($0) == true } ?? false
            if original != nil, !isGivenUp, answers != message.rich?.quote?.message.id {
                return violate("\(name(node)) shows \(what) as an answer to another message")
            }
        }
    }
}
