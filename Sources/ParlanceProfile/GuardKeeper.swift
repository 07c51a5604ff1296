import Foundation
import Logging
package import ParlanceStore
package import ParlanceWire
import ParlanceWords
import Synchronization

/// Raises the generation of a store and of its guard together, the guard first.
package final class GuardKeeper: Sendable {
    private struct State {
        var known: ReplicaGuard
        var problem: DaemonError?
    }

    private let file: GuardFile
    private let store: Store
    private let logger: Logger
    private let state: Mutex<State>

    /// - Parameter known: the guard that matches the store as it was opened.
    init(_ file: GuardFile, _ store: Store, _ known: ReplicaGuard, _ logger: Logger) {
        self.file = file
        self.store = store
        self.logger = logger
        state = Mutex(State(known: known))
    }

    /// The folder of the guard file.
    package var folder: String { file.folder }

    /// Why the last `raise` could not write the guard; `nil` if it could.
    package var problem: DaemonError? { state.withLock { $0.problem } }

    /// Raises the generation twice. Call it at each start, before anything is written under the replica.
    ///
    /// A crash may leave the store one generation behind its guard, and `ReplicaGuard.judge` permits that. Two raises
    /// at each start put a backup from before that start at least two behind, even if the node ran only briefly.
    func begin() throws(StoreError) {
        try raise()
        try raise()
    }

    /// Records that the store goes on as another replica.
    package func adopt(_ replica: ReplicaID) {
        let known = state.withLock { state in
            state.known.replica = replica
            return state.known
        }
        do throws(DaemonError) {
            try file.write(known)
        } catch {
            // The next start switches to a new replica once more, which loses nothing.
            logger.warning("The replica guard cannot be written", metadata: ["error": "\(error)"])
        }
    }

    /// Raises the generation by one in the guard and, once the guard is synced, in the store. Call it on the queue that
    /// writes the store.
    ///
    /// If the guard cannot be written, the store stays as it is, so that both stay in step. The failure is logged and
    /// kept in `problem`, and the next call tries again.
    package func raise() throws(StoreError) {
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
