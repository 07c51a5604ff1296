package import ParlanceWire

/// A fact the engine is told. Whatever is random or read from a clock comes in as data.
package enum Input: Sendable {
    /// Discovery saw an instance, or saw it change.
    case sighted(Sighting)
    case sightLost(instance: String)
    /// The machine's network changed: what failed before may work now.
    case networkChanged
    /// The addresses of this machine at which links are taken.
    case ownAddresses([NumericAddress])
    /// A link is up: the handshake succeeded and the peer proved its identity.
    case linkOpened(LinkOpened)
    /// A whole frame came on a link. `bytes` is its size on the wire.
    case frameReceived(LinkID, WireFrame, bytes: Int)
    case linkClosed(LinkID, LinkEnd)
    case dialFailed(DialID, DialFailure)
    /// Whether somebody took the connection of a `probe`; else why not.
    case probed(DialID, failure: String?)
    case commandGiven(CommandID, Command)
    case persisted(BatchID, PersistReceipt)
    /// A batch could not be written. Nothing of it is in the store.
    case persistFailed(BatchID, reason: String)
    /// A read of events or of an envelope failed: nothing is known of what is there.
    case readFailed(ReadID)
    /// The answer to a read: consecutive events, empty if the log has none there.
    case eventsRead(ReadID, [StoredEvent])
    /// The moment named by `nextDeadline` has come.
    case deadlinePassed
    /// The answer to the reading of an envelope (a serialized `Envelope`); `nil` if it is not there.
    case envelopeRead(ReadID, [UInt8]?)
}

/// Names a link for as long as the process runs.
package struct LinkID: Hashable, Comparable, Sendable {
    package let value: UInt64
    package init(_ value: UInt64) { self.value = value }
    package static func < (a: LinkID, b: LinkID) -> Bool { a.value < b.value }
}

/// Names one attempt to reach an address.
package struct DialID: Hashable, Sendable {
    package let value: UInt64
    package init(_ value: UInt64) { self.value = value }
}

/// Names one command, so that its answer finds the person who gave it.
package struct CommandID: Hashable, Sendable {
    package let value: UInt64
    package init(_ value: UInt64) { self.value = value }
}

/// Names one transaction of the store.
package struct BatchID: Hashable, Sendable {
    package let value: UInt64
    package init(_ value: UInt64) { self.value = value }
}

/// Names one read of a log.
package struct ReadID: Hashable, Sendable {
    package let value: UInt64
    package init(_ value: UInt64) { self.value = value }
}

/// Where a node takes links: a numeric address (with `%scope` where IPv6 needs one) or a host name, and a port.
package struct Endpoint: Hashable, Comparable, Sendable, CustomStringConvertible {
    package let host: String
    package let port: UInt16

    package init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }

    package static func < (a: Endpoint, b: Endpoint) -> Bool { (a.host, a.port) < (b.host, b.port) }
}

/// What discovery says of an instance: a hint, never evidence.
package struct Sighting: Equatable, Sendable {
    /// The instance's random name, made anew at each start of that node.
    package var instance: String
    /// The first 8 characters of its peer ID, unless it hides them.
    package var peerPrefix: String?
    /// Tags of the workspaces it is in; empty for an open node.
    package var workspaceTags: [UInt32]
    /// Where it can be reached, best first.
    package var endpoints: [Endpoint]

    package init(instance: String, peerPrefix: String?, workspaceTags: [UInt32], endpoints: [Endpoint]) {
        self.instance = instance
        self.peerPrefix = peerPrefix
        self.workspaceTags = workspaceTags
        self.endpoints = endpoints
    }
}

/// What is known of a link the moment it is up.
package struct LinkOpened: Sendable {
    package var link: LinkID
    package var peer: PeerID
    package var replica: ReplicaID
    /// Counts the starts of that replica.
    package var epoch: UInt64
    /// The attempt this link came from; `nil` if the peer dialled.
    package var dial: DialID?
    /// The other side's address as the socket has it.
    package var remote: Endpoint
    /// The tag of the workspace key that it was opened with; `nil` for an open link.
    package var workspaceTag: UInt32?

    package init(
        link: LinkID,
        peer: PeerID,
        replica: ReplicaID,
        epoch: UInt64,
        dial: DialID?,
        remote: Endpoint,
        workspaceTag: UInt32? = nil
    ) {
        self.link = link
        self.peer = peer
        self.replica = replica
        self.epoch = epoch
        self.dial = dial
        self.remote = remote
        self.workspaceTag = workspaceTag
    }
}

/// How a link ended.
package enum LinkEnd: Equatable, Sendable {
    /// With an authenticated closing record.
    case closed
    /// Without one: a cable, a crash, or somebody in between.
    case cutOff
    /// The peer broke a rule of the link (link.md).
    case broken(Breach)
    /// The peer does not take what is sent to it.
    case congested
}
