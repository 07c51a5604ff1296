import ParlanceCore
import ParlanceRecords
import ParlanceWire

// Checks what the user clears, deletes and hides (events.md, "Cleared"): what is in the conversation goes, what comes later
// stays, and a conversation in which something new is written is not hidden.
extension Checker {
    /// What the user of one node has cleared, deleted and hidden.
    struct Clearing {
        /// When each conversation was last to be cleared.
        private(set) var asked: [ConversationID: Int64] = [:]
        /// When each event of these conversations came, if that was after the first time.
        private(set) var came: [EventID: Int64] = [:]
        private(set) var unlisted: [ConversationID: Preference.Unlisted] = [:]
        /// Through where each log was applied when its conversation was last to be cleared.
        var applied: [LogKey: UInt64] = [:]

        mutating func ask(_ place: ConversationID, at now: Int64) { asked[place] = now }

        mutating func begin(_ records: [PreferenceRecord], at now: Int64) {
            unlisted = [:]
            for record in records { note(record, at: now) }
        }

        mutating func note(_ batch: PersistBatch, at now: Int64) {
            for event in batch.events where asked[event.header.conversation] != nil { came[event.id] = now }
            for record in batch.preferences { note(record, at: now) }
        }

        private mutating func note(_ record: PreferenceRecord, at now: Int64) {
            // Whatever comes into a group that is deleted may go.
            if unlisted[record.conversation] == .deleted { asked[record.conversation] = now }
            unlisted[record.conversation] = record.preference.unlisted
        }
    }

    func noteClear(_ place: ConversationID, _ node: Int) {
        watches[node].floors.clearing.ask(place, at: world.now)
        noteApplied(in: place, node)
    }

    /// Notes what can be cleared at once: what waits for something goes later, or stays if nobody could see it.
    func noteApplied(in place: ConversationID, _ node: Int) {
        for (key, log) in world.nodes[node].disk.logs where key.conversation == place {
            watches[node].floors.clearing.applied[key] = log.applied.sequence
        }
    }

    /// Only what came before the user cleared the conversation, or while a group was deleted, is cleared.
    func checkCleared(_ event: StoredEvent, _ node: Int) {
        let (clearing, place) = (watches[node].floors.clearing, event.header.conversation)
        if isDeletedGroup(place, node) { return }
        let what = "\(event.header.sequence) of \(event.log.short)"
        guard let asked = clearing.asked[place] else {
            return violate("\(name(node)) clears \(what), and nobody has cleared \(place)")
        }
        guard let came = clearing.came[event.id], came > asked + Self.sweeping else { return }
        violate("\(name(node)) clears \(what), which came afterwards")
    }

    /// Whether the user has deleted a group: whatever comes goes soon.
    func isDeletedGroup(_ place: ConversationID, _ node: Int) -> Bool {
        watches[node].floors.clearing.unlisted[place] == .deleted && world.nodes[node].disk.memberships[place] != nil
    }

    /// What others wrote before a conversation was cleared is gone.
    func checkAllCleared(_ node: Int) {
        let watch = watches[node].floors
        let quiet = max(watch.failed, watch.filled, watches[node].calmSince, clockSet(node))
        for (place, asked) in watch.clearing.asked {
            guard world.now > asked + Self.sweeping, max(watch.started, quiet) < asked - Self.sweeping,
                !world.nodes[node].disk.branches.contains(where: { $0.conversation == place })
            else { continue }
            let disk = world.nodes[node].disk
            for log in disk.logs(of: place) where log.author != world.nodes[node].identity {
                let key = LogKey(place, log)
                guard let kept = disk.logs[key], kept.missing.isEmpty,
                    let index = kept.index(of: max(kept.floor, kept.base.sequence) + 1), index < kept.effective.count
                else { continue }
                let event = kept.events[index]
                guard event.header.kind != .edit, watch.clearing.came[event.id] == nil,
                    event.header.sequence <= watch.clearing.applied[key] ?? 0
                else { continue }
                return violate("\(name(node)) keeps \(event.header.sequence) of \(log.short), which is cleared")
            }
        }
    }

    /// A message is not on the disk in a conversation that lists leave out, unless it was there before.
    func checkListed(_ batch: PersistBatch, _ node: Int) {
        for event in batch.events where event.header.kind == .message {
            let place = event.header.conversation
            guard let unlisted = watches[node].floors.clearing.unlisted[place], !isDeletedGroup(place, node) else {
                continue
            }
            // A command that hides it may have been on its way.
            if batch.preferences.last(where: { $0.conversation == place })?.preference.unlisted != nil { continue }
            return violate("\(name(node)) gets a message in \(place), which stays \(unlisted)")
        }
    }
}
