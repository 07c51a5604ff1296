import ParlanceControl
package import ParlanceProfile
import ParlanceWords

/// The problems to report if the folder was copied or restored, or if the guard cannot be written.
package struct CopyReport: Sendable {
    private let copied: ReplicaGuard.Reason?
    private let keeper: GuardKeeper
    /// Whether this machine seems to lose its state folder at each start: the guard is missing, and more replicas have
    /// written than moves and restored backups explain.
    private let forgets: Bool

    package init(_ opened: OpenedProfile) {
        copied = opened.copied
        keeper = opened.guardKeeper
        forgets = opened.copied == .noGuard && opened.earlierCopies > Self.copiesOfChance
    }

    /// Earlier replicas that arise without such a machine: from a new computer, or from a restored backup.
    private static let copiesOfChance = 2

    var problems: [NodeStatus.Problem] {
        var problems: [NodeStatus.Problem] = []
        if forgets {
            problems.append(
                NodeStatus.Problem(
                    code: "forgetful",
                    message:
                        """
                        This computer has no note of this node, and several copies of you have written before. It \
                        seems that it does not keep the node's state folder from one start to the next. Then each \
                        start makes a new copy of you, and everybody you write with has to keep all of them.
                        """,
                    advice:
                        """
                        In a container or a live system, keep \(keeper.folder) and /etc/machine-id on a volume that \
                        lasts. If you have moved the node to another computer, nothing has to be done.
                        """
                )
            )
        } else if let copied {
            problems.append(
                NodeStatus.Problem(
                    code: "copy",
                    message: """
                        This node's folder was restored, copied or moved (\(copied.explanation)), so it writes on as a \
                        new copy of you.
                        """,
                    advice:
                        """
                        Nothing has to be done: what was written since and had reached others comes back from them, \
                        as they connect. Do not run the other copy again. If both run, each continues in a branch of its own, \
                        and nothing is lost.
                        """,
                    severity: .note
                )
            )
        }
        if let problem = keeper.problem {
            problems.append(NodeStatus.Problem(code: "guard", message: problem.message, advice: problem.advice))
        }
        return problems
    }
}

extension ReplicaGuard.Reason {
    fileprivate var explanation: Phrase {
        switch self {
        case .noGuard: Phrase("this computer has no note of it")
        case .damagedGuard: Phrase("this computer's note of it cannot be read")
        case .otherMachine: Phrase("it was used on another computer last")
        case .otherIdentity: Phrase("the folder of another identity was here last")
        case .otherFile: Phrase("the message store is another file than last time")
        case .otherReplica: Phrase("another copy was here last")
        case .olderStore: Phrase("the message store is older than it was")
        case .olderGuard: Phrase("this computer's note of it is older than the message store")
        }
    }
}
