import ParlanceRecords
import ParlanceWire

/// Everything that this node knows about peers: a read-only view of several rooms, for one that decides about a peer.
struct People {
    let own: PeerID
    let workspace: Workspace?
    private let contacts: Contacts
    private let conversations: Conversations
    private let addressBook: AddressBook

    init(
        own: PeerID,
        _ contacts: Contacts,
        _ conversations: Conversations,
        _ workspace: Workspace?,
        _ addressBook: AddressBook
    ) {
        self.own = own
        self.contacts = contacts
        self.conversations = conversations
        self.workspace = workspace
        self.addressBook = addressBook
    }

    /// An upper bound of the number of peers, including strangers and members never met.
    var count: Int { contacts.count + addressBook.count }

    /// Known peers whose IDs begin with a prefix, in order.
    func known(by prefix: String) -> [PeerID] { contacts.known(by: prefix) }

    func record(of peer: PeerID) -> PeerRecord? { contacts[peer] }

    func isAccepted(_ peer: PeerID) -> Bool { contacts.isAccepted(peer) }

    /// Those whom this node accepts, in the order of their IDs.
    var accepted: [PeerID] { contacts.all.filter(\.isAccepted).map(\.id).sorted() }

    /// Whether somebody has told members of the workspace where it takes links.
    func hasToldAddresses(_ peer: PeerID) -> Bool { addressBook[peer] != nil }

    /// Whether frames of a conversation are exchanged with a peer: shared membership alone decides.
    func admits(_ id: ConversationID, with peer: PeerID) -> Bool {
        guard let members = conversations.members(of: id) else {
            return isAccepted(peer) && id == ConversationID(direct: own, peer)
        }
        return !contacts.isBlocked(peer) && members.contains(peer) && members.contains(own)
    }

    /// The conversations shared with a peer, in a fixed order.
    func shared(with peer: PeerID) -> [ConversationID] {
        let groups = conversations.groups(mentioning: peer).filter { admits($0, with: peer) }
        return (isAccepted(peer) ? [ConversationID(direct: own, peer)] : []) + groups
    }

    /// Whether links to a peer are wanted: it is accepted, or a member of a group of this node.
    func isWelcome(_ peer: PeerID) -> Bool {
        guard let trust = contacts.trust(in: peer), trust != .blocked else { return false }
        return trust != .unknown || isFellow(peer)
    }

    /// Whether what is learnt of a peer is kept on disk. For strangers it is not: they must not be able to fill the
    /// store.
    func isKept(_ peer: PeerID) -> Bool {
        contacts.trust(in: peer).map { $0 != .unknown } == true || isKnownMember(peer)
    }

    /// Whether a peer is in a group that this node is in.
    func isFellow(_ peer: PeerID) -> Bool {
        conversations.groups(mentioning: peer).contains { id in
            guard let members = conversations.members(of: id) else { return false }
            return members.contains(peer) && members.contains(own)
        }
    }

    /// Whether somebody may have written in a group that is kept here.
    func isKnownMember(_ peer: PeerID) -> Bool {
        !conversations.groups(mentioning: peer).isEmpty
    }

    /// Whether the workspace has left a peer out.
    func isRemoved(_ peer: PeerID) -> Bool { workspace?.leavesOut(peer) == true }

    /// Whether messages are exchanged with a peer by hand and by couriers, where no link refuses it: the user has accepted
    /// it, and the workspace has not left it out.
    func exchanges(with peer: PeerID) -> Bool { contacts.isAccepted(peer) && !isRemoved(peer) }

    /// Whether a peer is neither dialled nor listened to: it is blocked, or left out of the workspace.
    func isShunned(_ peer: PeerID) -> Bool { contacts.isBlocked(peer) || isRemoved(peer) }

    /// Whether a peer is a member that others have told of and that this node has not met yet.
    func isNewMember(_ peer: PeerID) -> Bool { contacts.trust(in: peer) == nil && addressBook[peer] != nil }

    /// The members of each group that this node is in.
    var ownGroups: [SortedSet<PeerID>] {
        conversations.groups(mentioning: own).compactMap { conversations.members(of: $0) }.filter { $0.contains(own) }
    }

    /// Whether a link with a peer may be wanted.
    ///
    /// - Parameter groups: `ownGroups`, computed once for many peers.
    func isWanted(_ peer: PeerID, _ groups: [SortedSet<PeerID>]) -> Bool {
        guard peer != own, !isRemoved(peer) else { return false }
        return switch contacts.trust(in: peer) {
        case .blocked: false
        case .accepted, .verified: true
        case .unknown: groups.contains { $0.contains(peer) }
        case nil: isNewMember(peer)
        }
    }

    /// The peers with messages in a direct conversation or a request to talk.
    var talked: Set<PeerID> {
        var found = contacts.asking
        for conversation in conversations.values {
            guard case .direct(let peer) = conversation.record.kind,
                conversation.logs.values.contains(where: { $0.held.sequence > 0 })
            else { continue }
            found.insert(peer)
        }
        return found
    }
}
