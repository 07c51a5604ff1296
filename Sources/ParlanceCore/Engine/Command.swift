package import ParlanceWire

/// What a person told their node to do. `who` is as typed: a name, an alias, the beginning of a peer ID, or, where a
/// conversation is meant, a group's title.
package enum Command: Equatable, Sendable {
    case send(who: String, text: String)
    /// A message that answers another.
    case reply(MessageReference, text: String)
    case edit(MessageReference, text: String)
    case delete(MessageReference)
    case react(MessageReference, emoji: String, removed: Bool)
    /// - `nonce`: 16 random bytes; with the creator they make the group's ID.
    case createGroup(title: String, who: [String], nonce: [UInt8])
    case changeGroup(who: String, GroupChange)
    case cancel(LogID, conversation: ConversationID, sequence: UInt64)
    case retry(ConversationID)
    case read(who: String)
    case accept(who: String)
    /// A request to talk goes away, and its sender is not told.
    case decline(who: String)
    case block(who: String)
    /// Ends a block: the peer is trusted as it was before.
    case unblock(who: String)
    /// The safety number was compared, or that is taken back.
    case verify(who: String, Bool)
    case forget(who: String)
    /// Whether somebody carries messages for one, and one for them.
    case setCourier(who: String, Bool)
    case setAlias(who: String, alias: String)
    case setName(String)
    /// What is `nil` stays as it is.
    case setPresence(Activity?, text: String?)
    case typing(who: String)
    /// Who is meant, and how their conversation stands: what reads for people need from the engine.
    case find(who: String)
    /// A person or a group.
    case findConversation(who: String)
    case findGroup(who: String)
    case listPeers
    /// Everybody and every group, as they are at one moment.
    case listConversations
    /// The proofs of forked logs.
    case listForks
    /// Why people are not found or not reached: all, or one.
    case examine(who: String?)
    /// Has a peer try whether this node's port can be reached: any, or this one.
    case dialBack(who: String?)
    case workspace(WorkspaceCommand)
    /// How the node is: what people and programs see first.
    case status
    case listDeliveries
}

/// A message that a command is about, as the store finds it by its ID.
package struct MessageReference: Equatable, Sendable {
    package var conversation: ConversationID
    package var event: EventReference

    package init(conversation: ConversationID, event: EventReference) {
        self.conversation = conversation
        self.event = event
    }
}

/// How a group is to change; people are named as typed.
package enum GroupChange: Equatable, Sendable {
    case add([String])
    case remove([String])
    case leave
    case appoint([String])
    case dismiss([String])
    case rename(String)
    /// Empty takes it away.
    case topic(String)
}

/// What is to become of the workspace.
package enum WorkspaceCommand: Equatable, Sendable {
    case show
    /// With a new key, or that of an invitation.
    case join(name: String, WorkspaceKey)
    case leave
    /// A new key for all but those named; it gets the number after the newest.
    case rotate(WorkspaceKey, without: [String])
}

/// What a command came to. For those that write, it is told once that is durable.
///
/// What is large is boxed here and in `Effect` and `Notice`: thousands of small ones a second are moved about.
package enum Answer: Equatable, Sendable {
    case done
    case sent(SentMessage)
    indirect case peer(PeerView)
    /// A peer as a command has left it, and as it was before.
    indirect case changed(PeerView, from: PeerView)
    case peers([PeerView])
    indirect case group(GroupView)
    case conversations([PeerView], [GroupView])
    case forks([BranchRecord])
    case deliveries([DeliveryView])
    indirect case doctor(DoctorView)
    /// `nil`: there is nobody to ask, or this node takes no links.
    case dialedBack(DialBackView?)
    case profile(ProfileRecord)
    /// `nil`: in none.
    indirect case workspace(WorkspaceView?)
    indirect case status(StatusView)
}

/// A node as it is at one moment.
package struct StatusView: Equatable, Sendable {
    package var profile: ProfileRecord
    /// Of everybody.
    package var doctor: DoctorView
    package var groups: [GroupView]
}

package struct SentMessage: Equatable, Sendable {
    package var id: EventID
    package var conversation: ConversationID
    package var sequence: UInt64
    package var time: EventTime
    /// How many it is for: nobody, in a group that one is alone in.
    package var recipients: Int
    /// A link that takes it is up: it goes out as soon as it is durable.
    package var isOnItsWay: Bool
    /// Writing it accepted somebody who was not accepted before.
    package var isFirstContact = false
}

/// A peer as people see it.
package struct PeerView: Equatable, Sendable {
    package var record: PeerRecord
    /// The name to show: alias, else pinned name, else announced name, made distinct where it must be.
    package var displayName: String
    package var nearby: Bool
    package var connected: Bool
    package var presence: PresenceView
    package var endpoints: [Endpoint]
    package var typing: Bool
    package var conversation: ConversationID
    package var delivery: DeliveryView
    /// Logs of the conversation whose messages are shown before what they refer to is here.
    package var overdue: Set<LogID>
    /// Why there is no link, or why links do not last.
    package var trouble: LinkTrouble?
    /// Monotonic milliseconds of the next attempt.
    package var nextTry: Int64?
}

package struct PresenceView: Equatable, Sendable {
    /// `nil`: offline.
    package var activity: Activity?
    package var statusText: String
    package var lastSeen: Int64?
}

/// Why a message waits.
package enum WaitReason: Equatable, Sendable {
    /// The request to talk was sent or is about to be, and has not been answered.
    case waitsForAcceptance
    case peerOffline
    /// The user wants no link to it.
    case blocked
    /// It was left out of the workspace when its key was changed.
    case leftOut
    /// Links do not last, or it is in sight and not reached.
    case unreachable(LinkTrouble.Cause)
    case refused
    /// They are away; these hold it for them.
    case held([PeerID])
    /// The link is up and the message is on it or next in line.
    case onItsWay
    /// The peer is linked but does not take this conversation at present.
    case notTaken
}

/// News for whoever watches this node.
package enum Notice: Equatable, Sendable {
    indirect case message(ShownMessage)
    /// A message that was shown before changed: edited, deleted, reacted to.
    indirect case changed(ShownMessage)
    /// Messages of these logs are to be shown before what they refer to is here.
    case waiting(ConversationID, Set<LogID>)
    case withdrawn(EventID)
    indirect case delivery(DeliveryView)
    indirect case peer(PeerView)
    /// A stranger went, and nothing is kept of it.
    case gone(PeerID)
    case typing(PeerID, ConversationID, active: Bool)
    indirect case request(PeerView)
    /// A group came, or its members, title or topic changed.
    indirect case group(GroupView)
    case profile(ProfileRecord)
}
