import ParlanceRecords
import ParlanceWire

// What must hold of a conversation, whatever peers send and whatever fails.
extension Conversation {
    /// What must hold of events that are to be held next.
    func checkContinues(_ run: [StoredEvent], _ log: LogID) {
        invariants {
            guard let first = run.first else { return }
            let held = held(of: log)
            invariant(first.header.conversation == id, "an event is held in its conversation")
            invariant(first.header.sequence == held.sequence + 1, "a log is held without a gap")
            invariant(held.sequence == 0 || first.header.previous == held.head, "a run continues the log that is held")
            invariant(run.allSatisfy { $0.log == log }, "a run is of one log")
            invariant(root(of: log) == first.header.log, "a log is named by its headers")
            invariant(!displaced.contains(log) || branches[log] != nil, "what is displaced is a branch")
        }
    }

    /// What must hold between transactions.
    func check() {
        invariants {
            for state in logs.values { state.check() }
            for (log, branch) in branches {
                invariant(
                    branch.log == log && branch.parent != log,
                    "a branch is kept under its name, and is not its own parent"
                )
                invariant(start(of: branch.parent).sequence <= branch.base.sequence, "a branch begins in its parent")
                invariant(
                    logs[log].map { $0.held.sequence >= branch.base.sequence } ?? true,
                    "a branch is held from its base"
                )
            }
            invariant(displaced.isSubset(of: branches.keys), "what is displaced is a branch")
            invariant(parting.values.allSatisfy { branches[$0] != nil }, "a log parts into a branch")
            invariant(wants.keys.allSatisfy { !displaced.contains($0) }, "no displaced branch is asked for")
        }
    }
}
