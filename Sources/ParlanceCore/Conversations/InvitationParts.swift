import ParlanceWire

/// What has come of an invitation: membership events of one group, each once.
struct InvitationParts: Equatable, Sendable {
    let group: ConversationID
    private(set) var events: [StoredEvent] = []
    private(set) var byteCount = 0
    /// Everybody who wrote one of them, or whom one is about: nobody else can be a member by them.
    private(set) var people: Set<PeerID> = []
    private var ids: Set<EventID> = []

    init(_ group: ConversationID) {
        self.group = group
    }

    /// Whether they may be kept until the rest has come.
    var isWithinBounds: Bool { events.count <= Limits.membershipEvents && byteCount <= Limits.invitationBytes }

    func contains(_ id: EventID) -> Bool { ids.contains(id) }

    /// Adds an event, unless it breaks a rule by itself.
    mutating func add(_ event: StoredEvent) {
        guard let change = MembershipChange(event), ids.insert(event.id).inserted else { return }
        events.append(event)
        byteCount += event.byteCount
        people.insert(change.log.author)
        people.formUnion(change.subjects)
    }
}
