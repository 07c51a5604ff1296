import ParlanceRecords
import ParlanceWire

/// Which conversations the user has pinned, muted, hidden or deleted, and how long their texts are kept.
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

    /// Whether old texts of any conversation are to be removed.
    var hasRetention: Bool { changed.values.contains { $0.retention != nil } }

    /// Whether lists leave any conversation out.
    var hasUnlisted: Bool { changed.values.contains { $0.unlisted != nil } }

    /// The conversations that the user has deleted.
    var deleted: [ConversationID] { changed.filter { $0.value.unlisted == .deleted }.keys.sorted() }

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
        case .quiet(let part): preference.quiet = part
        case .unmute: (preference.mute, preference.quiet) = (nil, nil)
        case .retain(let period?):
            guard (Limits.leastRetentionMilliseconds...Limits.retentionMilliseconds).contains(period) else {
                return turn.refuse(id, .retentionLength)
            }
            preference.retention = period
            // What is old goes now, and not within the hour.
            turn.deadlines.advance(.sweep, to: turn.now.monotonic)
        case .retain(nil): preference.retention = nil
        case .unlist(let why): preference.unlisted = why
        case .clear: break
        }
        save(preference, of: conversation, &turn)
        // Clients know of it before the user is told that it is done.
        turn.whenDurable(.answer(id, .preference(conversation, preference)))
    }

    /// Lets lists show a conversation again.
    mutating func list(_ conversation: ConversationRecord, _ turn: inout Turn) {
        var preference = self[conversation.id]
        preference.unlisted = nil
        save(preference, of: conversation, &turn)
    }

    private mutating func save(_ preference: Preference, of conversation: ConversationRecord, _ turn: inout Turn) {
        changed[conversation.id] = preference == Preference() ? nil : preference
        turn.batch.rows.preferences.append(PreferenceRecord(conversation: conversation.id, preference: preference))
        turn.whenDurable(.effect(.notify(.preference(conversation, preference))))
    }

    /// Notes how long messages are to stay for everybody, and when this node learned it: whatever the clocks of others say,
    /// nothing goes before that has been known here for its whole time. A noted time that is ahead of a corrected clock
    /// becomes the present.
    mutating func note(agreed milliseconds: Int64?, in conversation: ConversationID, _ turn: inout Turn) {
        var preference = self[conversation]
        let known = preference.agreement
        guard known?.milliseconds != milliseconds || known.map({ $0.since > turn.now.wall }) == true else { return }
        preference.agreement = milliseconds.map { Preference.Agreement(milliseconds: $0, since: turn.now.wall) }
        changed[conversation] = preference == Preference() ? nil : preference
        turn.batch.rows.preferences.append(PreferenceRecord(conversation: conversation, preference: preference))
        turn.saveLazily()
    }

    /// Resets the settings to those on disk after a batch failed.
    mutating func takeBack(_ durable: [ConversationID: Preference]) {
        changed = durable
    }
}
