import ParlanceWire

/// What a room says has happened, for other rooms. `Engine+Routing.swift` says who hears it.
enum Fact: Equatable, Sendable {
    // Contacts.
    /// The user has accepted a peer, or has confirmed it.
    case accepted(PeerID)
    /// Nothing is known of a peer any more.
    case forgotten(PeerID)

    // Presence.
    /// What this node says of itself is different now.
    case announcementChanged

    // Workspaces.
    /// This node is in another workspace now, or in none, or its keys or those left out are others.
    case workspaceChanged
    /// This machine takes links at other places than before.
    case ownPlacesChanged(isFirst: Bool)
    /// There is a new entry of this node, for members to hear.
    case ownAddressesSigned

    // Couriers.
    /// An envelope that the peer of a link left here is not kept.
    case depositRefused(on: LinkID, EnvelopeID)

    // Dialing.
    /// How a peer can be reached is different now, or why it is not reached.
    case waysChanged(PeerID)
    /// Discovery does not see an instance any more that may be this peer.
    case lostSight(PeerID)
    /// The peer of a link is to be asked whether it can reach this node.
    case wantsDialBack(on: LinkID)
    /// The peer of a link has asked whether it can be reached, and this is the outcome.
    case dialedBack(on: LinkID, DialBackView.Outcome)
}
