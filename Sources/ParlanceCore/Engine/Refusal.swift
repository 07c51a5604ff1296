package import ParlanceErrorCode
package import ParlanceWire

/// Why a command was refused. A refused command has changed nothing.
///
/// It holds values, not sentences: a shell has the sentences, in the user's language.
package enum Refusal: Error, Equatable, Sendable {
    /// The typed name matches no one, or several.
    case naming(NamingReason)
    /// The input is not a valid text, name, title, status or reaction.
    case text(TextReason)
    case message(MessageReason)
    case group(GroupReason)
    case contact(ContactReason)
    case workspace(WorkspaceReason)
    case file(FileReason)
    /// A conversation cannot be muted for so long, or for no time.
    case muteLength
    /// Texts cannot be removed at that age.
    case retentionLength
    /// The store could not write. The reason is in the store's words.
    case notStored(String)
    /// The store could not read.
    case notRead
}

extension Refusal {
    /// A peer with the name to show.
    package struct Named: Equatable, Sendable {
        package var id: PeerID
        package var name: String

        package init(id: PeerID, name: String) {
            self.id = id
            self.name = name
        }
    }

    /// A possible meaning of a typed name.
    package enum Candidate: Equatable, Sendable {
        case peer(PeerID)
        case group(ConversationID, title: String)
    }

    /// What the user attempted.
    package enum Attempt: Equatable, Sendable { case toSend, toChange }

    /// Each case holds the name as typed, without control characters.
    package enum NamingReason: Equatable, Sendable {
        case ownIdentity(String)
        /// - Parameter orGroup: whether the command takes a group as well.
        case unknownPeer(String, orGroup: Bool = false)
        /// The name has the mark of a verified person, and nobody of that name is verified.
        case unverified(String)
        case unknownGroup(String)
        case severalPeers(String, [Candidate])
        /// The name is this user's name, and others share it.
        case sharedName(String, [Candidate])
        case severalConversations(String, [Candidate])
        case severalGroups(String, [Candidate])
        /// A mention in a text matches several members.
        case severalMembers(String, [Candidate])
    }

    package enum TextReason: Equatable, Sendable {
        case emptyMessage
        case emptyEdit
        case longMessage(bytes: Int)
        case notAnEmoji
        case name(NameFault)
        case workspaceName(NameFault)
        /// The program uses the word itself that was given as a name or title.
        case reservedName(String)
        /// Another person has the name that was given as an alias.
        case takenAlias(String)
        /// A group of this user has the title that was given as an alias.
        case aliasOfGroup(String)
        /// The alias is the ID of somebody else, or its beginning.
        case aliasOfID(String)
        case title(TitleFault)
        /// A title holds a check mark, which is not shown in titles.
        case markedTitle
        /// A person has the name that was given as a group's title.
        case titleOfPerson(String)
        /// Another group of this user has that title.
        case titleOfGroup(String)
        /// The title is the ID of a person, or its beginning.
        case titleOfID(String)
        case statusWithControlCharacters
        case longStatus
        /// The picture is empty or too large.
        case pictureSize
    }

    package enum MessageReason: Equatable, Sendable {
        case editByOther
        case deletionByOther
        /// Another replica of this identity wrote it.
        case otherCopy
        case unknown
        case delivered
        case onItsWay
        case unknownConversation
    }

    package enum GroupReason: Equatable, Sendable {
        /// The nonce of a new group has the wrong length.
        case nonce
        /// A new group would have this many members, which is too many.
        case large(members: Int)
        /// The group has this many members, and no room for those named.
        case full(members: Int)
        /// A change that adds this user again is not applied yet.
        case notAppliedYet(Attempt)
        /// This user left the group, or was removed; `nil` if neither is known.
        case notMember(Departure?)
        case notMemberHere(Named)
        /// All other members have left.
        case empty(isAdmin: Bool)
        case lastAdmin
        /// Only these admins may do that.
        case adminsOnly([String])
        case manyChanges
        /// By what is known here, the change would be void.
        case voidChange
    }

    /// How this user's membership ended.
    package enum Departure: Equatable, Sendable {
        case left
        case removed(by: String)
    }

    package enum ContactReason: Equatable, Sendable {
        case blocked(Named, Attempt)
        case notBlocked(Named)
        case noRequest(Named)
        /// Only an accepted peer can be verified.
        case verifiesStranger(Named)
        /// Only an accepted peer can be a courier.
        case trustsStranger(Named)
        /// Parcels are only exchanged with an accepted peer.
        case carriesToStranger(Named)
        /// The peer is excluded from the workspace.
        case carriesToLeftOut(Named)
        /// Nothing was written to or by the peer.
        case noConversation(Named)
    }

