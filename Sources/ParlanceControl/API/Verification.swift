/// Asks for the safety number with a peer, or says that it was compared.
package struct VerifyRequest: Codable, Equatable, Sendable {
    package var who: String
    /// The text of the QR code that the peer shows: it is compared, and the peer is verified if it is the same.
    package var scanned: String?
    /// Whether the user has compared the number: true marks the peer as verified, false takes that back.
    package var confirm: Bool?

    package init(who: String, scanned: String? = nil, confirm: Bool? = nil) {
        self.who = who
        self.scanned = scanned
        self.confirm = confirm
    }
}

/// What two people compare.
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

/// Who asks to talk, the one who has waited longest first.
package struct RequestsReply: Codable, Equatable, Sendable {
    package var requests: [RequestEvent]

    package init(requests: [RequestEvent]) {
        self.requests = requests
    }
}
