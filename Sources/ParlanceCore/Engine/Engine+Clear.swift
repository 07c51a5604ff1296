import ParlanceHistory
import ParlanceRecords
import ParlanceWire

// Conversations that the user clears, deletes, hides and shows (events.md, "Cleared"). All of it concerns this node only.
extension Engine {
    /// Removes everything that is in a conversation now; what is still to be delivered goes once it is.
    ///
    /// - Parameter deletes: whether lists leave the conversation out from now on.
    mutating func clear(_ who: String, deletes: Bool, _ id: CommandID) {
        guard let conversation = begun(with: who, id) else { return }
        remove(in: conversation, clears: isUnwanted(conversation) ? .applied : .inSight)
        preferences.apply(deletes ? .unlist(.deleted) : .clear, to: conversation.record, id, &turn)
    }

    /// Whether nothing that comes into a conversation is kept: a group that the user has deleted and is still in.
    func isUnwanted(_ conversation: Conversation) -> Bool {
        conversation.group != nil && preferences[conversation.id].unlisted == .deleted
    }

    /// Whether a message goes again soon that has just become visible: it is unwanted, or the user has cleared it while it
    /// waited.
    func isUnwanted(_ message: ShownMessage) -> Bool {
        comesUnwanted(message)
            || conversations[message.conversation]?.isCleared(message.sequence, of: message.log) == true
    }

    /// Whether somebody else wrote a message in a group that the user has deleted.
    func comesUnwanted(_ message: ShownMessage) -> Bool {
        message.log.author != identity && isUnwanted(message.conversation)
    }

    /// Tells which logs are shown although they wait, but not in a group that the user has deleted.
    mutating func tellWaiting(in places: Set<ConversationID>) {
        for place in places.sorted() where !isUnwanted(place) {
            turn.emit(.notify(.waiting(place, conversations.overdueLogs(of: place, at: turn.now.monotonic))))
        }
    }

    /// Tells who is no longer a member: the log that says it may never come.
    mutating func tellDepartures(_ departures: [(conversation: ConversationID, events: [EventID])]) {
        let ordered = departures.sorted { $0.conversation < $1.conversation }
        for (place, events) in ordered where !isUnwanted(place) {
            turn.emit(.notify(.departed(place, events)))
        }
    }

    private func isUnwanted(_ place: ConversationID) -> Bool { conversations[place].map { isUnwanted($0) } ?? false }

    /// Lets conversations come back in which something new is written, in the batch in which it comes: a message is never
    /// on the disk in a conversation that nobody sees.
    mutating func listAgain() {
        guard preferences.hasUnlisted else { return }
        var places: Set<ConversationID> = []
        for event in turn.batch.rows.events where event.header.kind == .message {
            let place = event.header.conversation
            if event.log == ownLog || !isUnwanted(place) { places.insert(place) }
        }
        for found in turn.batch.rows.bodies where !isUnwanted(found.conversation) { places.insert(found.conversation) }
        for (place, membership) in turn.batch.groups where membership.isMember(identity) {
            // Somebody has added this user again.
            if conversations[place]?.group?.durable.isMember(identity) == false { places.insert(place) }
        }
        for place in places.sorted() { list(place) }
    }

    /// The same for what has become visible although it came before its conversation was hidden: it was on its way to the
    /// disk, or waited for something.
    mutating func listAgain(with shown: [ShownMessage]) {
        guard preferences.hasUnlisted else { return }
        for message in shown where message.note == nil {
            if !isUnwanted(message) { list(message.conversation) }
        }
    }

    private mutating func list(_ place: ConversationID) {
        guard let conversation = conversations[place], preferences[place].unlisted != nil else { return }
        relist(conversation) { $0.list(conversation.record, &$1) }
    }

    /// Changes whether a conversation is listed. A group that was deleted comes back without what came in the meantime; what
    /// waits in it was told to nobody, so it is told now.
    mutating func relist(_ conversation: Conversation, _ change: (inout Preferences, inout Turn) -> Void) {
        let wasUnwanted = isUnwanted(conversation)
        if wasUnwanted { remove(in: conversation, clears: .applied) }
        change(&preferences, &turn)
        let overdue = conversations.overdueLogs(of: conversation.id, at: turn.now.monotonic)
        if wasUnwanted && !overdue.isEmpty { tellWaiting(in: [conversation.id]) }
    }

    /// What was cleared while it waited goes now, and what has come into a group that the user has deleted goes soon.
    mutating func sweepUnwanted(_ applied: [AppliedLog]) {
        let isCleared = applied.contains { conversations[$0.conversation]?.isClearing($0.log) == true }
        if isCleared { turn.deadlines.advance(.sweep, to: turn.now.monotonic) }
        guard preferences.hasUnlisted, applied.contains(where: { isUnwanted($0.conversation) }) else { return }
        turn.deadlines.advance(.sweep, to: turn.now.monotonic + Limits.retentionDelayMilliseconds)
    }
}
