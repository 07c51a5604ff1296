/// `requests`: the peers that ask to talk.
package struct RequestsOperation: BareOperation {
    package typealias Reply = RequestsReply
    package static let method = "requests"

    package init() {}
}

/// The peers that ask to talk, the one that has waited longest first.
package struct RequestsReply: Codable, Equatable, Sendable {
    package var requests: [RequestEvent]

    package init(requests: [RequestEvent]) {
        self.requests = requests
    }
}

/// `accept`: accepts messages and links of a peer from now on; it also ends a block.
package struct AcceptOperation: ControlOperation {
    package typealias Reply = PeerInfo
    package static let method = "accept"

    /// A peer, by its name, alias or ID (see WHO in protocol/control.md).
    package var who: String

    package init(who: String) {
        self.who = who
    }
}

/// `decline`: drops the request of a peer, and its further requests within 24 hours.
package struct DeclineOperation: ControlOperation {
    package typealias Reply = PeerInfo
    package static let method = "decline"

    /// A peer, by its name, alias or ID (see WHO in protocol/control.md).
    package var who: String

    package init(who: String) {
        self.who = who
    }
}

/// `block`: ends the links with a peer, and accepts nothing from it.
package struct BlockOperation: ControlOperation {
    package typealias Reply = PeerInfo
    package static let method = "block"

    /// A peer, by its name, alias or ID (see WHO in protocol/control.md).
    package var who: String

    package init(who: String) {
        self.who = who
    }
}

/// `unblock`: ends a block; the peer is trusted as before.
package struct UnblockOperation: ControlOperation {
    package typealias Reply = PeerInfo
    package static let method = "unblock"

    /// A peer, by its name, alias or ID (see WHO in protocol/control.md).
    package var who: String

    package init(who: String) {
        self.who = who
    }
}

/// `verify`: asks for the safety number with a peer, or says that it was compared.
package struct VerifyOperation: ControlOperation {
    package typealias Reply = VerificationInfo
    package static let method = "verify"

    /// A peer, by its name, alias or ID (see WHO in protocol/control.md).
    package var who: String
    /// The text of the QR code that the peer shows; if it matches, the peer is verified.
    package var scanned: String?
    /// Whether the user has compared the number: true marks the peer as verified, false takes that back.
    package var confirm: Bool?

    package init(who: String, scanned: String? = nil, confirm: Bool? = nil) {
        self.who = who
        self.scanned = scanned
        self.confirm = confirm
    }
}

/// The safety number and the QR code that two people compare.
package struct VerificationInfo: Codable, Equatable, Sendable {
    /// The peer as it is now.
    package var peer: PeerInfo
    /// 60 digits in 12 groups of 5, with spaces between them; the peer sees the same.
    package var number: String
    /// The text of the QR code to show to the peer.
    package var code: String

    package init(peer: PeerInfo, number: String, code: String) {
        self.peer = peer
        self.number = number
        self.code = code
    }
}
