/// `conversations`: all conversations.
package struct ConversationsOperation: BareOperation {
    package typealias Reply = ConversationsReply
    package static let method = "conversations"

    package init() {}
}

/// All conversations: pinned ones before others, then the latest activity first.
package struct ConversationsReply: Codable, Equatable, Sendable {
    package var conversations: [ConversationInfo]

    package init(conversations: [ConversationInfo]) {
        self.conversations = conversations
    }
}

/// `history`: a page of a conversation.
package struct HistoryOperation: ControlOperation {
    package typealias Reply = HistoryReply
    package static let method = "history"

    /// The page size if none is given.
    package static let defaultLimit = 50
    /// The largest page: 200 texts of ordinary length stay far under the limit of a line.
    package static let maximumLimit = 200

    /// A peer or a group (see WHO in protocol/control.md).
    package var who: String
    /// Only messages before the one with this ID. At most one of `before`, `after`, `around` and `unread` is given;
    /// without them it is the newest page.
    package var before: String?
    /// Only messages after the one with this ID, the oldest of them; empty for the beginning of the conversation.
    package var after: String?
    /// Messages before and after the one with this ID, and itself.
    package var around: String?
    /// True: messages before and after the first unread one, and itself; the newest page if there is none.
    package var unread: Bool?
    /// How many messages at most, 1 to `maximumLimit`; absent means `defaultLimit`.
    package var limit: Int?

    package init(
        who: String,
        before: String? = nil,
        after: String? = nil,
        around: String? = nil,
        unread: Bool? = nil,
        limit: Int? = nil
    ) {
        self.who = who
        self.before = before
        self.after = after
        self.around = around
        self.unread = unread
        self.limit = limit
    }
}

/// One page of a conversation, newest last.
package struct HistoryReply: Codable, Equatable, Sendable {
    package var conversation: ConversationInfo
    package var messages: [MessageInfo]
    /// Whether there are older messages than these; in answer to `after`, newer ones.
    package var more: Bool
    /// Whether there are newer messages than these; only with `around` or `unread`, and absent if there are none.
    package var newer: Bool?

    package init(conversation: ConversationInfo, messages: [MessageInfo], more: Bool) {
        self.conversation = conversation
        self.messages = messages
        self.more = more
    }
}

/// `read`: marks a conversation as read.
package struct ReadOperation: ControlOperation {
    package typealias Reply = ReadReply
    package static let method = "read"

    /// A peer or a group (see WHO in protocol/control.md).
    package var who: String
    /// The ID of the last message that was shown: what comes after it stays unread. Absent means everything.
    package var through: String?

    package init(who: String, through: String? = nil) {
        self.who = who
        self.through = through
    }
}

/// The reply of `read`.
package struct ReadReply: Codable, Equatable, Sendable {
    package var conversation: String
    /// How many messages were unread until now.
    package var marked: Int

    package init(conversation: String, marked: Int) {
        self.conversation = conversation
        self.marked = marked
    }
}

/// `typing`: shows that the user types in a conversation.
package struct TypingOperation: ControlOperation {
    package typealias Reply = DoneReply
    package static let method = "typing"

    /// A peer or a group (see WHO in protocol/control.md).
    package var who: String

    package init(who: String) {
        self.who = who
    }
}
