package import ParlanceControl
package import ParlanceWords

// What is known once this node has taken the key of a workspace.
extension WorkspaceText {
    /// How a workspace was joined.
    package struct Joining: Sendable {
        /// Whether by a name and a passphrase, and not by a code.
        package var byPassphrase: Bool
        /// Whether the user knows its name, from the code or because they typed it.
        package var hasName: Bool
        /// What the user wants to call it here, if not as the others do.
        package var chosenName: String?

        package init(byPassphrase: Bool, hasName: Bool, chosenName: String?) {
            self.byPassphrase = byPassphrase
            self.hasName = hasName
            self.chosenName = chosenName
        }
    }

    /// What is said after a workspace was joined. A code that was taken does not make anybody a member: it may be used up, and
    /// its bearer excluded.
    package static func joined(_ workspace: WorkspaceInfo, _ joining: Joining) -> [Phrase] {
        let name = NameText.plain(workspace.name)
        var lines: [Phrase] = []
        if joining.byPassphrase {
            lines.append(
                Phrase("From now on this node links only with people who gave the same passphrase for \(name).")
            )
        } else if joining.hasName || workspace.charter?.title.isEmpty == false {
            lines.append(
                Phrase("The code is valid. From now on this node links only with people who have the key of \(name).")
            )
        } else {
            lines.append(Phrase("The code is valid. The name of the workspace comes with its first member."))
        }
        // A second code for the same workspace does not name it anew.
        if joining.chosenName == workspace.name, workspace.charter?.title != workspace.name {
            lines.append(Phrase("The workspace is called \(name) on this computer. Your own name stays as it is."))
        }
        return lines + standing(in: workspace, joining)
    }

    private static func standing(in workspace: WorkspaceInfo, _ joining: Joining) -> [Phrase] {
        let found = Phrase("Members that are here are found by themselves: parlance peers")
        if let by = workspace.charter?.excludedBy {
            return [Phrase("\(by.shownName) has excluded you from this workspace.")]
        }
        // A charter of which no member has told anything yet says nothing of the user.
        guard let charter = workspace.charter, !charter.admins.isEmpty else {
            return [
                found,
                Phrase(
                    """
                    Whether you are a member, or an admin has to let you in first, is known when a member is connected: \
                    parlance workspace show
                    """
                ),
                joining.byPassphrase
                    ? Phrase("If nobody accepts this node, the workspace's name or its passphrase differs from theirs.")
                    : Phrase("If they refuse this node, the code is out of date: ask an admin for the current one."),
            ]
        }
        return charter.isMember
            ? [Phrase("You are a member."), found]
            : waiting(in: workspace) + [Phrase("Once you are a member, this says so: parlance workspace show")]
    }

    private static func waiting(in workspace: WorkspaceInfo) -> [Phrase] {
        let own = ownInvitation(in: workspace).map { [$0] } ?? []
        if workspace.charter?.ownInvitation == .admits { return own }
        return [Phrase("An admin has to let you in. They see that you wait.")] + own
    }
}
