import ParlanceHistory
import ParlanceRecords
import ParlanceWire

/// The parts of an invitation that have come: membership events of one group, each once.
struct InvitationParts: Equatable, Sendable {
    let group: ConversationID
    private(set) var events: [StoredEvent] = []
    private(set) var byteCount = 0
    /// The authors and subjects of the events: nobody else can become a member by them.
    private(set) var people: Set<PeerID> = []
    private var ids: Set<EventID> = []

    init(_ group: ConversationID) {
        self.group = group
    }

    /// Whether the parts may be kept until the rest comes.
    var isWithinBounds: Bool { events.count <= Limits.membershipEvents && byteCount <= Limits.invitationBytes }

    func contains(_ id: EventID) -> Bool { ids.contains(id) }

    /// Adds an event, unless it breaks a rule by itself or was added before.
    mutating func add(_ event: StoredEvent) {
        guard let change = MembershipChange(event), ids.insert(event.id).inserted else { return }
        events.append(event)
        byteCount += event.byteCount
        people.insert(change.log.author)
        people.formUnion(change.subjects)
    }
}
