import ParlanceControl
import ParlanceCore
import ParlanceWire
import ParlanceWords

extension Diagnosis {
    /// Members that have to wait for their user's decision.
    var admissionProblems: [Problem] {
        guard view.unadmitted > 0 else { return [] }
        return [
            Problem(
                code: "workspace",
                message: """
                    \(view.unadmitted) more with the workspace's key want to be members. So many came that only \
                    \(Limits.membersAcceptedInHour) an hour are accepted by themselves.
                    """,
                advice: """
                    Accept whom you know (parlance peers, parlance accept NAME). If you know none of them, the key is in \
                    wrong hands: parlance workspace rotate.
                    """
            )
        ]
    }

    /// Members whose links show no common key: the workspace may have split.
    var splitProblems: [Problem] {
        view.people.filter(\.mayBeApart).map { person in
            let name = person.view.displayName
            return Problem(
                code: "workspace",
                message:
                    "\(name) and this node have different keys of the workspace, and \(name) has not told a newer one.",
                advice: "Accept each other on both machines (parlance accept NAME); the keys then follow by themselves."
            )
        }
    }
}
