package import ParlanceWire

/// The branches of a conversation's logs (events.md, "Forks"): nearly always none, otherwise a few.
package struct ForkTree: Sendable {
    package struct Branch: Sendable {
        /// The row number of the branch's log.
        package let row: Int64
        package let log: LogID
        package let parent: LogID
        package let base: LogPosition

        package init(row: Int64, log: LogID, parent: LogID, base: LogPosition) {
            (self.row, self.log, self.parent, self.base) = (row, log, parent, base)
        }
    }

    package let all: [Branch]

    package init(all: [Branch]) {
        self.all = all
        invariant(Set(all.map(\.log)).count == all.count, "a branch is in the tree once")
        invariant(all.allSatisfy { $0.log != $0.parent }, "a branch does not fork from itself")
        invariant(
            all.allSatisfy { $0.log.author == $0.parent.author },
            "a branch has the author of the log from which it forks"
        )
    }

    package var isEmpty: Bool { all.isEmpty }

    package subscript(log: LogID) -> Branch? { all.first { $0.log == log } }

    /// The name of a branch by the row number of its log; `nil` if the log is not a branch.
    package func name(ofRow row: Int64) -> LogID? { all.first { $0.row == row }?.log }

    package func children(of parent: LogID) -> [Branch] { all.filter { $0.parent == parent } }

    /// All descendants of a log, in the order of their names.
    package func below(_ log: LogID) -> [LogID] {
        guard !isEmpty else { return [] }
        var found: [LogID] = []
        var next = [log]
        while let log = next.popLast() {
            let names = children(of: log).map(\.log).filter { !found.contains($0) }
            found += names
            next += names
        }
        return found.sorted()
    }

    /// The log that contains a position of another log: the log itself, or a parent if the position is not beyond its
    /// base.
    package func keeper(of sequence: UInt64, _ log: LogID) -> LogID {
        var log = log
        while let branch = self[log], sequence <= branch.base.sequence { log = branch.parent }
        return log
    }

    /// The parents of a branch, the nearest first.
    package func above(_ log: LogID) -> [LogID] {
        var found: [LogID] = []
        var next = self[log]?.parent
        while let parent = next, !found.contains(parent) {
            found.append(parent)
            next = self[parent]?.parent
        }
        return found
    }
}
