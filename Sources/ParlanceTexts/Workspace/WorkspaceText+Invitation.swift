package import ParlanceControl
package import ParlanceWords

// What is known of the invitation by which a user came who waits for an admin. It lets in by itself only while an
// admin's computer is on: without one, a valid invitation waits like one that is used up.
extension WorkspaceText {
    /// A sentence; `nil` if there is none.
    package static func ownInvitation(in workspace: WorkspaceInfo) -> Phrase? {
        switch workspace.charter?.ownInvitation {
        case .admits:
            isAdminHere(in: workspace)
                ? Phrase(
                    "Your invitation is valid as far as this node knows, and an admin is connected: you are let in soon."
                )
                : Phrase(
                    """
                    Your invitation is valid as far as this node knows. No admin is connected: you are let in as soon as one \
                    is.
                    """
                )
        case .exclusion: Phrase("Your invitation has ended: somebody was excluded after it was made.")
        case .newKey: Phrase("Your invitation has ended: the workspace has had another key for a day.")
        case .usedUp: Phrase("Your invitation is used up: others came with it before you.")
        case .admitted: Phrase("Your invitation let you in before, and does not do so again.")
        case .expired: Phrase("Your invitation has expired.")
        case .unknown: Phrase("The members know of no such invitation: an admin may have ended it.")
        case nil: nil
        }
    }

    /// The same as a line of `lines(about:_:)`.
    static func ownInvitationLine(in workspace: WorkspaceInfo) -> Phrase? {
        switch workspace.charter?.ownInvitation {
        case .admits:
            isAdminHere(in: workspace)
                ? Phrase(
                    "your invitation: valid as far as this node knows, and an admin is connected who lets you in soon"
                )
                : Phrase(
                    "your invitation: valid as far as this node knows; you are let in as soon as an admin is connected"
                )
        case .exclusion: Phrase("your invitation: ended, since somebody was excluded after it was made")
        case .newKey: Phrase("your invitation: ended, since the workspace has had another key for a day")
        case .usedUp: Phrase("your invitation: used up by others, who came with it before you")
        case .admitted: Phrase("your invitation: let you in before, and does not do so again")
        case .expired: Phrase("your invitation: expired")
        case .unknown: Phrase("your invitation: not known to the members; an admin may have ended it")
        case nil: nil
        }
    }

    private static func isAdminHere(in workspace: WorkspaceInfo) -> Bool {
        let admins = workspace.charter?.admins ?? []
        return workspace.connected.contains { person in admins.contains { $0.id == person.id } }
    }
}