    package enum WorkspaceReason: Equatable, Sendable {
        case none
        /// The node is in this workspace.
        case other(String)
        /// No member has sent the number of the newest key yet.
        case unnumbered
        case manyRemoved
        /// The workspace has no charter, so it has no admins.
        case noCharter
        /// The workspace has a charter of which no member has told anything yet.
        case charterNotCome
        case hasCharter
        /// No linked member names a charter that may be adopted.
        case noOffer
        /// Linked members name another charter than the one that was shown.
        case otherOffer
        /// Linked members name different ones.
        case manyOffers
        /// Only these may do that.
        case adminsOnly([String])
        /// Was an admin before the user.
        case senior(Named)
        case excluded(Named)
        /// This admin has excluded the user.
        case excludedUser(Named)
        case notExcluded(Named)
        case excludesOneself
        /// So many have become admins that nobody else can.
        case manyAdmins
        case policyName
        case policyValue
        /// A policy's name is one of an invitation.
        case invitationPolicy
        /// Whoever has the code is a member, so nobody needs an invitation.
        case admissionOpen
        case invitationUses
        /// The last moment of an invitation is past.
        case invitationOver
        /// No invitation, or several, begin so.
        case unknownInvitation(String)
        /// The user has used up what one admin may change.
        case manyChanges
    }

    package enum FileReason: Equatable, Sendable {
        /// Nothing was decided about the file: it was only offered, or is unknown.
        case unknown
        /// It is not being fetched: it is here, or the user does not want it, or fetching it has failed.
        case notFetched
        /// So many files are wanted already.
        case many(files: Int)
        /// One message cannot have so many files.
        case tooMany(count: Int)
        /// A file of a message has no name, or a name or size beyond the limits; here the name is made safe.
        case badName(String)
        /// The names of the files have no room beside the text.
        case longNames
    }
}

extension Refusal {
    /// The kind of refusal, in the terms of the control protocol.
    package var code: ErrorCode {
        switch self {
        case .naming(let reason): reason.code
        case .text(let reason): reason.code
        case .message(let reason): reason.code
        case .group(let reason): reason.code
        case .contact(let reason): reason.code
        case .workspace(let reason): reason.code
        case .file(let reason): reason.code
        case .muteLength, .retentionLength: .invalidValue
        case .notStored, .notRead: .storeFailed
        }
    }

    /// The candidates for an ambiguous name.
    package var candidates: [Candidate] {
        switch self {
        case .naming(.severalPeers(_, let found)), .naming(.sharedName(_, let found)),
            .naming(.severalConversations(_, let found)), .naming(.severalGroups(_, let found)),
            .naming(.severalMembers(_, let found)):
            found
        default: []
        }
    }
}

extension Refusal.NamingReason {
    fileprivate var code: ErrorCode {
        switch self {
        case .ownIdentity: .ownIdentity
        case .unknownPeer, .unverified, .unknownGroup: .unknownPeer
        case .severalPeers, .sharedName, .severalConversations, .severalGroups, .severalMembers: .ambiguousPeer
        }
    }
}

extension Refusal.TextReason {
    fileprivate var code: ErrorCode {
        switch self {
        case .emptyMessage, .emptyEdit: .emptyText
        case .longMessage: .textTooLong
        case .notAnEmoji, .pictureSize: .invalidValue
        case .name, .workspaceName, .reservedName, .takenAlias, .aliasOfGroup, .aliasOfID, .title, .markedTitle,
            .titleOfPerson, .titleOfGroup, .titleOfID, .statusWithControlCharacters, .longStatus:
            .invalidName
        }
    }
}

extension Refusal.MessageReason {
    fileprivate var code: ErrorCode {
        switch self {
        case .editByOther, .deletionByOther: .notAllowed
        case .otherCopy, .unknown, .unknownConversation: .unknownMessage
        case .delivered, .onItsWay: .notWaiting
        }
    }
}

extension Refusal.GroupReason {
    fileprivate var code: ErrorCode {
        switch self {
        case .nonce, .large, .full: .invalidValue
        case .notAppliedYet, .notMember, .notMemberHere, .empty: .notMember
        case .lastAdmin, .adminsOnly, .manyChanges, .voidChange: .notAllowed
        }
    }
}

extension Refusal.ContactReason {
    fileprivate var code: ErrorCode {
        switch self {
        case .blocked: .blocked
        case .notBlocked: .invalidValue
        case .noRequest: .notWaiting
        case .verifiesStranger, .trustsStranger, .carriesToStranger, .carriesToLeftOut,
            .noConversation:
            .notAllowed
        }
    }
}

extension Refusal.WorkspaceReason {
    fileprivate var code: ErrorCode {
        switch self {
        case .none: .noWorkspace
        case .other: .otherWorkspace
        case .unnumbered, .charterNotCome: .notYet
        case .manyRemoved, .policyName, .policyValue, .invitationPolicy, .invitationUses, .invitationOver,
            .unknownInvitation:
            .invalidValue
        case .admissionOpen, .noCharter, .hasCharter, .noOffer, .otherOffer, .manyOffers, .adminsOnly, .senior,
            .excluded, .excludedUser, .notExcluded, .excludesOneself, .manyAdmins, .manyChanges:
            .notAllowed
        }
    }
}

extension Refusal.FileReason {
    fileprivate var code: ErrorCode {
        switch self {
        case .unknown: .unknownMessage
        case .notFetched: .notWaiting
        case .many: .notAllowed
        case .tooMany, .badName: .invalidValue
        case .longNames: .textTooLong
        }
    }
}
