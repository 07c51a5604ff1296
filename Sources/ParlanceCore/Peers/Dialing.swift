import ParlanceWire

/// Whom to dial, where, and when next.
struct Dialing: Equatable, Sendable {
    enum Key: Hashable, Sendable {
        /// A static address.
        case fixed(Endpoint)
        /// An instance that discovery sees.
        case instance(String)
        /// The addresses that worked for an accepted peer.
        case remembered(PeerID)
    }

    /// One place where somebody may answer.
    struct Target: Equatable, Sendable {
        var key: Key
        /// Numbers targets in the order in which they came up.
        var order: UInt64
        var endpoints: [Endpoint]
        /// Which endpoint is tried next.
        var turn = 0
        /// The first characters of the peer ID that discovery announced.
        var prefix: String?
        /// Tags of the workspaces it is in, as discovery announced them.
        var workspaceTags: [UInt32] = []
        /// Who answered there.
        var peer: PeerID?
        var attempt: DialID?
        var failures = 0
        var nextTry: Int64
        /// Why the last attempt failed, and since when.
        var failed: LinkTrouble?
        /// Where the last attempt was made.
        var lastTried: Endpoint?

        var endpoint: Endpoint? { endpoints.isEmpty ? nil : endpoints[turn % endpoints.count] }
    }

    var targets: [Key: Target] = [:]
    /// Attempts that were started in the present second, and when it began.
    var startedInSecond = 0
    var second: Int64 = 0

    /// How many targets discovery brought.
    var instances: Int { targets.keys.reduce(0) { if case .instance = $1 { $0 + 1 } else { $0 } } }

    var sorted: [Target] { targets.values.sorted { $0.order < $1.order } }
}
