import ParlanceWire

/// Another identity, as the engine keeps it.
struct Peer: Equatable, Sendable {
    var record: PeerRecord
    /// What it announced last of being here; meaningful while it is shown as present.
    var announced = Announced()
    /// Shown as present: a link is up, or was a moment ago.
    var isPresent = false
    /// Asked to talk since this node started, and it has not answered.
    var wasAsked = false
    /// The last links with it were opened with an old workspace key and brought no newer one: the two may be apart.
    var mayBeApart = false
    /// Where people have been told that it is typing.
    var typingIn: ConversationID?

    struct Announced: Equatable, Sendable {
        var activity: Activity = .online
        var statusText = ""
    }

    init(_ record: PeerRecord) {
        self.record = record
    }

    var isAccepted: Bool { record.trust == .accepted || record.trust == .verified }
}
