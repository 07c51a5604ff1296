import ParlanceWire

/// Who may be asked for files, and who may ask: what the room of transfers sees of its neighbours.
struct FilePeers {
    let links: Links
    let people: People

    /// Whether files of a conversation are exchanged with the peer of a link at present.
    func serves(_ conversation: ConversationID, _ link: LinkID) -> Bool {
        guard let found = links[link], !found.closing, found.sessions[conversation]?.isListed == true else {
            return false
        }
        return people.admits(conversation, with: found.peer)
    }

    /// The links on which a file of a conversation can be asked for, in order.
    func open(in conversation: ConversationID) -> [Link] {
        links.open(in: conversation).filter { $0.exchangesFiles && people.admits(conversation, with: $0.peer) }
    }
}
