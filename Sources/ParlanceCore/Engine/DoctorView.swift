package import ParlanceWire

/// What the engine knows of why somebody is not found or not reached.
package struct DoctorView: Equatable, Sendable {
    /// Everybody known, or the one asked about, in the order of their IDs.
    package var people: [Person] = []
    /// Places that have led to nobody known yet.
    package var unknown: [Way] = []
    /// Instances in sight that are of our network, and of others: without a workspace while this node is in one, with one
    /// while it is in none, or of another workspace.
    package var sighted = 0
    package var foreign = 0
    package var workspace: String?
    package var links = 0
    /// How far this machine's clock was once ahead of what it says now, in milliseconds; `nil` if nothing shows that.
    package var clockWentBack: Int64?

    package init() {}

    package struct Person: Equatable, Sendable {
        package var view: PeerView
        package var isWelcome: Bool
        package var isLeftOut: Bool
        /// How far its clock was ahead of this one when the link opened, in milliseconds.
        package var skew: Int64?
        /// Whether the workspace may have split between the two: links with an old key brought no newer one.
        package var mayBeApart: Bool
        /// Whether it waits to be written to less than it could: there are so many members that not all are linked.
        package var isBeyond: Bool
        package var ways: [Way]
        /// Until when what waits for this one can be sealed to a key that is here, in wall milliseconds; `nil`: there is none.
        package var sealableUntil: Int64?
        /// Those connected who would carry it.
        package var couriers: [PeerID]

        package init(
            view: PeerView,
            isWelcome: Bool = true,
            isLeftOut: Bool = false,
            skew: Int64? = nil,
            mayBeApart: Bool = false,
            isBeyond: Bool = false,
            ways: [Way] = [],
            sealableUntil: Int64? = nil,
            couriers: [PeerID] = []
        ) {
            self.view = view
            self.isWelcome = isWelcome
            self.isLeftOut = isLeftOut
            self.skew = skew
            self.mayBeApart = mayBeApart
            self.isBeyond = isBeyond
            self.ways = ways
            self.sealableUntil = sealableUntil
            self.couriers = couriers
        }
    }

    /// A place where somebody may answer.
    package struct Way: Equatable, Sendable {
        package enum Kind: Equatable, Sendable { case fixed, sighted, remembered }

        package var kind: Kind
        package var endpoints: [Endpoint]
        /// Why the last attempt failed, and where it was made.
        package var failed: LinkTrouble?
        package var isForeign: Bool
        package var isUnderWay: Bool
        /// Monotonic milliseconds of the next attempt.
        package var nextTry: Int64

        package init(
            kind: Kind,
            endpoints: [Endpoint],
            failed: LinkTrouble? = nil,
            isForeign: Bool = false,
            isUnderWay: Bool = false,
            nextTry: Int64 = 0
        ) {
            self.kind = kind
            self.endpoints = endpoints
            self.failed = failed
            self.isForeign = isForeign
            self.isUnderWay = isUnderWay
            self.nextTry = nextTry
        }
    }
}

/// What a peer found that was asked to dial back.
package struct DialBackView: Equatable, Sendable {
    package enum Outcome: Equatable, Sendable {
        case reached
        case failed(String)
        /// It was asked less than a minute ago.
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
