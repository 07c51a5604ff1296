import ParlanceHistory
import ParlanceRecords
import ParlanceWire

// Bounding the clocks that peers tell. Keeping everything that a peer claims would let it fill the memory.
extension Conversation {
    /// Returns what is kept of a clock that a peer told.
    func told(_ clock: Clock, _ identity: PeerID) -> AnnouncedClock {
        let all = ofMembers(clock, identity)
        let kept = bounded(all)
        return AnnouncedClock(
            kept: kept,
            isCut: kept.entries.count < all.entries.count,
            hasUnnamed: all.entries.count < clock.entries.count
        )
    }

    /// The entries of logs that may be in the conversation, each with at most `Limits.missingTold` missing bodies.
    private func ofMembers(_ clock: Clock, _ identity: PeerID) -> Clock {
        var entries = clock.entries.filter { mayWrite($0.key.author, identity) }
        for (log, entry) in entries where entry.missing.count > Limits.missingTold {
            entries[log]?.missing = Array(entry.missing.prefix(Limits.missingTold))
        }
        return Clock(entries: entries)
    }

    /// How many people may have logs here.
    var writerCount: Int { group.map { $0.membership.mentioned.count } ?? 2 }

    /// Keeps the entries of logs that are held or known as displaced branches; limits the others for each author.
    func bounded(_ clock: Clock) -> Clock {
        clock.bounded { logs[$0] != nil || displaced.contains($0) }
    }
}
