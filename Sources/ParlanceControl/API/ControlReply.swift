/// What a node answers; each request has one kind of reply.
package enum ControlReply: Equatable, Sendable {
    /// To `status`.
    case status(NodeStatus)
    /// To `identity`.
    case identity(IdentityInfo)
    /// To `name`: the name that holds now.
    case name(NameReply)
    /// To `alias`, `accept`, `decline`, `block` and `unblock`: the peer as it is now.
    case peer(PeerInfo)
    /// To `requests`.
    case requests(RequestsReply)
    /// To `verify`.
    case verification(VerificationInfo)
    /// To `peers`.
    case peers(PeersReply)
    /// To `send` and `reply`.
    case sent(SendReply)
    /// To `conversations`.
    case conversations(ConversationsReply)
    /// To `history`.
    case history(HistoryReply)
    /// To `read`.
    case read(ReadReply)
    /// To `outbox`.
    case outbox(OutboxReply)
    /// To `outboxRetry`, `outboxCancel`, `edit`, `delete` and `react`: the message as it is now.
    case message(MessageInfo)
    /// To `presence`: the own presence that holds now.
    case presence(OwnPresence)
    /// To `info`.
    case life(MessageLife)
    /// To `doctor`.
    case findings(Findings)
    /// To everything about groups: the group as it is now.
    case group(GroupInfo)
    /// To everything about the workspace.
    case workspace(WorkspaceReply)
    /// To `forget`, `typing` and `passphrase`.
    case done
}

/// The own name.
package struct NameReply: Codable, Equatable, Sendable {
    package var name: String

    package init(name: String) {
        self.name = name
    }
}

/// Every peer the node knows of, connected ones first, then by name.
package struct PeersReply: Codable, Equatable, Sendable {
    package var peers: [PeerInfo]

    package init(peers: [PeerInfo]) {
        self.peers = peers
    }
}

/// A message that is durable in the own store.
package struct SendReply: Codable, Equatable, Sendable {
    package var id: String
    package var conversation: String
    /// The message's number in the own log of the conversation, from 1; `status` events count by it.
    package var sequence: UInt64
    package var time: ControlTime
    /// Absent if it is for nobody, as in a group one is alone in.
    package var status: MessageStatus?
    /// Set if it is the first contact: writing it accepted somebody who was not accepted before.
    package var firstContact: Bool?

    package init(id: String, conversation: String, sequence: UInt64, time: ControlTime, status: MessageStatus?) {
        self.id = id
        self.conversation = conversation
        self.sequence = sequence
        self.time = time
        self.status = status
    }
}

/// All conversations, the latest activity first.
package struct ConversationsReply: Codable, Equatable, Sendable {
    package var conversations: [ConversationInfo]

    package init(conversations: [ConversationInfo]) {
        self.conversations = conversations
    }
}

/// One page of a conversation, newest last.
package struct HistoryReply: Codable, Equatable, Sendable {
    package var conversation: ConversationInfo
    package var messages: [MessageInfo]
    /// Whether there are older messages than these.
    package var more: Bool

    package init(conversation: ConversationInfo, messages: [MessageInfo], more: Bool) {
        self.conversation = conversation
        self.messages = messages
        self.more = more
    }
}

/// What has been marked as read.
package struct ReadReply: Codable, Equatable, Sendable {
    package var conversation: String
    /// How many messages were unread until now.
    package var marked: Int

    package init(conversation: String, marked: Int) {
        self.conversation = conversation
        self.marked = marked
    }
}

/// What has not yet reached everybody it is for, oldest first.
package struct OutboxReply: Codable, Equatable, Sendable {
    package var items: [OutboxItem]
    /// How many items wait in all; more than `items` holds if the list was cut.
    package var total: Int

    package init(items: [OutboxItem], total: Int) {
        self.items = items
        self.total = total
    }
}
