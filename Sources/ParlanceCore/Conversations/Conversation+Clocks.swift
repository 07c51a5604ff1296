import ParlanceWire

// What is kept of the clocks that peers tell: to keep whatever a peer claims would let it fill the memory.
extension Conversation {
    /// What is kept of a clock that a peer told.
    func told(_ clock: Clock, _ identity: PeerID) -> ToldClock {
        let all = ofMembers(clock, identity)
        let kept = bounded(all)
        return ToldClock(
            kept: kept,
            isCut: kept.entries.count < all.entries.count,
            hasUnnamed: all.entries.count < clock.entries.count
        )
    }

    /// The entries of logs that may be in the conversation, each with so many missing bodies.
    private func ofMembers(_ clock: Clock, _ identity: PeerID) -> Clock {
        var entries = clock.entries.filter { mayWrite($0.key.author, identity) }
        for (log, entry) in entries where entry.missing.count > Limits.missingTold {
            entries[log]?.missing = Array(entry.missing.prefix(Limits.missingTold))
        }
        return Clock(entries: entries)
    }

    /// Of logs that are neither held here nor known as branches that are left out so many of each author.
    func bounded(_ clock: Clock) -> Clock {
        clock.bounded { logs[$0] != nil || displaced.contains($0) }
    }
}
