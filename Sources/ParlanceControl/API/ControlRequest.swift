/// What a node can be asked; the method names of the control protocol are those of the commands.
package enum ControlRequest: Equatable, Sendable {
    case status
    case identity
    case passphrase(PassphraseRequest)
    case name(NameRequest)
    case alias(AliasRequest)
    case forget(WhoRequest)
    case peers
    case requests
    case accept(WhoRequest)
    case decline(WhoRequest)
    case block(WhoRequest)
    case unblock(WhoRequest)
    case verify(VerifyRequest)
    case courier(CourierRequest)
    case send(SendRequest)
    case reply(MessageTextRequest)
    case edit(MessageTextRequest)
    case delete(MessageRequest)
    case react(ReactRequest)
    case info(MessageRequest)
    case doctor(DoctorRequest)
    case conversations
    case history(HistoryRequest)
    case read(WhoRequest)
    case outbox
    case outboxRetry(OutboxRequest)
    case outboxCancel(OutboxRequest)
    case presence(PresenceRequest)
    case typing(WhoRequest)
    case groupCreate(GroupCreateRequest)
    case groupShow(GroupRequest)
    case groupAdd(GroupMembersRequest)
    case groupRemove(GroupMembersRequest)
    case groupAdmin(GroupAdminRequest)
    case groupLeave(GroupRequest)
    case groupRename(GroupRenameRequest)
    case groupTopic(GroupTopicRequest)
    case workspaceCreate(WorkspaceCreateRequest)
    case workspaceJoin(WorkspaceJoinRequest)
    case workspaceShow
    case workspaceLeave
    case workspaceRotate(WorkspaceRotateRequest)
}

/// A request about one peer or conversation.
package struct WhoRequest: Codable, Equatable, Sendable {
    /// A name, an alias, a peer ID, or an unambiguous prefix of a peer ID of 8 or more characters; where a conversation
    /// is meant, also a group's title or a prefix of its ID.
    package var who: String

    package init(who: String) {
        self.who = who
    }
}

/// Puts the identity on disk under a passphrase, under another one, or under none.
package struct PassphraseRequest: Codable, Equatable, Sendable {
    /// The one that it is under now; absent if it is under none.
    package var current: String?
    /// 8 to 1,024 bytes of UTF-8 without control characters; absent to keep the identity in the clear.
    package var new: String?

    package init(current: String? = nil, new: String? = nil) {
        self.current = current
        self.new = new
    }
}

/// Asks for the own name, or changes it.
package struct NameRequest: Codable, Equatable, Sendable {
    /// The new name, at most 64 bytes of UTF-8 without control characters; absent to ask only.
    package var name: String?

    package init(name: String? = nil) {
        self.name = name
    }
}

/// Gives a peer a name of one's own choice, known on this node only.
package struct AliasRequest: Codable, Equatable, Sendable {
    package var who: String
    /// The alias; empty takes it away, so that the peer's own name shows again.
    package var name: String

    package init(who: String, name: String) {
        self.who = who
        self.name = name
    }
}

/// Says whether a peer carries messages for this node, and this node for it.
package struct CourierRequest: Codable, Equatable, Sendable {
    package var who: String
    /// Takes it back; absent means no.
    package var remove: Bool?

    package init(who: String, remove: Bool? = nil) {
        self.who = who
        self.remove = remove
    }
}

/// Writes a message; the reply comes when it is durable in the own store.
package struct SendRequest: Codable, Equatable, Sendable {
    package var who: String
    /// At most 64 KiB of UTF-8, not blank.
    package var text: String

    package init(who: String, text: String) {
        self.who = who
        self.text = text
    }
}

/// Asks for a page of a conversation.
package struct HistoryRequest: Codable, Equatable, Sendable {
    /// The page size when none is asked for.
    package static let defaultLimit = 50
    /// The largest page: 200 texts of ordinary length stay far under a line's limit.
    package static let maximumLimit = 200

    package var who: String
    /// Only messages before the one with this ID; absent for the newest page.
    package var before: String?
    /// How many messages at most, 1 to `maximumLimit`; absent means `defaultLimit`.
    package var limit: Int?

    package init(who: String, before: String? = nil, limit: Int? = nil) {
        self.who = who
        self.before = before
        self.limit = limit
    }
}

/// A request about one waiting message.
package struct OutboxRequest: Codable, Equatable, Sendable {
    /// The message's ID, or an unambiguous prefix of 8 or more characters of one that is in the outbox.
    package var id: String

    package init(id: String) {
        self.id = id
    }
}

/// Asks for the own presence, or sets it.
package struct PresenceRequest: Codable, Equatable, Sendable {
    /// `online`, `away` or `busy`; absent to keep it. `offline` cannot be set: stop the daemon for that.
    package var state: PresenceState?
    /// The status text, at most 140 bytes of UTF-8 without control characters; empty clears it, absent keeps it.
    package var text: String?

    package init(state: PresenceState? = nil, text: String? = nil) {
        self.state = state
        self.text = text
    }
}
