package import ParlanceRecords
package import ParlanceWire

/// What a person told the node to do. `who` is as typed: a name, an alias, the beginning of a peer ID, or a group's
/// title where a conversation is expected.
package enum Command: Equatable, Sendable {
    /// The text may be blank if there are files, each of which is on the shelf as a whole.
    case send(who: String, text: String, files: [FileMention] = [])
    /// A reply to a message.
    case reply(MessageReference, text: String, files: [FileMention] = [])
    case edit(MessageReference, text: String)
    case delete(MessageReference)
    case react(MessageReference, emoji: String, removed: Bool)
    /// - `nonce`: 16 random bytes. The group's ID is derived from the nonce and the creator.
    /// - `force`: whether the group may have a title that a person or another group has.
    case createGroup(title: String, who: [String], nonce: [UInt8], force: Bool = false)
    case changeGroup(who: String, GroupChange)
    case cancel(LogID, conversation: ConversationID, sequence: UInt64, isVoid: Bool = false)
    case retry(ConversationID)
    /// Marks a conversation as read: each log through the given position, or everything shown if there are none.
    case read(who: String, through: [LogID: LogPosition]? = nil)
    case accept(who: String)
    /// Discards a contact request. The sender is not told.
    case decline(who: String)
    case block(who: String)
    /// Unblocks a peer and restores the trust that it had before.
    case unblock(who: String)
    /// Records that the user has compared the safety numbers, or revokes that.
    case verify(who: String, Bool)
    case forget(who: String)
    /// Lets a peer write as much as in a whole day, whatever it has written.
    case allow(who: String)
    /// Sets whether a peer acts as a courier for this user, and this node for it.
    case setCourier(who: String, Bool)
    case setAlias(who: String, alias: String)
    case setName(String)
    /// Chooses the user's picture, whose bytes nothing here looks into; `nil` removes it.
    case setPicture([UInt8]?)
    case setPreference(who: String, PreferenceChange)
    /// Removes here what a conversation holds now.
    ///
    /// - `deletes`: whether lists leave the conversation out from then on.
    case clear(who: String, deletes: Bool)
    /// Says how long messages are to stay for everybody in a conversation; 0: without an end.
    case setLifetime(who: String, seconds: UInt64)
    /// Parameters that are `nil` keep their values; but to be online without a text clears the text.
    case setPresence(Activity?, text: String?)
    case typing(who: String)
    /// Finds a peer and the state of its conversation. Programs that show messages need both.
    case find(who: String)
    /// Finds a person or a group.
    case findConversation(who: String)
    case findGroup(who: String)
    case listPeers
    /// All people and groups, as of one moment.
    case listConversations
    /// The branches of forked logs, with their proofs.
    case listForks
    /// Why people are not found or not reached: all people, or one.
    case examine(who: String?)
    /// Asks a peer to test whether this node's port can be reached: the named peer, or any.
    case dialBack(who: String?)
    case workspace(WorkspaceCommand)
    /// Asks of what the files for a stick are chosen.
    case carriage(who: String)
    /// Packs what a peer may lack into a file, for one slot of a stick.
    indirect case pack(ParcelRequest)
    /// Takes a file that a peer has packed for this node.
    case takeParcel([UInt8], slot: Int, from: String)
    /// The state of the node: what people and programs see first.
    case status
    case listDeliveries
    /// Fetches a file that a message of the conversation names.
    indirect case fetch(ConversationID, FileMention)
    case pauseFile(FileID)
    case resumeFile(FileID)
    /// Fetches a file no more, and removes what is here in part.
    case cancelFile(FileID)
    /// Fetches a file again that could not be fetched, or does not wait any longer for the next try.
    case retryFile(FileID)
    /// The files that are fetched or were fetched lately, and the files that peers fetch from this node.
    case transfers
}

/// A message that a command refers to, as the store finds it by its ID.
package struct MessageReference: Equatable, Sendable {
    package var conversation: ConversationID
    package var event: EventReference

    package init(conversation: ConversationID, event: EventReference) {
        self.conversation = conversation
        self.event = event
    }
}

/// A change of a group. People are named as typed.
package enum GroupChange: Equatable, Sendable {
    case add([String])
    case remove([String])
    case leave
    case appoint([String])
    case dismiss([String])
    /// - `force`: as for a new group.
    case rename(String, force: Bool = false)
    /// An empty topic removes it.
    case topic(String)
}

/// A change of the user's own settings for a conversation.
package enum PreferenceChange: Equatable, Sendable {
    case pin(Bool)
    /// - `milliseconds`: for how long, 1 to `Limits.muteMilliseconds`; `nil` until the user ends it.
    case mute(milliseconds: Int64?)
    /// Mutes a part of each day.
    case quiet(DayPart)
    /// Ends both.
    case unmute
    /// - `milliseconds`: the age at which texts are removed from this computer, from `Limits.leastRetentionMilliseconds` to
    ///   `Limits.retentionMilliseconds`; `nil` if they stay.
    case retain(milliseconds: Int64?)
    /// Leaves the conversation out of lists, or does so no more.
    case unlist(Preference.Unlisted?)
    /// Changes no setting: what is in the conversation goes.
    case clear
}

