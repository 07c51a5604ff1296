import ParlanceControl
import ParlanceCore
import ParlanceTexts
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

    /// What the admins of the workspace have decided about this user, and what members say of its charter.
    var charterProblems: [Problem] {
        var found: [Problem] = []
        if let by = view.charter?.excludedBy {
            found.append(
                Problem(
                    code: "workspace",
                    message: "\(name(by)) has excluded you from the workspace \(view.workspace ?? "").",
                    advice: "Talk to \(name(by)) in another way, or leave it: parlance workspace leave"
                )
            )
        }
        for met in view.metCharters {
            let charter = WorkspaceText.short(met.id.text)
            found.append(
                met.isOffered
                    ? Problem(
                        code: "workspace",
                        message:
                            "\(name(met.peer)) says that this workspace has admins, by the charter \(charter), whom this node does not follow.",
                        advice: "If that is right: parlance workspace adopt"
                    )
                    : Problem(
                        code: "workspace",
                        message:
                            "\(name(met.peer)) follows other admins of this workspace than this node, by the charter \(charter).",
                        advice: "One of the two has a code of another workspace. Compare: parlance workspace show"
                    )
            )
        }
        return found
    }

    /// Who waits for an admin's yes: this user, or others of whom an admin has to know.
    var waitingProblems: [Problem] {
        guard let charter = view.charter, charter.excludedBy == nil, let workspace = view.workspace else { return [] }
        guard charter.isMember else {
            let isInvited = charter.ownInvitation == .admits
            return [
                Problem(
                    code: "workspace",
                    message: isInvited
                        ? "You are not a member of the workspace \(workspace) yet. Your invitation lets you in as soon as an admin is connected."
                        : "You are not a member of the workspace \(workspace) yet. An admin has to let you in.",
                    advice: isInvited
                        ? "To see who its admins are: parlance workspace show"
                        : "Ask one of its admins: parlance workspace show",
                    severity: isInvited ? .note : .problem
                )
            ]
        }
        guard charter.isAdmin, !charter.waiting.isEmpty else { return [] }
        let names = PeopleText.list(PeopleText.distinct(charter.waiting.map { (name($0), $0.controlID) }))
        return [
            Problem(
                code: NodeStatus.Problem.admission,
                message: charter.waiting.count == 1
                    ? "\(names) waits to be let in to the workspace \(workspace)."
                    : "\(charter.waiting.count) wait to be let in to the workspace \(workspace): \(names).",
                advice: "To let them in: parlance workspace admit WHO",
                severity: .note
            )
        ]
    }

    /// Members whose links show no common key: the workspace may have split.
    var splitProblems: [Problem] {
        let apart = view.people.filter(\.mayBePartitioned)
        guard !apart.isEmpty else { return [] }
        let names = PeopleText.list(apart.map(\.view.displayName))
        return [
            Problem(
                code: "workspace",
                message:
                    "\(names) and this node have different keys of the workspace, and neither side has told a newer one.",
                advice: """
                    If you joined by an old code, ask for the present one: parlance workspace leave, then parlance workspace \
                    join CODE. Otherwise accept each other on both machines (parlance accept NAME): the keys then follow by \
                    themselves.
                    """
            )
        ]
    }
}
