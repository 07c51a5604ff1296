import ParlanceCore
import ParlanceWire

/// The branches of a conversation's logs: nearly always none, otherwise a few.
struct Branches {
    struct Branch {
        /// The row number of the branch's log.
        let row: Int64
        let log: LogID
        let parent: LogID
        let base: LogPosition
    }

    let all: [Branch]

    var isEmpty: Bool { all.isEmpty }

    subscript(log: LogID) -> Branch? { all.first { $0.log == log } }

    /// The name of a branch by the row number of its log; `nil` if the log is not a branch.
    func name(ofRow row: Int64) -> LogID? { all.first { $0.row == row }?.log }

    func children(of parent: LogID) -> [Branch] { all.filter { $0.parent == parent } }

    /// All descendants of a log, in the order of their names.
    func below(_ log: LogID) -> [LogID] {
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
    func keeper(of sequence: UInt64, _ log: LogID) -> LogID {
        var log = log
        while let branch = self[log], sequence <= branch.base.sequence { log = branch.parent }
        return log
    }

    /// The parents of a branch, the nearest first.
    func above(_ log: LogID) -> [LogID] {
        var found: [LogID] = []
        var next = self[log]?.parent
        while let parent = next, !found.contains(parent) {
            found.append(parent)
            next = self[parent]?.parent
        }
        return found
    }
}
