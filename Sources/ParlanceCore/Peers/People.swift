import ParlanceWire

/// Who somebody is to this node: the rooms that know it, to be read by a room that decides about a peer.
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

    /// At most so many peers there are, strangers and members never met among them.
    var count: Int { contacts.count + addressBook.count }

    /// Known peers whose IDs begin so, in order.
    func known(by prefix: String) -> [PeerID] { contacts.known(by: prefix) }

    func record(of peer: PeerID) -> PeerRecord? { contacts[peer] }

    func isAccepted(_ peer: PeerID) -> Bool { contacts.isAccepted(peer) }

    /// Whether frames of a conversation are exchanged with a peer at all: shared membership decides, nothing else.
    func admits(_ id: ConversationID, with peer: PeerID) -> Bool {
        guard let group = conversations[id]?.group else {
            return isAccepted(peer) && id == ConversationID(direct: own, peer)
        }
        return admits(group, with: peer)
    }

    private func admits(_ group: Group, with peer: PeerID) -> Bool {
        return contacts[peer]?.trust != .blocked && group.membership.isMember(peer)
            && group.membership.isMember(own)
    }

    /// The conversations shared with a peer, in a fixed order.
    func shared(with peer: PeerID) -> [ConversationID] {
        let groups = conversations.groups(mentioning: peer).filter { admits($0, with: peer) }.sorted()
        return (isAccepted(peer) ? [ConversationID(direct: own, peer)] : []) + groups
    }

    /// Whether links to somebody are wanted: accepted, or a member of a group that this node is in too.
    func isWelcome(_ peer: PeerID) -> Bool {
        guard let trust = contacts[peer]?.trust, trust != .blocked else { return false }
        return trust != .unknown || isFellow(peer)
    }

    /// Whether what is learnt of somebody is kept on disk: strangers fill no store.
    func isKept(_ peer: PeerID) -> Bool {
        contacts[peer].map { $0.trust != .unknown } == true || isKnownMember(peer)
    }

    /// Whether somebody is in a group that this node is in too.
    func isFellow(_ peer: PeerID) -> Bool {
        conversations.groups(mentioning: peer).contains { id in
            guard let membership = conversations[id]?.group?.membership else { return false }
            return membership.isMember(peer) && membership.isMember(own)
        }
    }

    /// Whether somebody is or was in a group that is kept here.
    func isKnownMember(_ peer: PeerID) -> Bool {
        !conversations.groups(mentioning: peer).isEmpty
    }

    /// Whether the workspace has left somebody out.
    func isRemoved(_ peer: PeerID) -> Bool { workspace?.removed.contains(peer) == true }

    /// Whether nobody dials it and nothing of it is taken: blocked, or left out of the workspace.
    func isShunned(_ peer: PeerID) -> Bool { contacts.isBlocked(peer) || isRemoved(peer) }

    /// A member that others have told of, and that this node has not met yet.
    func isNewMember(_ peer: PeerID) -> Bool { contacts[peer] == nil && addressBook[peer] != nil }

    /// With whom there is something: a message, or a request to talk.
    var talked: Set<PeerID> {
        var found = Set(contacts.all.filter { $0.request != nil }.map(\.id))
        for conversation in conversations.values {
            guard case .direct(let peer) = conversation.record.kind,
                conversation.logs.values.contains(where: { $0.held.position.sequence > 0 })
            else { continue }
            found.insert(peer)
        }
        return found
    }
}
