package import ParlanceWire

/// A branch of a log (events.md, "Forks").
package struct BranchRecord: Equatable, Sendable {
    package var conversation: ConversationID
    /// The name of the branch.
    package var log: LogID
    /// The log or branch that it forks from. It changes if the parent itself forks at an earlier position.
    package var parent: LogID
    /// The last event that the branches share.
    package var base: LogPosition
    /// The first event of this branch.
    package var first: EventID
    /// The headers from the first event up to a signed one, as a `Fork` carries them (serialized `Fork.Branch`).
    /// Together with those of another branch they prove the fork.
    package var proof: [UInt8]

    package init(
        conversation: ConversationID,
        log: LogID,
        parent: LogID,
        base: LogPosition,
        first: EventID,
        proof: [UInt8]
    ) {
        self.conversation = conversation
        self.log = log
        self.parent = parent
        self.base = base
        self.first = first
        self.proof = proof
    }
}

extension LogID {
    /// Names a branch by a replica derived from the replica that wrote it and the hash of its first header. The name
    /// stays the same wherever else that log forks.
    package init(branchOf root: LogID, first: EventID) {
        let hash = Bytes32(hashing: root.replica.bytes + first.bytes, domain: Domain.branch).bytes
        // A replica has 16 bytes.
        self.init(author: root.author, replica: ReplicaID(hash.prefix(ReplicaID.count)) ?? root.replica)
    }
}
