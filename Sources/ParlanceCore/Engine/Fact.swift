import ParlanceWire

/// What one room reports to others. `Engine+Routing.swift` defines the receivers.
enum Fact: Equatable, Sendable {
    // Contacts.
    /// The user accepted a peer, or confirmed it.
    case accepted(PeerID)
    /// A peer was forgotten.
    case forgotten(PeerID)

    // Presence.
    /// The announced name or presence of this node changed.
    case announcementChanged

    // Workspaces.
    /// The workspace of this node changed: joined, left, other keys or other removed members.
    case workspaceChanged
    /// The user, who waits to be let in, has an invitation now.
    case invited
    /// The addresses at which this machine accepts links changed.
    case ownPlacesChanged(isFirst: Bool)
    /// This node has a new signed entry to send to members.
    case ownAddressesSigned

    // Couriers.
    /// An envelope that the peer of a link deposited was not stored.
    case depositRefused(on: LinkID, EnvelopeID)

    // Dialing.
    /// The ways to reach a peer changed, or why it is not reached.
    case waysChanged(PeerID)
    /// Discovery lost an instance that may be this peer.
    case lostSight(PeerID)
    /// This node wants the peer of a link to test whether it can reach this node.
    case wantsDialBack(on: LinkID)
    /// The dial-back that the peer of a link requested has ended.
    case dialedBack(on: LinkID, DialBackView.Outcome)
}
