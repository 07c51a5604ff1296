import ParlanceStore
import ParlanceWire

/// What was last known of a store, kept outside its folder: a folder that was copied or went back to an older state
/// does not take it along, and so is told by it (identity.md, "Replica").
struct ReplicaGuard: Equatable, Sendable {
    /// The computer's own name for itself; `nil` where it has none.
    var machine: String?
    var file: StoreMarks.File
    var identity: PeerID
    var replica: ReplicaID
    var generation: UInt64

    /// What was found in the guard's place.
    enum Found: Equatable, Sendable {
        case nothing
        case damaged
        case whole(ReplicaGuard)
    }

    /// Why a store is not the copy it was.
    enum Reason: String, Equatable, Sendable, CaseIterable {
        case noGuard, damagedGuard, otherMachine, otherIdentity, otherFile, otherReplica, olderStore, olderGuard
    }

    enum Verdict: Equatable, Sendable {
        /// The copy that was started here last.
        case same
        /// Nothing was ever written under its replica, so a new one costs nothing and there is nothing to tell.
        case unused
        /// A copy or an older state: it must not write on under its replica.
        case copy(Reason)
    }

    /// Judges a store, from what was known of it and what it says of itself.
    ///
    /// The guard is raised before the store, so a crash leaves the store behind by one; behind by more, it went back. A guard
    /// behind its store went back itself, and then says nothing of how old the store is. The device's number is not
    /// compared: on many file systems it is another after each boot.
    static func judge(_ found: Found, of marks: StoreMarks, identity: PeerID, machine: String?) -> Verdict {
        guard marks.epoch > 0 else { return .unused }
        switch found {
        case .nothing: return .copy(.noGuard)
        case .damaged: return .copy(.damagedGuard)
        case .whole(let known):
            guard known.machine == machine else { return .copy(.otherMachine) }
            guard known.identity == identity else { return .copy(.otherIdentity) }
            guard known.file.inode == marks.file.inode else { return .copy(.otherFile) }
            guard known.replica == marks.replica else { return .copy(.otherReplica) }
            guard known.generation >= marks.generation else { return .copy(.olderGuard) }
            return known.generation - marks.generation <= 1 ? .same : .copy(.olderStore)
        }
    }
}
