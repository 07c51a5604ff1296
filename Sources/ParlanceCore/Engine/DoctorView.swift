package import ParlanceWire

/// What the engine knows about why people are not found or not reached.
package struct DoctorView: Equatable, Sendable {
    /// All people known, or the one asked about, in the order of their IDs.
    package var people: [Person] = []
    /// By how much the clocks of all who are connected and welcome are ahead of this machine's, in milliseconds, whoever
    /// was asked about: only together do they say whose clock is wrong.
    package var skews: [Int64] = []
    /// Places to dial at which no known peer is expected.
    package var unknown: [Way] = []
    /// Nearby instances of our network, and of other networks: without a workspace while this node is in one, with one
    /// while this node is in none, or of another workspace.
    package var sighted = 0
    package var foreign = 0
    /// Nodes in sight that could be linked and do not answer, in the order of their sightings. Nobody who is welcome is
    /// among them: the findings about a person tell that.
    package var unanswered: [Unanswered] = []
    package var workspace: String?
    /// What its admins have decided; `nil` without a charter.
    package var charter: CharterView?
    /// Charters that linked members name and this node does not hold.
    package var metCharters: [PeerCharterState] = []
    package var links = 0
    /// Members of the workspace that came in the last hour and were not accepted, because too many came.
    package var unadmitted = 0
    /// How far this machine's clock was once ahead of its present time, in milliseconds; `nil` if nothing shows that.
    package var clockWentBack: Int64?

    package init() {}

    package struct Person: Equatable, Sendable {
        package var view: PeerView
        /// Whether it has been in this node's workspace. An admin can let somebody in who never comes.
        package var hasBeenHere: Bool
        /// How far the peer's clock was ahead of ours when the link opened, in milliseconds.
        package var skew: Int64?
        /// Whether the workspace may have split between the two nodes: links with an old key brought no newer one.
        package var mayBePartitioned: Bool
        /// Whether no link with the peer is wanted: there are too many members to link with all, and others relay its
        /// events.
        package var isBeyond: Bool
        package var ways: [Way]
        /// Until when messages that wait for the peer can be sealed to a key that is held here, in wall-clock
        /// milliseconds; `nil` if there is no such key.
        package var sealableUntil: Int64?
        /// The connected peers that would carry messages for it.
        package var couriers: [PeerID]

        package init(
            view: PeerView,
            hasBeenHere: Bool = false,
            skew: Int64? = nil,
            mayBePartitioned: Bool = false,
            isBeyond: Bool = false,
            ways: [Way] = [],
            sealableUntil: Int64? = nil,
            couriers: [PeerID] = []
        ) {
            self.view = view
            self.hasBeenHere = hasBeenHere
            self.skew = skew
            self.mayBePartitioned = mayBePartitioned
            self.isBeyond = isBeyond
            self.ways = ways
            self.sealableUntil = sealableUntil
            self.couriers = couriers
        }
    }

    /// A node in sight that does not answer: somebody whom a firewall hides, as far as anybody can say from here.
    package struct Unanswered: Equatable, Sendable {
        /// Where it was tried last, and why that failed.
        package var place: Endpoint
        package var failure: DialFailure
        /// Since when no attempt has succeeded, in milliseconds since 1970.
        package var since: Int64?

        package init(place: Endpoint, failure: DialFailure, since: Int64? = nil) {
            self.place = place
            self.failure = failure
            self.since = since
        }
    }

    /// A place to dial.
    package struct Way: Equatable, Sendable {
        package enum Kind: Equatable, Sendable { case fixed, sighted, remembered }

        package var kind: Kind
        package var endpoints: [Endpoint]
        /// Why the last attempt failed, and at which address.
        package var failed: LinkTrouble?
        package var isForeign: Bool
        /// Whether discovery shows a node that is in no workspace.
        package var isOpen: Bool
        package var isUnderWay: Bool
        /// Monotonic milliseconds of the next attempt.
        package var nextTry: Int64

        package init(
            kind: Kind,
            endpoints: [Endpoint],
            failed: LinkTrouble? = nil,
            isForeign: Bool = false,
            isOpen: Bool = false,
            isUnderWay: Bool = false,
            nextTry: Int64 = 0
        ) {
            self.kind = kind
            self.endpoints = endpoints
            self.failed = failed
            self.isForeign = isForeign
            self.isOpen = isOpen
            self.isUnderWay = isUnderWay
            self.nextTry = nextTry
        }
    }
}

/// The answer of a peer that was asked to dial back.
package struct DialBackView: Equatable, Sendable {
    package enum Outcome: Equatable, Sendable {
        case reached
        case failed(String)
        /// The peer was asked less than a minute ago.
        case tooOften
        case noAnswer
    }

    package var peer: PeerID
    package var outcome: Outcome

    package init(peer: PeerID, outcome: Outcome) {
        self.peer = peer
        self.outcome = outcome
    }
}
