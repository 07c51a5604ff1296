import ParlanceControl
import ParlanceErrorCode
import ParlanceTexts
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
        guard workspace.charter != nil || !option.isEmpty else { throw Self.noAdmins(people, who) }
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
        let words = people.map { option + PeerIDText.typed($0.person.id, from: who) }.joined(separator: " ")
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

    /// Says in which groups of this user the excluded still are: a workspace and its groups are two things. They are
    /// excluded by now, so nothing is said of a group that cannot be looked at.
    func tellGroups(of people: [Person]) async {
        guard !json, let listed = try? await client.call(ConversationsOperation()).conversations else { return }
        var groups: [GroupInfo] = []
        for conversation in listed where conversation.isMember == true {
            if let group = try? await client.call(GroupShowOperation(group: conversation.id)) { groups.append(group) }
        }
        for person in people {
            let theirs = groups.filter { $0.members.contains { $0.person.id == person.id } }
            guard !theirs.isEmpty else { continue }
            let titles = PeopleText.list(quoting: theirs.map { NameText.plain($0.title) })
            let still = Phrase("\(person.shownName) is still a member of these groups: \(titles).")
            let lines = [still] + Self.removal(of: person, from: theirs)
            terminal.write(lines.map { VisibleText.line(say($0)) })
        }
    }

    /// How somebody is removed from each group whose admin the user is, and who can do it in the others, if anybody.
    private static func removal(of person: Person, from groups: [GroupInfo]) -> [Phrase] {
        // By IDs: two groups may have one title.
        let commands = groups.filter(\.isAdmin).map { group in
            let command = ShellWord.command(
                "parlance group remove",
                [group.id, person.id].map { String($0.prefix(PeerIDText.typedCharacters)) }
            )
            return Phrase("  To remove them from \"\(NameText.plain(group.title))\": \(command)")
        }
        let others = groups.filter { !$0.isAdmin }
        var admins: [Person] = []
        for admin in others.flatMap(\.members)
        where admin.admin && admin.leftOut != true && admin.id != person.id {
            if !admins.contains(where: { $0.id == admin.id }) { admins.append(admin.person) }
        }
        guard !admins.isEmpty else { return commands }
        let names = PeopleText.list(admins.map(\.shownName))
        guard !commands.isEmpty else { return [Phrase("  Only the admins of these groups can remove them: \(names)")] }
        let titles = PeopleText.list(quoting: others.map { NameText.plain($0.title) })
        return commands + [Phrase("  Only the admins of \(titles) can remove them there: \(names)")]
    }

    private static func noAdmins(_ people: [MeantPerson], _ who: [String]) -> ControlFailure {
        let words = people.map { "--without " + PeerIDText.typed($0.person.id, from: who) }.joined(separator: " ")
        return ControlFailure(
            code: ErrorCode.notAllowed.rawValue,
            message: "This workspace has no admins, so nobody can be excluded from it.",
            advice: "Nothing was changed. To give a new key to everybody else: parlance workspace rotate \(words)"
        )
    }

    /// Those whom names mean, as far as they can be found.
    func people(_ who: [String]) async -> [Person] {
        let found = try? await client.call(PeersOperation(who: who)).peers
        return found?.map { Person(id: $0.id, displayName: $0.displayName, trust: $0.trust) } ?? []
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
        code: ErrorCode.notAllowed.rawValue,
        message: "The daemon is older than this command, and cannot say who is meant.",
        advice: "Nothing was changed. Start the daemon again."
    )

    /// With IDs: two people can have one name, and who is excluded has to be the right one.
    private static func names(_ people: [MeantPerson]) -> [String] {
        people.map { "\(NameText.plain($0.person.displayName)) (\(PeerIDText.short($0.person.id)))" }
    }
}
