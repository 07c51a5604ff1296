import ParlanceWire

// Conversations that the user clears, deletes, hides and shows (events.md, "Cleared"). All of it concerns this node only.
extension Engine {
    /// Removes everything that is in a conversation now; what is still to be delivered goes once it is.
    ///
    /// - Parameter deletes: whether lists leave the conversation out from now on.
    mutating func clear(_ who: String, deletes: Bool, _ id: CommandID) {
        guard let conversation = begun(with: who, id) else { return }
        remove(in: conversation, clears: true)
        preferences.apply(deletes ? .unlist(.deleted) : .clear, to: conversation.record, id, &turn)
    }

    /// Whether nothing that comes into a conversation is kept: a group that the user has deleted and is still in.
    func isUnwanted(_ conversation: Conversation) -> Bool {
        conversation.group != nil && preferences[conversation.id].unlisted == .deleted
    }

    /// Whether a message goes again soon: somebody else wrote it in such a group.
    func isUnwanted(_ message: ShownMessage) -> Bool {
        message.log.author != identity && isUnwanted(message.conversation)
    }

    /// Tells which logs are shown although they wait, but not in a group that the user has deleted.
    mutating func tellWaiting(in places: Set<ConversationID>) {
        for place in places.sorted() where !isUnwanted(place) {
            turn.emit(.notify(.waiting(place, conversations.overdueLogs(of: place, at: turn.now.monotonic))))
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
            if !isUnwanted(message.conversation) { list(message.conversation) }
        }
    }

    private mutating func list(_ place: ConversationID) {
        guard let conversation = conversations[place], preferences[place].unlisted != nil else { return }
        let wasUnwanted = isUnwanted(conversation)
        dropUnwanted(conversation)
        preferences.list(conversation.record, &turn)
        if wasUnwanted { tellWaitingAgain(in: place) }
    }

    /// What waits in a group that has come back was told to nobody.
    mutating func tellWaitingAgain(in place: ConversationID) {
        guard !conversations.overdueLogs(of: place, at: turn.now.monotonic).isEmpty else { return }
        tellWaiting(in: [place])
    }

    /// A group that was deleted comes back without what came in the meantime.
    mutating func dropUnwanted(_ conversation: Conversation) {
        if isUnwanted(conversation) { remove(in: conversation, clears: true) }
    }

    /// What has come into a group that the user has deleted goes soon.
    mutating func sweepUnwanted(_ applied: [AppliedLog]) {
        guard preferences.hasUnlisted else { return }
        guard applied.contains(where: { isUnwanted($0.conversation) }) else { return }
        turn.deadlines.advance(.sweep, to: turn.now.monotonic + Limits.retentionDelayMilliseconds)
    }
}
