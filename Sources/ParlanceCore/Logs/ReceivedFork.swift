import ParlanceWire

/// The proof of a fork as a peer sent it, decoded once at the edge. Nothing in it is verified.
struct ReceivedFork: Equatable, Sendable {
    let conversation: ConversationID
    /// The log that was forked.
    let log: LogID
    /// For each branch, its headers up to a signed one, without bodies.
    let branches: [[ReceivedEvent]]

    /// - Returns: `nil` if an ID is malformed, or there are too few or too many branches.
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

    /// The sequence at which the branches begin, according to the first branch; `nil` if its first header cannot be
    /// read.
    var place: UInt64? { branches.first?.first?.header?.sequence }
}
