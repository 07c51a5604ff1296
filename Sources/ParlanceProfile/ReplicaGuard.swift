import ParlanceStore
import ParlanceWire

/// The last known state of a store, kept outside its folder. A copy or a backup of the folder does not contain the
/// guard, so a mismatch reveals it (identity.md, "Replica").
package struct ReplicaGuard: Equatable, Sendable {
    /// The machine's identifier; `nil` if it has none.
    var machine: String?
    var file: StoreMarks.File
    var identity: PeerID
    var replica: ReplicaID
    var generation: UInt64

    /// The result of reading the guard file.
    enum Found: Equatable, Sendable {
        case nothing
        case damaged
        case whole(ReplicaGuard)
    }

    /// Why a store does not count as the copy that ran here last.
    package enum Reason: String, Equatable, Sendable, CaseIterable {
        case noGuard, damagedGuard, otherMachine, otherIdentity, otherFile, otherReplica, olderStore, olderGuard
    }

    enum Verdict: Equatable, Sendable {
        /// The copy that ran here last.
        case same
        /// Nothing was ever written under the store's replica, so a new replica costs nothing and needs no report.
        case unused
        /// A copy or an older state: it must not write on under its replica.
        case copy(Reason)
    }

    /// Compares what the guard recorded with what the store says of itself.
    ///
    /// The guard is raised before the store, so a crash may leave the store one generation behind. A store that is
    /// further behind was restored from an older state. A guard behind its store was itself restored, and then says
    /// nothing about the age of the store. The device number is not compared: on many file systems it changes at each
    /// boot.
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
