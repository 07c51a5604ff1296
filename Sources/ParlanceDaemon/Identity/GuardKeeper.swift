import Foundation
import Logging
import ParlanceStore
import ParlanceWire
import Synchronization

/// Raises the generation of a store and its guard together, the guard first.
final class GuardKeeper: Sendable {
    private struct State {
        var known: ReplicaGuard
        var problem: DaemonError?
    }

    private let file: GuardFile
    private let store: Store
    private let logger: Logger
    private let state: Mutex<State>

    /// - Parameter known: what is true of the store as it was opened.
    init(_ file: GuardFile, _ store: Store, _ known: ReplicaGuard, _ logger: Logger) {
        self.file = file
        self.store = store
        self.logger = logger
        state = Mutex(State(known: known))
    }

    /// Where the guard lies.
    var folder: String { file.folder }

    /// Why the guard could not be written when it was last tried.
    var problem: DaemonError? { state.withLock { $0.problem } }

    /// What a start does before anything is written under the replica: raises twice.
    ///
    /// A crash may leave the store behind by one, which is forgiven; so whoever comes back from before a start is behind
    /// by two, also if nothing ran for long.
    func begin() throws(StoreError) {
        try raise()
        try raise()
    }

    /// The store goes on as another replica: the guard is for that one now.
    func adopt(_ replica: ReplicaID) {
        let known = state.withLock { state in
            state.known.replica = replica
            return state.known
        }
        // If it fails, the next start takes one more replica, which loses nothing.
        try? file.write(known)
    }

    /// Raises the guard, and once that is synced the store, by one. To be called where the store is written.
    ///
    /// A guard that cannot be written leaves the store as it is, so that they stay in step; it is logged and told as
    /// `problem`, and tried again the next time.
    func raise() throws(StoreError) {
        var known = state.withLock { $0.known }
        known.generation += 1
        do throws(DaemonError) {
            try file.write(known)
        } catch {
            logger.warning("The replica guard cannot be written", metadata: ["error": "\(error)"])
            return state.withLock { $0.problem = error }
        }
        try store.raiseGeneration(to: known.generation)
        state.withLock { $0 = State(known: known) }
    }
}
