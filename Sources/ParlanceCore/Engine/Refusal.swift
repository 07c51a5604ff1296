package import ParlanceWire

/// Why a command is not carried out. Nothing was changed.
///
/// It holds the values that a person needs to understand it, and no words: a shell has those, in the language of its reader.
package enum Refusal: Error, Equatable, Sendable {
    /// The name that was typed means nobody, or several.
    case naming(NamingReason)
    /// What was typed cannot be a text, a name, a title, a status or a reaction.
    case text(TextReason)
    case message(MessageReason)
    case group(GroupReason)
    case contact(ContactReason)
    case workspace(WorkspaceReason)
    /// The store could not write, for a reason in the store's words.
    case notStored(String)
}

extension Refusal {
    /// A peer, and the name to show for it.
    package struct Named: Equatable, Sendable {
        package var id: PeerID
        package var name: String

        package init(id: PeerID, name: String) {
            self.id = id
            self.name = name
        }
    }

    /// One of several that a typed name could mean.
    package enum Candidate: Equatable, Sendable {
        case peer(PeerID)
        case group(ConversationID, title: String)
    }

    /// What was tried.
    package enum Attempt: Equatable, Sendable { case toSend, toChange }

    /// Each holds the name as typed, without control characters.
    package enum NamingReason: Equatable, Sendable {
        case ownIdentity(String)
        case unknownPeer(String)
        case unknownGroup(String)
        case severalPeers(String, [Candidate])
        /// It is this user's name, and others go by it.
        case sharedName(String, [Candidate])
        case severalConversations(String, [Candidate])
        case severalGroups(String, [Candidate])
        /// A text mentions several.
        case severalMembers(String, [Candidate])
    }

    package enum TextReason: Equatable, Sendable {
        case emptyMessage
        case emptyEdit
        case longMessage(bytes: Int)
        case notAnEmoji
        case name(NameFault)
        case workspaceName(NameFault)
        /// Somebody else goes by the alias.
        case takenAlias(String)
        case title
        case statusWithControlCharacters
        case longStatus
    }

    package enum MessageReason: Equatable, Sendable {
        case editByOther
        case deletionByOther
        /// Another copy of this node wrote it.
        case otherCopy
        case unknown
        case delivered
        case onItsWay
        case unknownConversation
    }

    package enum GroupReason: Equatable, Sendable {
        /// The nonce of a new group has the wrong length.
        case nonce
        /// A new group would have this many members.
        case large(members: Int)
        /// It has this many members, and there is no room for those named.
        case full(members: Int)
        /// This user was added again, by a change that is not applied yet.
        case notAppliedYet(Attempt)
        /// This user left it, was removed by somebody, or (`nil`) neither is known.
        case notMember(Departure?)
        case notMemberHere(Named)
        /// All others have left it.
        case empty(isAdmin: Bool)
        case lastAdmin
        /// Only these may do that.
        case adminsOnly([String])
        case manyChanges
        /// By all that is known here, this user may not make the change.
        case voidChange
    }

    /// How this user came out of a group.
    package enum Departure: Equatable, Sendable {
        case left
        case removed(by: String)
    }

    package enum ContactReason: Equatable, Sendable {
        case blocked(Named, Attempt)
        case notBlocked(Named)
        case noRequest(Named)
        /// Only somebody accepted can be verified.
        case verifiesStranger(Named)
        /// Only somebody accepted can be a courier.
        case trustsStranger(Named)
    }

    package enum WorkspaceReason: Equatable, Sendable {
        case none
        /// The node is in this one.
        case other(String)
        /// No member has told yet how often the key was changed.
        case unnumbered
        case manyRemoved
    }
}

extension Refusal {
    /// What kind of refusal it is, in the words of the control protocol.
    package enum Code: String, Equatable, Sendable {
        case unknownPeer, ambiguousPeer, ownIdentity, unknownMessage, notWaiting, emptyText, textTooLong, invalidName
        case blocked, storeFailed, notMember, notAllowed, invalidValue, noWorkspace, otherWorkspace, notYet
    }

    package var code: Code {
        switch self {
        case .naming(let reason): reason.code
        case .text(let reason): reason.code
        case .message(let reason): reason.code
        case .group(let reason): reason.code
        case .contact(let reason): reason.code
        case .workspace(let reason): reason.code
        case .notStored: .storeFailed
        }
    }

    /// Who or what could be meant, for an ambiguous name.
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
    fileprivate var code: Refusal.Code {
        switch self {
        case .ownIdentity: .ownIdentity
        case .unknownPeer, .unknownGroup: .unknownPeer
        case .severalPeers, .sharedName, .severalConversations, .severalGroups, .severalMembers: .ambiguousPeer
        }
    }
}

extension Refusal.TextReason {
    fileprivate var code: Refusal.Code {
        switch self {
        case .emptyMessage, .emptyEdit: .emptyText
        case .longMessage: .textTooLong
        case .notAnEmoji: .invalidValue
        case .name, .workspaceName, .takenAlias, .title, .statusWithControlCharacters, .longStatus: .invalidName
        }
    }
}

extension Refusal.MessageReason {
    fileprivate var code: Refusal.Code {
        switch self {
        case .editByOther, .deletionByOther: .notAllowed
        case .otherCopy, .unknown, .unknownConversation: .unknownMessage
        case .delivered, .onItsWay: .notWaiting
        }
    }
}

extension Refusal.GroupReason {
    fileprivate var code: Refusal.Code {
        switch self {
        case .nonce, .large, .full: .invalidValue
        case .notAppliedYet, .notMember, .notMemberHere, .empty: .notMember
        case .lastAdmin, .adminsOnly, .manyChanges, .voidChange: .notAllowed
        }
    }
}

extension Refusal.ContactReason {
    fileprivate var code: Refusal.Code {
        switch self {
        case .blocked: .blocked
        case .notBlocked: .invalidValue
        case .noRequest: .notWaiting
        case .verifiesStranger, .trustsStranger: .notAllowed
        }
    }
}

extension Refusal.WorkspaceReason {
    fileprivate var code: Refusal.Code {
        switch self {
        case .none: .noWorkspace
        case .other: .otherWorkspace
        case .unnumbered: .notYet
        case .manyRemoved: .invalidValue
        }
    }
}
