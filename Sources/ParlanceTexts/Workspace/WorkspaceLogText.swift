package import ParlanceControl
package import ParlanceWords

/// The audit log of a workspace as people read it.
package enum WorkspaceLogText {
    /// `2026-11-24 14:03  Ada excluded Mallory`
    package static func line(_ entry: WorkspaceLogEntry, _ clock: LocalClock) -> Phrase {
        let dated = clock.dated
        let what = text(of: entry)
        let spared = names(entry.spared)
        let whole =
            entry.spared.isEmpty
            ? what : Phrase("\(what); it takes nothing from \(spared), who became an admin earlier")
        let time = dated.short(entry.time)
        return entry.counts
            ? Phrase("\(time)  \(whole)", hint: "audit log")
            : Phrase("\(time)  \(whole) (without effect)", hint: "audit log")
    }

    private static func text(of entry: WorkspaceLogEntry) -> Phrase {
        let (author, people) = (name(entry.author), names(entry.people))
        switch entry.action {
        case .create: return Phrase("\(author) created the workspace \(NameText.plain(entry.name ?? ""))")
        case .appoint:
            return entry.people.count == 1
                ? Phrase("\(author) made \(people) an admin") : Phrase("\(author) made \(people) admins")
        case .dismiss: return Phrase("\(author) took the admin's right from \(people)")
        case .exclude: return Phrase("\(author) excluded \(people)")
        case .readmit: return Phrase("\(author) let \(people) in again")
        case .admit:
            guard entry.byInvitation, let invitation = entry.name else { return Phrase("\(author) let \(people) in") }
            return Phrase("\(people) came in by the invitation \(invitation); \(author)'s computer let them in")
        case .rotate:
            // The founder's first key as well as each later one: the key has been changed one time less.
            return entry.automatic
                ? Phrase("\(author)'s computer changed the key by itself") : Phrase("\(author) set a key")
        case .policy: return policy(entry, author)
        case .link: return Phrase("\(author)'s computer merged two branches of the log")
        }
    }

    private static func policy(_ entry: WorkspaceLogEntry, _ author: String) -> Phrase {
        let (policy, value) = (NameText.plain(entry.name ?? ""), NameText.plain(entry.value ?? ""))
        if entry.byInvitation {
            return value.isEmpty
                ? Phrase("\(author) ended the invitation \(policy)") : Phrase("\(author) made the invitation \(policy)")
        }
        if policy == CharterInfo.admissionPolicy {
            return value == CharterInfo.Admission.open.rawValue || value.isEmpty
                ? Phrase("\(author) decided that the code suffices to join")
                : Phrase("\(author) decided that an admin lets new members in")
        }
        return value.isEmpty
            ? Phrase("\(author) withdrew the suggestion \(policy)")
            : Phrase("\(author) suggested \(policy) = \(value)")
    }

    /// Everybody by name, also the user.
    private static func name(_ person: Person) -> String {
        person.me == true ? NameText.plain(person.displayName) : person.shownName
    }

    /// All of them: a log names everybody.
    private static func names(_ people: [Person]) -> Phrase { PeopleText.all(people.map { name($0) }) }
}
