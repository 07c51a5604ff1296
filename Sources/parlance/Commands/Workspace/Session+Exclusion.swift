import ParlanceControl
import ParlanceWords

// Who gets no key of the workspace any more.
extension Session {
    /// Asks before people are excluded.
    ///
    /// - Parameter option: what each of them has before it in the command.
    /// - Returns: whom to exclude: the IDs of those whom the user has seen, since a name may be somebody else's by now.
    /// - Throws: `ControlFailure` also where the exclusion would be refused after the yes.
    func confirmExclusion(
        of who: [String],
        _ yes: Bool,
        by verb: String,
        _ option: String = ""
    ) async throws -> [String] {
        guard !yes else { return who }
        let preview = try await preview(of: who)
        guard let workspace = preview.workspace, let people = preview.people else { throw Self.tooOld }
        guard workspace.charter != nil || !option.isEmpty else { throw Self.noAdmins(people) }
        let (names, name) = (PeopleText.list(Self.names(people)), NameText.plain(workspace.name))
        let question =
            workspace.charter == nil
            ? Phrase(
                """
                \(names) will get no key of \(name) and no link with any member any more. That cannot be undone: only a \
                new workspace lets them in again.
                """
            )
            : Phrase(
                """
                \(names) will get no key of \(name) and no link with any member any more, until an admin readmits them. \
                They keep what they have read. Everybody else gets a new key.
                """
            )
        let words = people.map { option + $0.person.id }.joined(separator: " ")
        try Confirmation.ask(question, command: "parlance workspace \(verb) \(words) --yes")
        return people.map(\.person.id)
    }

    /// Asks before everybody gets a new key.
    ///
    /// - Throws: `ControlFailure` also where this user may not make one, or cannot yet.
    func confirmNewKey() async throws {
        guard let workspace = try await preview(of: []).workspace else { return }
        let question = Phrase(
            """
            The workspace \(NameText.plain(workspace.name)) gets a new key. Members get it when they are connected; \
            whoever stays away for more than 30 days needs the new code. The old code, and those of invitations, end \
            within a day.
            """
        )
        try Confirmation.ask(question, command: "parlance workspace rotate --yes")
    }

    /// Says in which groups of this user the excluded still are: a workspace and its groups are two things.
    func tellGroups(of who: [String]) async throws {
        guard !json else { return }
        let people = try await client.call(PeersOperation(who: who)).peers
        let groups = try await client.call(ConversationsOperation()).conversations.filter { $0.isMember == true }
        var titles: [String: [String]] = [:]
        for group in groups {
            let members = try await client.call(GroupShowOperation(group: group.id)).members
            for member in members { titles[member.person.id, default: []].append(NameText.plain(group.title)) }
        }
        for person in people {
            guard let found = titles[person.id], let first = found.first else { continue }
            let list = PeopleText.list(found.map { "\"\($0)\"" })
            let command = "parlance group remove \(ShellWord.quoted(first)) \(person.id.prefix(12))"
            terminal.write([
                VisibleText.line(say("\(person.shownName) is still a member of these groups: \(list).")),
                VisibleText.line(say("  To remove them from the first: \(command)")),
            ])
        }
    }

    private static func noAdmins(_ people: [MeantPerson]) -> ControlFailure {
        let words = people.map { "--without " + $0.person.id }.joined(separator: " ")
        return ControlFailure(
            code: ControlError.Code.notAllowed.rawValue,
            message: "This workspace has no admins, so nobody can be excluded from it.",
            advice: "Nothing was changed. To give a new key to everybody else: parlance workspace rotate \(words)"
        )
    }

    /// Whom an exclusion would mean. What would refuse it refuses this too.
    private func preview(of who: [String]) async throws -> WorkspaceReply {
        do {
            return try await client.call(WorkspacePreviewOperation(.exclude, who: who))
        } catch let failure as ControlFailure where failure.code == "methodNotFound" {
            throw Self.tooOld
        }
    }

    private static let tooOld = ControlFailure(
        code: ControlError.Code.notAllowed.rawValue,
        message: "The daemon is older than this command, and cannot say who is meant.",
        advice: "Nothing was changed. Start the daemon again."
    )

    /// With IDs: two people can have one name, and who is excluded has to be the right one.
    private static func names(_ people: [MeantPerson]) -> [String] {
        people.map { "\(NameText.plain($0.person.displayName)) (\(PeerIDText.short($0.person.id)))" }
    }
}
