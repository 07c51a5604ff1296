/// `send`: writes a message; the reply comes when it is durable in the store of this node.
package struct SendOperation: ControlOperation {
    package typealias Reply = SendReply
    package static let method = "send"

    /// A peer or a group (see WHO in protocol/control.md).
    package var who: String
    /// At most 64 KiB of UTF-8, not blank without files.
    package var text: String
    /// At most 32 files that are on the shelf (`file.add`); absent means none.
    package var files: [FileToSend]?

    package init(who: String, text: String, files: [FileToSend]? = nil) {
        self.who = who
        self.text = text
        self.files = files
    }
}

/// A message that is durable in the store of this node.
package struct SendReply: Codable, Equatable, Sendable {
    package var id: String
    package var conversation: String
    /// The sequence number of the message in the local log of the conversation, from 1; `status` events refer to it.
    package var sequence: UInt64
    package var time: ControlTime
    /// Absent if it has no recipients, as in a group without other members.
    package var status: MessageStatus?
    /// How many recipients are connected now, so that it reaches them at once; older daemons do not say it.
    package var connected: Int?
    /// Set if this is the first contact: the message accepted a peer that was not accepted before.
    package var firstContact: Bool?
    /// The message that `last` stood for; only in the reply to a request that said `last`.
    package var meant: ResolvedMessage?
    /// What looks like a mention in the text and means nobody; absent if there is nothing of the kind.
    package var unknownMentions: [UnknownMention]?

    package init(id: String, conversation: String, sequence: UInt64, time: ControlTime, status: MessageStatus?) {
        self.id = id
        self.conversation = conversation
        self.sequence = sequence
        self.time = time
        self.status = status
    }
}

/// `reply`: answers a message.
package struct ReplyOperation: ControlOperation {
    package typealias Reply = SendReply
    package static let method = "reply"

    /// The ID of the message, an unambiguous prefix of 8 or more characters, or `last` (protocol/control.md).
    package var id: String
    /// At most 64 KiB of UTF-8, not blank without files.
    package var text: String
    /// At most 32 files that are on the shelf (`file.add`); absent means none.
    package var files: [FileToSend]?

    package init(id: String, text: String, files: [FileToSend]? = nil) {
        self.id = id
        self.text = text
        self.files = files
    }
}

/// `edit`: replaces the text of a message of this user; the reply is the message as it is now.
package struct EditOperation: ControlOperation {
    package typealias Reply = MessageInfo
    package static let method = "edit"

    /// The ID of the message, an unambiguous prefix of 8 or more characters, or `last` (protocol/control.md).
    package var id: String
    /// At most 64 KiB of UTF-8, not blank.
    package var text: String

    package init(id: String, text: String) {
        self.id = id
        self.text = text
    }
}

/// `delete`: deletes a message; the reply is the message as it is now.
package struct DeleteOperation: ControlOperation {
    package typealias Reply = MessageInfo
    package static let method = "delete"

    /// The ID of the message, an unambiguous prefix of 8 or more characters, or `last` (protocol/control.md).
    package var id: String

    package init(id: String) {
        self.id = id
    }
}

/// `react`: adds a reaction to a message, or removes one; the reply is the message as it is now.
package struct ReactOperation: ControlOperation {
    package typealias Reply = MessageInfo
    package static let method = "react"

    /// The ID of the message, an unambiguous prefix of 8 or more characters, or `last` (protocol/control.md).
    package var id: String
    /// At most 32 bytes of UTF-8.
    package var emoji: String
    /// Whether to remove the reaction of this kind; absent means no.
    package var remove: Bool?

    package init(id: String, emoji: String, remove: Bool? = nil) {
        self.id = id
        self.emoji = emoji
        self.remove = remove
    }
}

/// `info`: who has a message, who has read it, and its earlier versions.
package struct InfoOperation: ControlOperation {
    package typealias Reply = MessageLife
    package static let method = "info"

    /// The ID of the message, an unambiguous prefix of 8 or more characters, or `last` (protocol/control.md).
    package var id: String
    /// Whether `last` stands for the newest message of somebody else, as in `reply`, and not for one of this user.
    package var others: Bool?

    package init(id: String) {
        self.id = id
    }
}
