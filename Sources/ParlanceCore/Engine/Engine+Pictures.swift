import FoundationEssentials
import ParlanceWire

// The pictures of people (contacts.md, "Pictures"). Whoever is welcome here may see this user's picture, and is shown with
// its own: accepted peers, and members of a common group. Strangers are told of none and asked for none.
extension Engine {
    /// The ID of this user's picture as a peer is told it; empty if there is none for it.
    func announcedPicture(to peer: PeerID) -> Data {
        guard let own = pictures.own, people.isWelcome(peer) else { return Data() }
        return Data(own.id.bytes)
    }

    /// Erases the pictures of those who are not welcome any more.
    mutating func sweepPictures() {
        for mark in pictures.inOrder where !people.isWelcome(mark.peer) { pictures.erase(mark.peer, &turn) }
    }

    /// Takes which picture the peer of a link has. Something else than an ID means none.
    mutating func pictureAnnounced(_ id: Data, on link: LinkID) {
        guard let peer = links[link]?.peer, links[link]?.closing == false, people.isWelcome(peer),
            let wanted = pictures.announced(PictureID(id), by: peer, on: link, &turn)
        else { return }
        var frame = WirePictureWanted()
        frame.id = Data(wanted.bytes)
        send(.pictureWanted(frame), on: link)
    }

    mutating func pictureWanted(_ wanted: WirePictureWanted, on id: LinkID) throws(Breach) {
        guard let link = links[id], let picture = PictureID(wanted.id) else {
            throw .pictureWantedFields
        }
        guard people.isWelcome(link.peer),
            let own = pictures.wanted(picture, by: link.peer, at: turn.now.monotonic)
        else { return }
        send(.picture(own.wire), on: id)
    }

    /// A picture that nobody has asked for, or not any more, has no effect.
    mutating func pictureReceived(_ wire: WirePicture, on id: LinkID) throws(Breach) {
        guard let link = links[id], people.isWelcome(link.peer), pictures.isAwaited(from: link.peer, on: id) else {
            return
        }
        guard let picture = SignedPicture(wire) else { throw .pictureFields }
        try pictures.received(picture, from: link.peer, &turn)
    }
}
