package import ParlanceWire

/// An entry of a conversation as people see it: a message, or a line that describes a change of the group.
package struct ShownMessage: Equatable, Sendable {
    package var id: EventID
    package var conversation: ConversationID
    package var log: LogID
    package var sequence: UInt64
    package var time: WrittenTime
    /// The effective time: the first key of the display order, before the ID (events.md, "Order").
    package var effective: UInt64
    package var content: Content
    /// Shown before an event that it refers to is held. Its position is the earliest possible one.
    package var isProvisional = false
    /// Our own message that does not count, since we were no longer a member of the group when we wrote it.
    package var isVoid = false

    package enum Content: Equatable, Sendable {
        /// A message with a text and nothing else, as most are.
        case text(String)
        indirect case rich(RichMessage)
        indirect case note(GroupNote)
    }

    package init(
        id: EventID,
        conversation: ConversationID,
        log: LogID,
        sequence: UInt64,
        time: WrittenTime,
        effective: UInt64,
        content: Content
    ) {
        self.id = id
        self.conversation = conversation
        self.log = log
        self.sequence = sequence
        self.time = time
        self.effective = effective
        self.content = content
    }

    /// The current text: empty for a deleted message and for a note.
    package var text: String {
        switch content {
        case .text(let text): text
        case .rich(let rich): rich.deletion == nil ? rich.text : ""
        case .note: ""
        }
    }

    /// The message with its annotations; `nil` for a note.
    package var rich: RichMessage? {
        switch content {
        case .text(let text): RichMessage(text: text)
        case .rich(let rich): rich
        case .note: nil
        }
    }

    /// A copy without the quoted text, which can change although this message does not.
    package var withoutQuotation: ShownMessage {
        guard case .rich(var rich) = content, rich.quote != nil else { return self }
        rich.quote?.text = ""
        var message = self
        message.content = .rich(rich)
        return message
    }

    package var note: GroupNote? { if case .note(let note) = content { note } else { nil } }

    /// The ID of the line that says that a log is forked. The line precedes the first event of the branches. The
    /// base is an event of the conversation; a log that forks at its start has none, so the conversation stands for it.
    package static func forkNote(of log: LogKey, at base: LogPosition) -> EventID {
        let place = base.sequence == 0 ? log.conversation.bytes : base.head.bytes
        let bytes = log.log.author.bytes + log.log.replica.bytes + place
        return EventID(value: Bytes32(hashing: bytes, domain: Domain.branch))
    }

    /// How other events refer to it: replies, edits, reactions.
    package var reference: EventReference { EventReference(log: log, sequence: sequence, id: id) }
}

/// A message with its edits, deletion, reactions, quote and mentions.
package struct RichMessage: Equatable, Sendable {
    package var text: String
    package var quote: Quote?
    /// The number of versions of the text; 1 if it was never edited.
    package var versions = 1
    package var deletion: Deletion?
    package var reactions: [Reaction] = []
    package var mentions: [PeerID] = []
    package var files: [FileMention] = []

    package init(text: String) {
        self.text = text
    }

    /// The message that a reply answers.
    package struct Quote: Equatable, Sendable {
        package var message: EventReference
        /// The beginning of its current text, at most `Limits.previewBytes`, or the name of its first file if it has no text;
        /// empty if the message is not shown.
        package var text: String

        package init(message: EventReference, text: String) {
            self.message = message
            self.text = text
        }
    }

    package struct Deletion: Equatable, Sendable {
        package var author: PeerID
        package var time: WrittenTime

        package init(author: PeerID, time: WrittenTime) {
            self.author = author
            self.time = time
        }
    }

    package struct Reaction: Equatable, Sendable {
        package var emoji: String
        /// The members who reacted, in display order.
        package var members: [PeerID]

        package init(emoji: String, members: [PeerID]) {
            self.emoji = emoji
            self.members = members
        }
    }
}

/// How a group changed, or what concerns all messages of a conversation.
package enum GroupNote: Equatable, Sendable {
    case created(title: String, members: [PeerID])
    case added([PeerID])
    case removed([PeerID])
    case left
    case appointed([PeerID])
    case dismissed([PeerID])
    case renamed(String)
    /// An empty topic removes it.
    case topic(String)
    /// How long messages are to stay for everybody; 0: without an end.
    case lifetime(seconds: UInt64)
    /// The author's log has two branches: a restored backup, a copied folder, or a forgery.
    case forked
}
