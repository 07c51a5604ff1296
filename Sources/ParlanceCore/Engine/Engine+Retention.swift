import ParlanceHistory
import ParlanceRecords
import ParlanceWire

// Texts that are removed because of their age, or because the user has cleared them (events.md, "Removed by age" and
// "Cleared").
extension Engine {
    /// Plans the first sweep after a start: soon if texts are to be removed, since the node may not run for long.
    mutating func scheduleSweep() {
        let removes =
            preferences.hasRetention || preferences.deleted.contains { conversations[$0]?.group != nil }
            || conversations.values.contains { $0.agreedLifetime != nil || $0.isClearing }
        let delay = removes ? Limits.retentionDelayMilliseconds : Limits.sweepMilliseconds
        turn.deadlines[.sweep] = turn.now.monotonic + delay
    }

    /// Names the logs of which the store has to remove what is old or cleared.
    mutating func removeOld() {
        for conversation in conversations.inOrder {
            noteAgreement(in: conversation)
            remove(in: conversation, clears: isUnwanted(conversation) ? .applied : nil)
        }
    }

    /// What goes of a conversation, whatever its age.
    enum Clearing {
        /// What is applied.
        case applied
        /// What the user can see: what is applied, and what is shown although it waits.
        case inSight
    }

    /// The same for one conversation.
    mutating func remove(in conversation: Conversation, clears: Clearing?) {
        let age = removalAge(in: conversation)
        guard age != nil || clears != nil || conversation.isClearing else { return }
        let delivery = deliveryView(of: conversation.id)
        // A removal may turn out not to count; then the user is a member again, unless they have left.
        let hasLeft = conversation.group?.membership.end(of: identity)?.action == .leave
        for (log, state) in conversation.logs {
            let isInSight = clears == .inSight && state.isOverdue(at: turn.now.monotonic)
            let end = isInSight ? state.durable.position : state.applied
            let cleared = clears == nil ? state.cleared : max(state.cleared, end.sequence)
            let own = delivery.logs.first { $0.log == log }
            let reached = own.map { delivery.obsoleteThrough($0, hasLeft ? cleared : 0) }
            let gone = conversation.removedByAuthor(log, links)
            let done = reached ?? conversation.readThrough(log, by: identity, orCleared: cleared)
            let through = conversation.removableThrough(log, done: done, besides: gone)
            guard through > state.durable.floor || cleared > state.cleared else { continue }
            turn.batch.rows.retention.append(
                RetainedLog(
                    conversation: conversation.id,
                    log: log,
                    age: age,
                    cleared: cleared,
                    wall: turn.now.wall,
                    through: through,
                    gone: gone
                )
            )
        }
    }

    /// The peer has removed texts of its own that are missing here, and has been told that they are: from now on it is
    /// told less.
    mutating func tellAuthor(of conversation: ConversationID, theirs: Clock, on link: Link) {
        guard let known = conversations[conversation] else { return }
        let removed = theirs.entries.filter { log, entry in
            guard log.author == link.peer, entry.floor > 0, let first = known.durable(of: log)?.missing.first else {
                return false
            }
            return first <= entry.floor
        }
        sendHave(removed.keys, of: conversation, on: link.id)
    }

    /// Texts were removed: clients drop them, and peers ask others for them.
    mutating func tellFloors(_ floors: [LogFloor]) {
        for floor in floors {
            for id in links.ids where links.session(of: floor.conversation, on: id)?.hearsChanges == true {
                sendHave([floor.log], of: floor.conversation, on: id)
                // What is gone here is not expected there.
                if floor.log.author == identity { recordDelivered(of: floor.conversation, on: id) }
            }
            guard !floor.removed.isEmpty, let record = conversations[floor.conversation]?.record else { continue }
            turn.emit(.notify(.removed(record, floor.removed)))
        }
        let hiding = floors.filter { conversations[$0.conversation]?.hidesWaiting(of: $0.log) == true }
        tellWaiting(in: Set(hiding.map(\.conversation)))
        // What was cleared may go only once something else of it has gone: an edit goes after its message.
        let isOn = floors.contains { $0.isCut || conversations[$0.conversation]?.isClearing == true }
        guard isOn else { return }
        turn.deadlines.advance(.sweep, to: turn.now.monotonic + Limits.retentionPauseMilliseconds)
    }
}

extension Conversation {
    /// The last event of a log whose text may be removed, however old it is: nothing is lost by it.
    ///
    /// Nothing that this user has neither read nor cleared, or that somebody has not received, is removed; and nothing
    /// beyond a text that is missing here, since a floor says that everything below it was here, unless its author has
    /// removed it too.
    ///
    /// - Parameters:
    ///   - done: through where nobody needs the log any more.
    ///   - gone: through where the author of the log has removed texts.
    fileprivate func removableThrough(_ log: LogID, done: UInt64, besides gone: UInt64) -> UInt64 {
        guard let state = logs[log] else { return 0 }
        let missing = state.durable.missing.first { $0 > gone }
        return min(done, state.applied.sequence, missing.map { $0 - 1 } ?? .max)
    }

    /// Through where this user has read a log of somebody else, or has cleared it unread.
    fileprivate func readThrough(_ log: LogID, by identity: PeerID, orCleared cleared: UInt64) -> UInt64 {
        let reads = marks.of(log, by: identity).filter { $0.key.level == .read }.map(\.position.sequence)
        return max(reads.max() ?? 0, cleared)
    }

    /// Through where the author of a log has removed texts, if it is linked; 0 otherwise. Any replica of the author may
    /// say so: a floor covers only what was there.
    fileprivate func removedByAuthor(_ log: LogID, _ links: Links) -> UInt64 {
        links.main(of: log.author)?.sessions[id]?.theirs?.entries[log]?.floor ?? 0
    }
}

extension DeliveryView {
    /// Through where nobody needs one of our logs from here any more: every recipient has it, or there is none.
    ///
    /// - Parameter cleared: through where the user has cleared a log of a group that they left: nobody gets it from here.
    fileprivate func obsoleteThrough(_ own: LogDelivery, _ cleared: UInt64) -> UInt64 {
        guard recipients.isEmpty else { return reachedByAll(own, .delivered).sequence }
        return own.formerAfter == nil ? .max : max(own.formerThrough, cleared)
    }
}
