package import ParlanceRecords
package import ParlanceWire

/// Decides what people see of an event, from the event and its predecessors (events.md, "Void events", "Order").
///
/// It is a pure function of the set of events: the order in which they arrive does not matter, so projections can be
/// dropped and rebuilt.
package enum Projector {
    /// An applied event, reduced to what later events need to know of it.
    package struct Applied: Equatable, Sendable {
        package var id: EventID
        package var time: EventTime
        package var effective: UInt64

        package init(id: EventID, time: EventTime, effective: UInt64) {
            self.id = id
            self.time = time
            self.effective = effective
        }
    }

    /// The author's rights at the position of an event.
    package struct Rights: Equatable, Sendable {
        package var isMember: Bool
        package var isAdmin: Bool
        /// Only groups have titles and topics.
        package var isGroup = true

        package init(isMember: Bool, isAdmin: Bool) {
            self.isMember = isMember
            self.isAdmin = isAdmin
        }

        /// All rights: for reading an event that is known to count.
        package static let whole = Rights(isMember: true, isAdmin: true)

        /// In a direct conversation both identities are always members, and neither is an admin.
        package static let direct: Rights = {
            var rights = Rights(isMember: true, isAdmin: false)
            rights.isGroup = false
            return rights
        }()
    }

    package enum Verdict: Equatable, Sendable {
        /// A message to show.
        case message(MessageText)
        /// Withdraws the author's own message with that sequence in the same log.
        case withdraw(sequence: UInt64)
        /// Replaces the text of the author's own message that the header names.
        case edit(MessageText)
        /// Deletes the text of the message that the header names.
        case delete
        /// Adds or removes the author's reaction to the message that the header names.
        case reaction(emoji: String, removed: Bool)
        /// A change of the group, shown on a line of its own.
        case note(GroupNote)
        /// Held and counted; not shown.
        case nothing
        /// Breaks a rule: held and counted, but not shown.
        case void(VoidReason)
    }

    package enum VoidReason: String, Equatable, Sendable {
        case timeNotAfterPredecessor, notMember, bodyTooLarge, malformedBody, textTooLarge, blankText
        case noTarget, notTheAuthor, notAdmin, invalidChange
    }

    /// The upper bound of effective times: the largest integer that SQLite holds.
    package static let latest = UInt64(Int64.max)

    /// The upper bound of an author's own time. It leaves room for the effective times of the events that follow.
    package static let latestOwn: UInt64 = 1 << 62

    /// `max(own time, 1 + effective time of the log predecessor and of each event referred to)`, saturating.
    package static func effective(time: EventTime, after earlier: [UInt64]) -> UInt64 {
        earlier.reduce(min(time.raw, latestOwn)) { max($0, $1 >= latest ? latest : $1 + 1) }
    }

    /// The same for an event that follows only its log predecessor, which is the common case.
    package static func effective(time: EventTime, after predecessor: UInt64?) -> UInt64 {
        let own = min(time.raw, latestOwn)
        guard let predecessor else { return own }
        return max(own, predecessor >= latest ? latest : predecessor + 1)
    }

    /// Judges an event.
    ///
    /// - Parameters:
    ///   - predecessor: the previous event of the same log; `nil` at sequence 1.
    ///   - rights: the author's rights at this position.
    ///   - isValidChange: whether a membership event counts (`Membership.isValid`).
    package static func judge(
        _ event: StoredEvent,
        after predecessor: Applied?,
        rights: Rights = .direct,
        isValidChange: Bool = false
    ) -> Verdict {
        if let predecessor, event.header.time <= predecessor.time { return .void(.timeNotAfterPredecessor) }
        guard (event.body?.count ?? 0) <= Limits.bodyBytes else { return .void(.bodyTooLarge) }
        switch event.header.kind {
        case .withdraw: return judgeWithdrawal(event)
        case .create, .members: return judgeChange(event, isValid: isValidChange)
        case .link, .unknown: return .nothing
        default: break
        }
        // As with a withdrawal, the author needs no right for it, so no membership event can make it void.
        if event.header.kind == .delete, event.header.target?.log.author == event.header.log.author { return .delete }
        guard rights.isMember else { return .void(.notMember) }
        switch event.header.kind {
        case .message: return judgeText(event.body) { .message($0) }
        case .edit, .delete, .reaction: return judgeAboutAnother(event, rights)
        case .title: return rights.isGroup ? judgeTitle(event.body) : .void(.invalidChange)
        case .topic: return rights.isGroup ? judgeTopic(event.body) : .void(.invalidChange)
        case .lifetime: return rights.isGroup && !rights.isAdmin ? .void(.notAdmin) : judgeLifetime(event.body)
        default: return .nothing
        }
    }

    /// - Parameter isEdit: it can name no files.
    private static func judgeText(
        _ body: [UInt8]?,
        isEdit: Bool = false,
        _ verdict: (MessageText) -> Verdict
    ) -> Verdict {
        guard let body else { return .nothing }
        if let text = PlainText.read(body) { return judge(text) ?? verdict(MessageText(text)) }
        guard let message = WireMessageBody(decoding: body), message.mentions.count <= Limits.mentions else {
            return .void(.malformedBody)
        }
        var text = MessageText(message.text, mentions: message.mentions.compactMap { PeerID($0) })
        guard !isEdit, !message.files.isEmpty else { return judge(text.text) ?? verdict(text) }
        text.files = message.files.prefix(Limits.filesPerMessage + 1).compactMap { FileMention($0) }
        guard text.files.count == message.files.count, text.files.count <= Limits.filesPerMessage else {
            return .void(.malformedBody)
        }
        return text.text.utf8.count <= Limits.textBytes ? verdict(text) : .void(.textTooLarge)
    }

    /// The reason why a text is not shown; `nil` if it is shown.
    private static func judge(_ text: String) -> Verdict? {
        guard text.utf8.count <= Limits.textBytes else { return .void(.textTooLarge) }
        return text.isBlank ? .void(.blankText) : nil
    }

    private static func judgeAboutAnother(_ event: StoredEvent, _ rights: Rights) -> Verdict {
        guard let target = event.header.target else { return .void(.noTarget) }
        let isOwn = target.log.author == event.header.log.author
        switch event.header.kind {
        case .edit:
            // The body of an edit has the format of a message's body.
            return isOwn ? judgeText(event.body, isEdit: true) { .edit($0) } : .void(.notTheAuthor)
        case .delete: return rights.isAdmin ? .delete : .void(.notTheAuthor)
        case .reaction:
            guard let body = event.body, let reaction = WireReactionBody(decoding: body),
                reaction.emoji.isEmoji
            else { return .void(.malformedBody) }
            return .reaction(emoji: reaction.emoji, removed: reaction.removed)
        default: return .nothing
        }
    }

    private static func judgeChange(_ event: StoredEvent, isValid: Bool) -> Verdict {
        guard let note = MembershipChange(event).flatMap(GroupNote.init) else { return .void(.malformedBody) }
        return isValid ? .note(note) : .void(.invalidChange)
    }

    private static func judgeTitle(_ body: [UInt8]?) -> Verdict {
        guard let body, let title = WireTitleBody(decoding: body)?.title, title.isTitle else {
            return .void(.malformedBody)
        }
        return .note(.renamed(title))
    }

    private static func judgeTopic(_ body: [UInt8]?) -> Verdict {
        guard let body, let topic = WireTopicBody(decoding: body)?.topic, topic.isEmpty || topic.isTitle else {
            return .void(.malformedBody)
        }
        return .note(.topic(topic))
    }

    private static func judgeLifetime(_ body: [UInt8]?) -> Verdict {
        guard let body, let seconds = WireLifetimeBody(decoding: body)?.seconds,
            seconds == 0 || Lifetime.range.contains(seconds)
        else { return .void(.malformedBody) }
        return .note(.lifetime(seconds: seconds))
    }

    private static func judgeWithdrawal(_ event: StoredEvent) -> Verdict {
        guard let body = event.body, let withdrawal = WireWithdrawBody(decoding: body),
            withdrawal.sequence >= 1, withdrawal.sequence < event.header.sequence
        else { return .void(.malformedBody) }
        return .withdraw(sequence: withdrawal.sequence)
    }
}

extension String {
    /// Whether it contains only whitespace.
    package var isBlank: Bool { unicodeScalars.allSatisfy(\.properties.isWhitespace) }

    /// Whether it can be a reaction: visible, short and on one line.
    package var isEmoji: Bool { !isBlank && utf8.count <= Limits.emojiBytes && !hasControlCharacters }
}
