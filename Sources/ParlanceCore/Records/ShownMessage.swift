package import ParlanceWire

/// Something that people see in a conversation: a message, or a line that says how the group changed.
package struct ShownMessage: Equatable, Sendable {
    package var id: EventID
    package var conversation: ConversationID
    package var log: LogID
    package var sequence: UInt64
    package var time: WrittenTime
    /// Its place in the order shown, before the ID (events.md, "Order").
    package var effective: UInt64
    package var content: Content
    /// Shown before something that it refers to is here: its place is the earliest it can have.
    package var isProvisional = false
    /// Of one's own, and counts for nobody: one was no member of the group any more when it was written.
    package var isVoid = false

    package enum Content: Equatable, Sendable {
        /// A message with nothing about it but its text: nearly all are.
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

    /// The text as it is now: empty if it was deleted, and in a note.
    package var text: String {
        switch content {
        case .text(let text): text
        case .rich(let rich): rich.deletion == nil ? rich.text : ""
        case .note: ""
        }
    }

    /// What is about a message beside its text; `nil` in a note.
    package var rich: RichMessage? {
        switch content {
        case .text(let text): RichMessage(text: text)
        case .rich(let rich): rich
        case .note: nil
        }
    }

    /// It but for the text of what it answers, which becomes another while nothing is done to this one.
    package var withoutQuotation: ShownMessage {
        guard case .rich(var rich) = content, rich.quote != nil else { return self }
        rich.quote?.text = ""
        var message = self
        message.content = .rich(rich)
        return message
    }

    package var note: GroupNote? { if case .note(let note) = content { note } else { nil } }

    /// The name of the line that says that a log is forked; it stands before the first event of the branches.
    package static func forkNote(of log: LogID, at base: LogPosition) -> EventID {
        let bytes = log.author.bytes + log.replica.bytes + base.head.bytes
        return EventID(value: Bytes32(hashing: bytes, domain: Domain.branch))
    }

    /// By what others refer to it: a reply, an edit, a reaction.
    package var reference: EventReference { EventReference(log: log, sequence: sequence, id: id) }
}

/// A message with what has come to it.
package struct RichMessage: Equatable, Sendable {
    package var text: String
    package var quote: Quote?
    /// How many versions of the text there are; 1 if it was never edited.
    package var versions = 1
    package var deletion: Deletion?
    package var reactions: [Reaction] = []
    package var mentions: [PeerID] = []

    package init(text: String) {
        self.text = text
    }

    /// The message that this one answers.
    package struct Quote: Equatable, Sendable {
        package var message: EventReference
        /// The beginning of its text as it is now, at most `Limits.previewBytes`; empty if it is not shown.
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
        /// Who, in the order shown.
        package var members: [PeerID]

        package init(emoji: String, members: [PeerID]) {
            self.emoji = emoji
            self.members = members
        }
    }
}

/// How a group changed.
package enum GroupNote: Equatable, Sendable {
    case created(title: String, members: [PeerID])
    case added([PeerID])
    case removed([PeerID])
    case left
    case appointed([PeerID])
    case dismissed([PeerID])
    case renamed(String)
    /// Empty: the topic was taken away.
    case topic(String)
    /// The author's log has two branches from here on: a restored backup, a copied folder, or a forgery.
    case forked

    package init(_ change: MembershipChange) {
        switch change.action {
        case .create(let title): self = .created(title: title, members: change.subjects)
        case .add: self = .added(change.subjects)
        case .remove: self = .removed(change.subjects)
        case .leave: self = .left
        case .appoint: self = .appointed(change.subjects)
        case .dismiss: self = .dismissed(change.subjects)
        }
    }
}
