package import ParlanceRecords
package import ParlanceWire

/// A fact reported to the engine. Random values and times come in as data.
package enum Input: Sendable {
    /// Discovery found an instance, or noticed a change.
    case sighted(Sighting)
    case sightLost(instance: String)
    /// The machine's network changed: addresses that failed may work now.
    case networkChanged
    /// All addresses of this machine, whether or not it accepts links there.
    case machineAddresses([NumericAddress])
    /// The addresses at which this machine accepts links. `inner` are those of networks within the machine, such as the
    /// bridge of its containers.
    case ownAddresses([NumericAddress], inner: Set<NumericAddress> = [])
    /// A link was opened: the handshake succeeded, and the peer proved its identity.
    case linkOpened(LinkOpened)
    /// A whole frame was received on a link. `bytes` is its size on the wire.
    case frameReceived(LinkID, WireFrame, bytes: Int)
    case linkClosed(LinkID, LinkEnd)
    /// The other machine has acknowledged nothing of what was sent on a link for so many milliseconds.
    case linkStalled(LinkID, milliseconds: Int64)
    /// It acknowledges again.
    case linkAnswers(LinkID)
    /// An observer saw whether the user is active; `nil`: the observer is gone.
    case userSeen(UserSight?, by: IdleObserver)
    case dialFailed(DialID, DialFailure)
    /// Whether the endpoint of a `probe` accepted the connection; otherwise why it did not.
    case probed(DialID, failure: String?)
    case commandGiven(CommandID, Command)
    case persisted(BatchID, PersistReceipt)
    /// A batch could not be written. None of it is in the store.
    /// - isFull: whether there is no room on the disk.
    case persistFailed(BatchID, reason: String, isFull: Bool = false)
    /// A read of events or of an envelope failed. The result is unknown.
    case readFailed(ReadID)
    /// The result of a read: consecutive events, empty if the log has none there.
    case eventsRead(ReadID, [StoredEvent])
    /// Texts of these logs were found to be damaged on the disk, and are missing now.
    case textsDamaged([LogKey])
    /// The time given by `nextDeadline` has come.
    case deadlinePassed
    /// The result of reading an envelope (a serialized `Envelope`); `nil` if it is not stored.
    case envelopeRead(ReadID, [UInt8]?)
    /// Whether a message that is shown names the file.
    case mentionRead(ReadID, Bool)
    /// The shelf of files has done something.
    case shelf(ShelfNews)
    /// The configuration was read again: the static addresses, whether members of the workspace are accepted
    /// automatically, and the largest file that is fetched without being asked for.
    case settingsChanged(fixed: [Endpoint], acceptsMembers: Bool, autoFetchBytes: UInt64 = Limits.autoFetchBytes)
    /// Another limit of sending files, and of fetching them, holds from now on: bytes a second; `nil`: no limit.
    case fileRateChanged(UInt64?)
    /// The user changed how many bytes of one author a conversation takes in a day; `nil`: no limit.
    case quotaChanged(UInt64?)
    /// What a peer sends has waited for `Limits.behindMilliseconds` without a break; told again after each such time.
    case behind(PeerID)
}

/// Identifies a link while the process runs.
package struct LinkID: Hashable, Comparable, Sendable {
    package let value: UInt64
    package init(_ value: UInt64) { self.value = value }
    package static func < (a: LinkID, b: LinkID) -> Bool { a.value < b.value }
}

/// Identifies one attempt to reach an address.
package struct DialID: Hashable, Sendable {
    package let value: UInt64
    package init(_ value: UInt64) { self.value = value }
}

/// Identifies one command, to return its answer to the right caller.
package struct CommandID: Hashable, Sendable {
    package let value: UInt64
    package init(_ value: UInt64) { self.value = value }
}

/// Identifies one transaction of the store.
package struct BatchID: Hashable, Sendable {
    package let value: UInt64
    package init(_ value: UInt64) { self.value = value }
}

/// Identifies one read of the store.
package struct ReadID: Hashable, Sendable {
    package let value: UInt64
    package init(_ value: UInt64) { self.value = value }
}

/// Where a node accepts links: a numeric address (with `%scope` where IPv6 needs one) or a host name, and a port.
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

/// What discovery reports about an instance: a hint, not evidence.
package struct Sighting: Equatable, Sendable {
    /// The instance's random name, chosen anew at each start of that node.
    package var instance: String
    /// The first 8 characters of its peer ID, unless it hides them.
    package var peerPrefix: String?
    /// Tags of its workspaces; empty for an open node.
    package var workspaceTags: [UInt32]
    /// Its endpoints, best first.
    package var endpoints: [Endpoint]

    package init(instance: String, peerPrefix: String?, workspaceTags: [UInt32], endpoints: [Endpoint]) {
        self.instance = instance
        self.peerPrefix = peerPrefix
        self.workspaceTags = workspaceTags
        self.endpoints = endpoints
    }
}

/// What is known of a link when it opens.
package struct LinkOpened: Equatable, Sendable {
    package var link: LinkID
    package var peer: PeerID
    package var replica: ReplicaID
    /// Counts the starts of that replica.
    package var epoch: UInt64
    /// The attempt that opened the link; `nil` if the peer dialled.
    package var dial: DialID?
    /// The peer's address according to the socket.
    package var remote: Endpoint
    /// The address of this machine that the link uses; `nil` if it is not known.
    package var local: NumericAddress?
    /// The tag of the workspace key with which it was opened; `nil` for an open link.
    package var workspaceTag: UInt32?

    package init(
        link: LinkID,
        peer: PeerID,
        replica: ReplicaID,
        epoch: UInt64,
        dial: DialID?,
        remote: Endpoint,
        local: NumericAddress? = nil,
        workspaceTag: UInt32? = nil
    ) {
        self.link = link
        self.peer = peer
        self.replica = replica
        self.epoch = epoch
        self.dial = dial
        self.remote = remote
        self.local = local
        self.workspaceTag = workspaceTag
    }
}

/// How a link ended.
package enum LinkEnd: Equatable, Sendable {
    /// With an authenticated closing record.
    case closed
    /// Without one: network failure, crash, or an attacker.
    case cutOff
    /// The peer broke a rule of the link (link.md).
    case broken(Breach)
    /// The peer does not read what it is sent.
    case congested
}
