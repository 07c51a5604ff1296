// Operations that take a conversation out of this computer, or out of the list. Nobody else learns of them.

/// `conversation.clear`: removes what is in a conversation now.
package struct ConversationClearOperation: ControlOperation {
    package typealias Reply = ClearReply
    package static let method = "conversation.clear"

    /// A peer or a group (see WHO in protocol/control.md).
    package var who: String

    package init(who: String) {
        self.who = who
    }
}

/// `conversation.delete`: removes what is in a conversation now, and takes the conversation out of lists.
package struct ConversationDeleteOperation: ControlOperation {
    package typealias Reply = ClearReply
    package static let method = "conversation.delete"

    /// A peer or a group (see WHO in protocol/control.md).
    package var who: String

    package init(who: String) {
        self.who = who
    }
}

/// What became of a conversation that was cleared or deleted.
package struct ClearReply: Codable, Equatable, Sendable {
    /// The conversation's ID.
    package var conversation: String
    package var kind: ConversationKind
    /// The name of the conversation: the group's title or the peer's name.
    package var title: String
    /// How far the peer is trusted; absent in groups.
    package var trust: Trust?
    /// How many of the user's messages and changes stay until they are delivered.
    package var waiting: Int
    /// Whether lists leave it out now; absent if not.
    package var hidden: Bool?

    package init(
        conversation: String,
        kind: ConversationKind = .direct,
        title: String,
        trust: Trust? = nil,
        waiting: Int = 0,
        hidden: Bool? = nil
    ) {
        self.conversation = conversation
        self.kind = kind
        self.title = title
        self.trust = trust
        self.waiting = waiting
        self.hidden = hidden
    }
}

/// `conversation.hide`: takes a conversation out of lists until something new is written in it.
package struct ConversationHideOperation: ControlOperation {
    package typealias Reply = PreferenceInfo
    package static let method = "conversation.hide"

    /// A peer or a group (see WHO in protocol/control.md).
    package var who: String

    package init(who: String) {
        self.who = who
    }
}

/// `conversation.show`: lets lists show a hidden or deleted conversation again.
package struct ConversationShowOperation: ControlOperation {
    package typealias Reply = PreferenceInfo
    package static let method = "conversation.show"

    /// A peer or a group (see WHO in protocol/control.md).
    package var who: String

    package init(who: String) {
        self.who = who
    }
}

/// `disk`: what takes room on this computer.
package struct DiskOperation: BareOperation {
    package typealias Reply = DiskReply
    package static let method = "disk"

    package init() {}
}

/// What takes room on this computer, in bytes.
package struct DiskReply: Codable, Equatable, Sendable {
    /// The conversations that take the most come first.
    package var conversations: [DiskEntry]
    /// All whole files, each once however many conversations name it.
    package var files: UInt64
    /// Files that are fetched and not whole yet.
    package var unfinished: UInt64
    /// The index for searching.
    package var search: UInt64
    /// The pictures that people show of themselves.
    package var pictures: UInt64
    /// Messages that this node keeps for others as a courier.
    package var envelopes: UInt64
    /// How many these are.
    package var envelopeCount: Int
    /// The database, in which texts, index and envelopes are.
    package var store: UInt64
    /// What is free in it: texts that are removed make room there, and the database does not get smaller.
    package var storeFree: UInt64
    /// What is kept for when the disk is full, so that room can be made then; absent from older daemons.
    package var reserve: UInt64?
    /// What others than the administrator can still write on the disk; absent if it is not known.
    package var free: UInt64?

    package init(
        conversations: [DiskEntry],
        files: UInt64 = 0,
        unfinished: UInt64 = 0,
        search: UInt64 = 0,
        pictures: UInt64 = 0,
        envelopes: UInt64 = 0,
        envelopeCount: Int = 0,
        store: UInt64 = 0,
        storeFree: UInt64 = 0,
        reserve: UInt64? = nil,
        free: UInt64? = nil
    ) {
        self.conversations = conversations
        self.files = files
        self.unfinished = unfinished
        self.search = search
        self.pictures = pictures
        self.envelopes = envelopes
        self.envelopeCount = envelopeCount
        self.store = store
        self.storeFree = storeFree
        self.reserve = reserve
        self.free = free
    }
}

/// What one conversation takes.
package struct DiskEntry: Codable, Equatable, Sendable {
    /// The conversation's ID.
    package var conversation: String
    package var kind: ConversationKind
    /// The name of the conversation: the group's title or the peer's name.
    package var title: String
    /// How far the peer is trusted; absent in groups.
    package var trust: Trust?
    /// Whether lists leave it out; absent if not.
    package var hidden: Bool?
    /// How many messages it shows.
    package var messages: Int
    /// Bytes of its messages and of everything else that was written in it.
    package var messageBytes: UInt64
    /// How many files are here that its messages name, whole or in part.
    package var files: Int
    /// Their bytes. A file that several conversations name counts in each.
    package var fileBytes: UInt64

    package init(
        conversation: String,
        kind: ConversationKind = .direct,
        title: String,
        trust: Trust? = nil,
        hidden: Bool? = nil,
        messages: Int = 0,
        messageBytes: UInt64 = 0,
        files: Int = 0,
        fileBytes: UInt64 = 0
    ) {
        self.conversation = conversation
        self.kind = kind
        self.title = title
        self.trust = trust
        self.hidden = hidden
        self.messages = messages
        self.messageBytes = messageBytes
        self.files = files
        self.fileBytes = fileBytes
    }

    package var bytes: UInt64 { messageBytes + fileBytes }
}
