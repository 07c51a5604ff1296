import ParlanceWire

/// Which conversations the user has pinned, and which are muted.
///
/// - It owns the settings that differ from those of a new conversation.
/// - It takes commands.
/// - It returns no facts: these settings change nothing between nodes, and clients follow them by notices.
struct Preferences: Equatable, Sendable {
    private var changed: [ConversationID: Preference]

    init(_ stored: [ConversationID: Preference]) {
        changed = stored
    }

    subscript(conversation: ConversationID) -> Preference { changed[conversation] ?? Preference() }

    /// The settings that differ from those of a new conversation, in the order of the conversations' IDs.
    var inOrder: [PreferenceRecord] {
        changed.sorted { $0.key < $1.key }.map { PreferenceRecord(conversation: $0.key, preference: $0.value) }
    }

    mutating func apply(
        _ change: PreferenceChange,
        to conversation: ConversationRecord,
        _ id: CommandID,
        _ turn: inout Turn
    ) {
        var preference = self[conversation.id]
        // A mute that has ended is no setting any more.
        if !preference.isMuted(at: turn.now.wall) { preference.mute = nil }
        switch change {
        case .pin(let isPinned): preference.isPinned = isPinned
        case .mute(nil): preference.mute = .always
        case .mute(let milliseconds?):
            guard (1...Limits.muteMilliseconds).contains(milliseconds) else { return turn.refuse(id, .muteLength) }
            preference.mute = .until(turn.now.wall + milliseconds)
        case .unmute: preference.mute = nil
        }
        changed[conversation.id] = preference == Preference() ? nil : preference
        turn.batch.rows.preferences.append(PreferenceRecord(conversation: conversation.id, preference: preference))
        // Clients know of it before the user is told that it is done.
        turn.whenDurable(.effect(.notify(.preference(conversation, preference))))
        turn.whenDurable(.answer(id, .preference(conversation, preference)))
    }

    /// Resets the settings to those on disk after a batch failed.
    mutating func takeBack(_ durable: [ConversationID: Preference]) {
        changed = durable
    }
}