/// A command about the workspace.
package enum WorkspaceCommand: Equatable, Sendable {
    case show
    /// Joins with a new key, or with the key of an invitation.
    ///
    /// - `isChosen`: whether the user has chosen the name; if not, the charter's takes its place.
    case join(name: String, WorkspaceKey, CharterPrefix? = nil, InvitationKey? = nil, isChosen: Bool = false)
    /// Founds a workspace with a charter, whose first admin the user is.
    ///
    /// - `nonce`: 16 random bytes.
    case found(name: String, WorkspaceKey, nonce: [UInt8])
    /// Takes the charter that a linked member names.
    ///
    /// - `named`: the ID of the only one that is taken, as text; `nil` takes whichever is named.
    case adopt(named: String? = nil)
    case leave
    /// Gives a new key to all but the named members. Without a charter the key gets the number after the newest; with
    /// one, they are excluded.
    case rotate(WorkspaceKey, without: [String])
    case change(CharterCommand, who: [String])
    /// Asks whom a change means, and whether it is refused; nothing is changed.
    case preview(CharterCommand, who: [String])
    /// Admits, names and accepts the people of a list.
    case importPeople([PeopleList.Entry])
    case log
}

/// A change of the workspace's charter, which only an admin can make (charter.md, "Events").
package enum CharterCommand: Equatable, Sendable {
    case appoint, dismiss, readmit, admit
    /// Excludes, and gives the others a new key.
    case exclude(WorkspaceKey)
    case rotate(WorkspaceKey)
    /// Makes an invitation that lets so many people in by itself.
    ///
    /// - `until`: the last moment, in milliseconds since 1970.
    case invite(InvitationSecret, uses: Int, until: Int64)
    /// Withdraws the invitation whose public key begins so.
    case endInvitation(String)
    /// An empty value withdraws the policy.
    ///
    /// - `keeping`: with `admission`, those who are to stay members, if they are members by the key now; `nil`: all who are.
    case policy(name: String, value: String, keeping: [String]? = nil)
}

/// The result of a command. A command that writes is answered when its changes are durable.
///
/// Large values are boxed here and in `Effect` and `Notice`: the engine moves thousands of small values a second.
package enum Answer: Equatable, Sendable {
    case done
    case sent(SentMessage)
    indirect case peer(PeerView)
    /// A peer after a command, and as it was before.
    indirect case changed(PeerView, from: PeerView)
    case peers([PeerView])
    indirect case group(GroupView)
    case conversations([PeerView], [GroupView])
    case forks([BranchRecord])
    case deliveries([DeliveryView])
    indirect case doctor(DoctorView)
    /// `nil`: there is no peer to ask, or this node accepts no links.
    case dialedBack(DialBackView?)
    case profile(ProfileView)
    indirect case preference(ConversationRecord, Preference)
    /// `nil`: the node is in no workspace.
    indirect case workspace(WorkspaceView?)
    case charter(Charter)
    indirect case imported(ImportedPeople)
    indirect case status(StatusView)
    indirect case carriage(CarriageView)
    indirect case packed(PackedParcel)
    indirect case taken(TakenParcel)
    /// Both begin with the newest.
    case transfers([TransferView], [UploadView])
}

/// The state of a node at one moment.
package struct StatusView: Equatable, Sendable {
    package var profile: ProfileView
    package var picture: PictureMark?
    /// Covers all people.
    package var doctor: DoctorView
    package var groups: [GroupView]
}

/// The profile of this node as its user sees it.
package struct ProfileView: Equatable, Sendable {
    package var record: ProfileRecord
    /// Why others see the user as away, though the profile says online.
    package var absence: Absence?
}

package struct SentMessage: Equatable, Sendable {
    package var id: EventID
    package var conversation: ConversationID
    package var sequence: UInt64
    package var time: EventTime
    /// The number of recipients: 0 in a group without other members.
    package var recipients: Int
    /// How many recipients have a link that takes the message: it is sent to them as soon as it is durable.
    package var connected: Int
    /// How many of these links need no network, since both ends are on this computer.
    package var withinComputer: Int
    /// Whether writing it accepted a peer that was not accepted before.
    package var isFirstContact = false
}

