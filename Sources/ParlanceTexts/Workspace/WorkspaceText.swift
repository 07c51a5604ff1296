package import ParlanceControl
package import ParlanceWords

/// Sentences about the workspace, the same in each shell.
package enum WorkspaceText {
    /// What changed in the workspace, in one sentence each, what concerns the user most first.
    ///
    /// - Parameter before: the workspace as people knew it.
    package static func news(of now: WorkspaceInfo?, since before: WorkspaceInfo?) -> [Phrase] {
        guard let now else { return [] }
        let name = NameText.plain(now.name)
        let (charter, old) = (now.charter, before?.charter)
        var news: [Phrase] = []
        if let by = charter?.excludedBy, old?.excludedBy == nil {
            news.append(Phrase("\(by.shownName) has excluded you from the workspace \(name)."))
        }
        if charter != nil, charter?.excludedBy == nil, old?.excludedBy != nil {
            news.append(Phrase("You are a member of the workspace \(name) again."))
        }
        news += waitingNews(charter, since: old, name)
        if charter?.isMember == true, old?.isWaiting == true {
            news.append(Phrase("You are a member of the workspace \(name) now."))
        }
        for met in now.met ?? [] where before?.met?.contains(met) != true {
            news.append(sentence(about: met))
        }
        if let charter, !charter.admins.isEmpty, old?.admins.isEmpty ?? true {
            news.append(
                Phrase(
                    "The admins of the workspace \(name) are: \(PeopleText.list(charter.admins.map { self.name($0) }))."
                )
            )
        } else {
            news += changes(of: charter, since: old)
        }
        for person in now.removed where person.me != true && !isListed(person, in: before?.removed) {
            news.append(Phrase("\(person.shownName) is excluded from the workspace \(name)."))
        }
        for person in before?.removed ?? [] where person.me != true && !isListed(person, in: now.removed) {
            news.append(Phrase("\(person.shownName) is no longer excluded from the workspace \(name)."))
        }
        // The code becomes another one, too, when it names a charter from now on.
        let hasNewCode = now.code != before?.code && (charter == nil) == (old == nil)
        if let before, now.number != before.number || hasNewCode, before.number != 0 {
            news.append(Phrase("The workspace \(name) has a new key, and a new code: parlance workspace invite"))
        }
        return news
    }

    /// The beginning of a charter's ID, by which people compare charters.
    package static func short(_ charter: String) -> String { String(charter.prefix(12)) }

    /// The state of the workspace, one line for each thing to know.
    ///
    /// - Parameter offline: why this node reaches nobody but those on this computer: then nobody is said to be away.
    package static func lines(
        about workspace: WorkspaceInfo,
        _ clock: LocalClock,
        offline: NodeStatus.Problem? = nil
    ) -> [Phrase] {
        var lines: [Phrase] = []
        if let offline {
            let (here, why) = (workspace.connected.map(\.shownName), offline.message.withoutPeriod)
            if here.isEmpty {
                lines.append(Phrase("nobody can be reached now: \(why)"))
            } else {
                lines.append(Phrase("here: \(PeopleText.all(here))"))
                lines.append(Phrase("nobody else can be reached now: \(why)"))
            }
            let others = (workspace.members ?? []).filter { !isListed($0, in: workspace.connected) }.map(\.shownName)
            if !others.isEmpty { lines.append(Phrase("the other members: \(PeopleText.all(others))")) }
        } else {
            let here = workspace.connected.map(\.shownName)
            lines.append(
                here.isEmpty ? Phrase("no other member is connected") : Phrase("here: \(PeopleText.all(here))")
            )
            let away = (workspace.members ?? []).filter { !isListed($0, in: workspace.connected) }.map(\.shownName)
            if !away.isEmpty { lines.append(Phrase("away: \(PeopleText.all(away))")) }
        }
        let strangers = (workspace.strangers ?? []).map(\.shownName)
        if !strangers.isEmpty {
            lines.append(Phrase("connected, and not accepted by you: \(PeopleText.all(strangers))"))
        }
        if let charter = workspace.charter { lines += self.lines(about: charter, of: workspace, clock) }
        let removed = workspace.removed.map(\.shownName)
        if !removed.isEmpty {
            lines.append(Phrase("excluded: \(PeopleText.all(removed))"))
        }
        lines += (workspace.met ?? []).map { sentence(about: $0) }
        if workspace.number == 2 { lines.append(Phrase("its key was changed once")) }
        if workspace.number > 2 { lines.append(Phrase("its key was changed \(workspace.number - 1) times")) }
        return lines
    }

    /// Why the code that this node has lets nobody in: it ended when its user was excluded. `nil` if it does.
    package static func endedCode(of workspace: WorkspaceInfo) -> Phrase? {
        guard let name = workspace.charter?.excludedBy?.shownName else { return nil }
        return Phrase("\(name) has excluded you from this workspace, so the code on this node no longer works.")
    }

    private static func lines(
        about charter: CharterInfo,
        of workspace: WorkspaceInfo,
        _ clock: LocalClock
    ) -> [Phrase] {
        var lines: [Phrase] = []
        lines.append(Phrase("charter: \(WorkspaceText.short(charter.id))"))
        if let by = charter.excludedBy {
            // Members keep their links until they hear of the exclusion.
            lines.append(
                workspace.connected.isEmpty && workspace.strangers?.isEmpty != false
                    ? Phrase("\(by.shownName) has excluded you: members do not talk to this node any more")
                    : Phrase(
                        """
                        \(by.shownName) has excluded you: members who are still connected will disconnect as soon as \
                        they learn of it
                        """
                    )
            )
        }
        if charter.isWaiting {
            lines.append(
                charter.ownInvitation == .admits
                    ? Phrase("you are not a member yet")
                    : Phrase("an admin has to let you in: you are not a member yet")
            )
            if let own = ownInvitationLine(in: workspace) { lines.append(own) }
        }
        let admins = charter.admins.map(\.shownName)
        lines.append(
            admins.isEmpty
                ? Phrase("its admins are not known yet: no member has told them")
                : Phrase("admins, the first the most senior: \(PeopleText.all(admins))")
        )
        if charter.admission == .approve { lines.append(Phrase("an admin lets new members in")) }
        let waiting = PeopleText.distinct(charter.waiting.map { ($0.shownName, $0.id) })
        if !waiting.isEmpty { lines.append(Phrase("waiting to be let in: \(PeopleText.all(waiting))")) }
        for invitation in charter.invitations {
            let (until, author) = (clock.short(invitation.until), invitation.author.shownName)
            let (prefix, left, uses) = (invitation.prefix, invitation.left, invitation.uses)
            lines.append(
                invitation.author.me == true
                    ? Phrase("your invitation \(prefix): \(left) of \(uses) left, until \(until)")
                    : Phrase("invitation \(prefix) of \(author): \(left) of \(uses) left, until \(until)")
            )
        }
        lines += (charter.endedInvitations ?? []).map { sentence(about: $0) }
        for policy in charter.policies where policy.name != CharterInfo.admissionPolicy {
            lines.append(suggestion(policy))
        }
        return lines
    }

    /// What is new for a user who waits for an admin.
    private static func waitingNews(_ now: CharterInfo?, since before: CharterInfo?, _ name: String) -> [Phrase] {
        guard let now, now.isWaiting else { return [] }
        if now.ownInvitation == .admits {
            guard before?.isWaiting != true || before?.ownInvitation != .admits else { return [] }
            return [Phrase("Your invitation lets you into the workspace \(name) as soon as an admin is connected.")]
        }
        if before?.isWaiting != true {
            return [Phrase("An admin has to let you into the workspace \(name). They see that you wait.")]
        }
        return before?.ownInvitation == .admits
            ? [Phrase("Your invitation to the workspace \(name) has ended. An admin has to let you in.")] : []
    }

    private static func sentence(about ended: InvitationInfo) -> Phrase {
        let (prefix, author) = (ended.prefix, ended.author.shownName)
        let isOwn = ended.author.me == true
        return switch ended.ended {
        case .exclusion:
            isOwn
                ? Phrase("your invitation \(prefix) has ended: somebody was excluded after it was made")
                : Phrase("invitation \(prefix) of \(author) has ended: somebody was excluded after it was made")
        case .usedUp:
            isOwn
                ? Phrase("your invitation \(prefix) is used up: an admin lets in others who come with it")
                : Phrase("invitation \(prefix) of \(author) is used up: an admin lets in others who come with it")
        case .expired:
            isOwn
                ? Phrase("your invitation \(prefix) has expired: an admin lets in people who come with it")
                : Phrase("invitation \(prefix) of \(author) has expired: an admin lets in people who come with it")
        case .newKey, nil:
            isOwn
                ? Phrase("your invitation \(prefix) has ended: the workspace has had another key for a day")
                : Phrase("invitation \(prefix) of \(author) has ended: the workspace has had another key for a day")
        }
    }

    private static func sentence(about met: MetCharterInfo) -> Phrase {
        let charter = WorkspaceText.short(met.charter)
        return met.offered
            ? Phrase(
                "\(met.person.shownName) says that this workspace has admins, by the charter \(charter); if that is right, follow them: parlance workspace adopt"
            )
            : Phrase(
                "\(met.person.shownName) follows other admins of this workspace than this node, by the charter \(charter); compare: parlance workspace show"
            )
    }

    private static func changes(of charter: CharterInfo?, since old: CharterInfo?) -> [Phrase] {
        guard let charter, let old else { return [] }
        var news: [Phrase] = []
        for person in charter.admins where !isListed(person, in: old.admins) {
            news.append(
                person.me == true
                    ? Phrase("You are an admin of the workspace now.")
                    : Phrase("\(person.shownName) is an admin of the workspace now.")
            )
        }
        for person in old.admins where !isListed(person, in: charter.admins) {
            news.append(
                person.me == true
                    ? Phrase("You are no longer an admin of the workspace.")
                    : Phrase("\(person.shownName) is no longer an admin of the workspace.")
            )
        }
        if charter.isAdmin {
            for person in charter.waiting where !isListed(person, in: old.waiting) {
                let command = Phrase(
                    command: ShellWord.command("parlance workspace admit", [NameText.plain(person.displayName)])
                )
                news.append(Phrase("\(person.shownName) has the key and asks to be let in: \(command)"))
            }
        }
        if charter.admission != old.admission {
            news.append(
                charter.admission == .approve
                    ? Phrase("From now on an admin lets new members of the workspace in.")
                    : Phrase("From now on the code suffices to join the workspace.")
            )
        }
        let isSuggestion = { (policy: PolicyInfo) in policy.name != CharterInfo.admissionPolicy }
        for policy in charter.policies where isSuggestion(policy) && !old.policies.contains(policy) {
            news.append(suggestion(policy))
        }
        for policy in old.policies
        where isSuggestion(policy) && !charter.policies.contains(where: { $0.name == policy.name }) {
            news.append(Phrase("The suggestion \(NameText.plain(policy.name)) was withdrawn."))
        }
        return news
    }

    private static func suggestion(_ policy: PolicyInfo) -> Phrase {
        policy.author.me == true
            ? Phrase("you suggest: \(text(policy))") : Phrase("\(policy.author.shownName) suggests: \(text(policy))")
    }

    /// A policy with its value.
    package static func text(_ policy: PolicyInfo) -> String {
        "\(NameText.plain(policy.name)) = \(NameText.plain(policy.value))"
    }

    /// The user's own name, and the name of others as it is shown.
    private static func name(_ person: Person) -> String {
        person.me == true ? NameText.plain(person.displayName) : person.shownName
    }

    private static func isListed(_ person: Person, in people: [Person]?) -> Bool {
        people?.contains { $0.id == person.id } == true
    }
}

extension CharterInfo {
    /// Whether the user has the key and waits for an admin.
    var isWaiting: Bool { !isMember && excludedBy == nil }
}
