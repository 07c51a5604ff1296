/// `peers`: everybody the node knows of, or some people by their names.
package struct PeersOperation: ControlOperation {
    package typealias Reply = PeersReply
    package static let method = "peers"

    /// Peers, by their names, aliases or IDs (see WHO in protocol/control.md); absent: everybody.
    package var who: [String]?

    package init(who: [String]? = nil) {
        self.who = who
    }
}

/// Peers, connected ones first, then by name.
package struct PeersReply: Codable, Equatable, Sendable {
    package var peers: [PeerInfo]
    /// Why nobody, or not everybody, is found or reached, whoever it is; absent if nothing is known to hinder that.
    package var problems: [NodeStatus.Problem]?
    /// Of `who`, as they were given: the names that nobody has; absent if there are none.
    package var unknown: [String]?

    package init(peers: [PeerInfo], problems: [NodeStatus.Problem] = [], unknown: [String] = []) {
        self.peers = peers
        self.problems = problems.isEmpty ? nil : problems
        self.unknown = unknown.isEmpty ? nil : unknown
    }
}

/// `alias`: gives a peer a name that only this node shows.
package struct AliasOperation: ControlOperation {
    package typealias Reply = PeerInfo
    package static let method = "alias"

    /// A peer, by its name, alias or ID (see WHO in protocol/control.md).
    package var who: String
    /// The alias; empty removes it, so that the name which the peer announces shows again.
    package var name: String

    package init(who: String, name: String) {
        self.who = who
        self.name = name
    }
}

/// `forget`: deletes what is known of a peer, except the conversation.
package struct ForgetOperation: ControlOperation {
    package typealias Reply = DoneReply
    package static let method = "forget"

    /// A peer, by its name, alias or ID (see WHO in protocol/control.md).
    package var who: String

    package init(who: String) {
        self.who = who
    }
}

/// `allow`: lets a peer write as much as in a whole day, whatever it has written (protocol/sync.md, "Full").
package struct AllowOperation: ControlOperation {
    package typealias Reply = DoneReply
    package static let method = "allow"

    /// A peer, by its name, alias or ID (see WHO in protocol/control.md).
    package var who: String

    package init(who: String) {
        self.who = who
    }
}

/// `seen`: asks when a peer was here in the last week.
package struct SeenOperation: ControlOperation {
    package typealias Reply = SeenReply
    package static let method = "seen"

    /// A peer, by its name, alias or ID (see WHO in protocol/control.md).
    package var who: String

    package init(who: String) {
        self.who = who
    }
}

/// In which hours of the last week a peer was here, as far as this node saw.
package struct SeenReply: Codable, Equatable, Sendable {
    package var peer: Person
    /// When the first of the 168 hours began; the present one is the last.
    package var from: ControlTime
    /// When each of those hours began in which the peer was here.
    package var hours: [ControlTime]

    package init(peer: Person, from: ControlTime, hours: [ControlTime]) {
        self.peer = peer
        self.from = from
        self.hours = hours
    }
}

/// `courier`: sets whether a peer and this node carry messages for each other.
package struct CourierOperation: ControlOperation {
    package typealias Reply = PeerInfo
    package static let method = "courier"

    /// A peer, by its name, alias or ID (see WHO in protocol/control.md).
    package var who: String
    /// Whether to take that back; absent means no.
    package var remove: Bool?

    package init(who: String, remove: Bool? = nil) {
        self.who = who
        self.remove = remove
    }
}
