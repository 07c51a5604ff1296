import ParlanceWire

/// The proof that a log parts as a peer sent it, decoded once at the edge. Nothing of it is verified.
struct ReceivedFork: Equatable, Sendable {
    let conversation: ConversationID
    /// The log that parts.
    let log: LogID
    /// Of each branch the headers up to a signed one, without bodies.
    let branches: [[ReceivedEvent]]

    /// - Returns: `nil` if a field is none, or there are too few or too many branches.
    init?(_ wire: WireFork) {
        guard let conversation = ConversationID(wire.conversation), let log = LogID(wire.log),
            (2...Limits.branchesPerLog).contains(wire.branches.count)
        else { return nil }
        self.conversation = conversation
        self.log = log
        branches = wire.branches.map { branch in
            branch.events.map { event in
                var bare = event
                bare.clearBody()
                return ReceivedEvent(bare)
            }
        }
    }

    /// The place at which the branches begin, as the first says; `nil` if its first header cannot be read.
    var place: UInt64? { branches.first?.first?.header?.sequence }
}
