/// `peers`: everybody the node knows of.
package struct PeersOperation: BareOperation {
    package typealias Reply = PeersReply
    package static let method = "peers"

    package init() {}
}

/// Every peer the node knows of, connected ones first, then by name.
package struct PeersReply: Codable, Equatable, Sendable {
    package var peers: [PeerInfo]

    package init(peers: [PeerInfo]) {
        self.peers = peers
    }
}

/// `alias`: gives a peer a name that only this node shows.
package struct AliasOperation: ControlOperation {
    package typealias Reply = PeerInfo
    package static let method = "alias"

    /// A peer, by its name, alias or ID (control.md, "WHO").
    package var who: String
    /// The alias; empty takes it away, so that the name which the peer announces shows again.
    package var name: String

    package init(who: String, name: String) {
        self.who = who
        self.name = name
    }
}

/// `forget`: drops what is known of a peer, except the conversation.
package struct ForgetOperation: ControlOperation {
    package typealias Reply = DoneReply
    package static let method = "forget"

    /// A peer, by its name, alias or ID (control.md, "WHO").
    package var who: String

    package init(who: String) {
        self.who = who
    }
}

/// `courier`: says whether a peer carries messages for this node, and this node for it.
package struct CourierOperation: ControlOperation {
    package typealias Reply = PeerInfo
    package static let method = "courier"

    /// A peer, by its name, alias or ID (control.md, "WHO").
    package var who: String
    /// Takes it back; absent means no.
    package var remove: Bool?

    package init(who: String, remove: Bool? = nil) {
        self.who = who
        self.remove = remove
    }
}