/// A peer as people see it.
package struct PeerView: Equatable, Sendable {
    package var record: PeerRecord
    /// The name to show: the alias, otherwise the pinned name, otherwise the announced name, made unambiguous where
    /// necessary.
    package var displayName: String
    package var nearby: Bool
    package var connected: Bool
    /// Whether that link needs no network, since both ends are on this computer.
    package var isLinkedWithinComputer = false
    /// Whether links with it are wanted, so that its presence is learnt: it is accepted, or a member of a group.
    package var isWelcome: Bool
    package var presence: PresenceView
    /// Its picture, if there is one here.
    package var picture: PictureMark?
    package var endpoints: [Endpoint]
    package var typing: Bool
    package var conversation: ConversationID
    package var delivery: DeliveryView
    /// Logs of the conversation whose messages are shown although events that they refer to are missing.
    package var overdue: Set<LogID>
    /// What both have said about how long messages stay.
    package var lifetime: LifetimeView
    /// Why there is no link, or why links do not last.
    package var trouble: LinkTrouble?
    /// Monotonic milliseconds of the next attempt.
    package var nextTry: Int64?
    /// Until when no more is taken of what it writes in some conversation, because it wrote as much as is taken in a
    /// day; in wall-clock milliseconds.
    package var fullUntil: Int64?
    /// Whether the user has accepted it and waits to be accepted: it has neither answered nor shown that it has accepted
    /// the user, nothing has reached it, and it is not known to take nothing from the user.
    package var awaitsAnswer = false
    /// Whether the workspace has left it out.
    package var isLeftOut = false
    /// What the user is in the workspace; `nil` without a workspace.
    package var membership: Membership?
    /// It sends more than this node handles at once.
    package var outpacesUs = false
    /// It has said that this node sends more than it handles at once.
    package var outpacedByUs = false
}

extension PeerView {
    /// What one has to know of the user's workspace to say why it keeps the user and a peer apart.
    package struct Membership: Equatable, Sendable {
        /// The workspace's name.
        package var workspace: String
        /// Whether it has admins who decide about members.
        package var hasCharter: Bool
        /// Whether the user is one of them.
        package var isAdmin: Bool
        /// The name of the admin who has excluded the user, if the peer is reached as a member only.
        package var excludedBy: String?

        package init(workspace: String, hasCharter: Bool, isAdmin: Bool, excludedBy: String? = nil) {
            self.workspace = workspace
            self.hasCharter = hasCharter
            self.isAdmin = isAdmin
            self.excludedBy = excludedBy
        }
    }
}

package struct PresenceView: Equatable, Sendable {
    /// `nil`: offline.
    package var activity: Activity?
    package var statusText: String
    /// When something last came from the peer, in milliseconds since 1970; also while a link is up, since whoever is
    /// silent may be gone.
    package var lastSeen: Int64?
}

/// Why a message has not been delivered.
package enum WaitReason: Equatable, Sendable {
    /// The contact request was sent or is about to be sent, and has not been answered.
    case waitsForAcceptance
    case peerOffline
    /// No link is up, and nothing says why: the peer's addresses are still to be tried, or are being tried.
    case notLinked
    /// The user has blocked the peer. In a group, other members may pass the message on.
    case blocked(isInGroup: Bool)
    /// The peer is excluded from the workspace.
    case leftOut
    /// The user is excluded from the workspace, by this admin, and the peer refuses the user.
    case excluded(by: PeerID)
    /// Links do not last, or the peer is nearby but cannot be reached.
    case unreachable(LinkTrouble.Cause)
    case refused
    /// The peer is away. These couriers hold the message for it.
    case held([PeerID])
    /// A link is up, and the message is being sent or is next.
    case onItsWay
    /// A link is up, but the peer does not exchange this conversation at present.
    case notTaken
    /// A link is up, but this user has written as much into the conversation as the peer takes in a day.
    case quotaUsed
    /// A link is up, but the member does not have the group yet.
    case notJoined

    /// Whether the peer takes nothing from this user, or, as one or the other is excluded from the workspace, cannot.
    package var isRefusal: Bool {
        switch self {
        case .refused, .leftOut, .excluded: true
        default: false
        }
    }
}

/// News for whoever watches this node.
package enum Notice: Equatable, Sendable {
    indirect case message(ShownMessage)
    /// Somebody else wrote a message in a group that the user has deleted: it goes again soon, so nobody is told of it.
    indirect case unwanted(ShownMessage)
    /// A message that was already shown was edited or deleted, or a reaction to it changed.
    indirect case changed(ShownMessage)
    /// Messages of these logs are shown although events that they refer to are missing.
    case waiting(ConversationID, Set<LogID>)
    /// These events ended the membership of somebody in a group. The logs that contain them may never come.
    case departed(ConversationID, [EventID])
    case withdrawn(EventID)
    /// A message of the user turned out not to count (`ShownMessage.isVoid`).
    indirect case voided(ShownMessage)
    /// Messages of a conversation were removed from this computer because of their age.
    indirect case removed(ConversationRecord, [EventID])
    indirect case delivery(DeliveryView)
    indirect case peer(PeerView)
    /// A stranger left. Nothing about it is kept.
    case gone(PeerID)
    case typing(PeerID, ConversationID, active: Bool)
    indirect case request(PeerView)
    /// A group was created, or its members, title or topic changed.
    indirect case group(GroupView)
    /// A workspace with a charter changed, or a member names another charter; with the workspace as it was told before.
    indirect case workspace(WorkspaceView?, from: WorkspaceView?)
    /// The user's settings for a conversation changed.
    indirect case preference(ConversationRecord, Preference)
    /// What was decided about a file, or how far it has come: progress at most once a second.
    indirect case transfer(TransferView)
    /// How far a peer has come that fetches a file from this node: at most once a second.
    indirect case upload(UploadView)
}
