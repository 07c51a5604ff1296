import ArgumentParser
import ParlanceControl
import ParlanceTexts
import ParlanceWords

/// `parlance group add GROUP WHO...`
struct GroupAddCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add people to a group (admins only).",
        discussion: """
            They get the whole history of the group.

            Example: parlance group add Crew Dan
            """
    )

    @Argument(help: "The group's title, or the first 8 or more characters of its ID.", completion: Completions.group)
    var group: String

    @Argument(help: "Names, aliases or peer IDs.", completion: Completions.person)
    var who: [String]

    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        try await showGroup(GroupAddOperation(group: group, who: who), session) { group in
            [say("Members of \(NameText.plain(group.title)): \(PeopleText.list(group.members.map(\.person))).")]
                + JoinText.lines(group.members.filter { $0.asked == true })
        }
    }
}

/// `parlance group remove GROUP WHO...`
struct GroupRemoveCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove people from a group (admins only).",
        discussion: """
            They keep what they have received, and get nothing that is written from now on.

            Example: parlance group remove Crew Dan
            """
    )

    @Argument(help: "The group's title, or the first 8 or more characters of its ID.", completion: Completions.group)
    var group: String

    @Argument(help: "Names, aliases or peer IDs.", completion: Completions.person)
    var who: [String]

    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        try await showGroup(GroupRemoveOperation(group: group, who: who), session) { group in
            [say("Members of \(NameText.plain(group.title)): \(PeopleText.list(group.members.map(\.person))).")]
        }
    }
}

/// `parlance group admin GROUP WHO...`
struct GroupAdminCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "admin",
        abstract: "Make members admins, or end that (admins only).",
        discussion: """
            Examples: parlance group admin Crew Bob
                      parlance group admin --remove Crew Bob
            """
    )

    @Argument(help: "The group's title, or the first 8 or more characters of its ID.", completion: Completions.group)
    var group: String

    @Argument(help: "Names, aliases or peer IDs of members.", completion: Completions.person)
    var who: [String]

    @Flag(help: "They are no longer admins; they stay members.")
    var remove = false

    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        let operation = GroupAdminOperation(group: group, who: who, remove: remove ? true : nil)
        try await showGroup(operation, session) { group in
            let admins = group.members.filter(\.admin).map(\.person)
            return [say("Admins of \(NameText.plain(group.title)): \(PeopleText.list(admins)).")]
        }
    }
}

/// `parlance group leave GROUP`
struct GroupLeaveCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "leave",
        abstract: "Leave a group.",
        discussion: """
            The messages that you have stay on your disk. If you are the only admin, make somebody else an admin first. On \
            a terminal it asks first.

            Example: parlance group leave Crew
            """
    )

    @Argument(help: "The group's title, or the first 8 or more characters of its ID.", completion: Completions.group)
    var group: String

    @Flag(help: "Do not ask first.")
    var yes = false

    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        let chosen = try await confirmed(session)
        try await showGroup(GroupLeaveOperation(group: chosen), session) { group in
            [say("You have left \(NameText.plain(group.title)).")]
        }
    }

    /// Asks on a terminal; scripts go on.
    ///
    /// - Returns: which group to leave: the ID of the one that the user has seen.
    private func confirmed(_ session: Session) async throws -> String {
        guard !yes, Terminal.isInputTerminal, Terminal.isErrorTerminal else { return group }
        let found = try await session.client.call(GroupShowOperation(group: group))
        // Whether and why the user cannot leave it, the daemon says: then there is nothing to ask.
        guard found.isMember, !Self.isOnlyAdmin(of: found) else { return found.id }
        let question = Phrase(
            """
            You leave \(NameText.plain(found.title)) and get no more messages of this group. Only an admin can add you again. \
            What is here stays.
            """
        )
        let shown = String(found.id.prefix(PeerIDText.typedCharacters))
        try Confirmation.ask(
            question,
            command: ShellWord.command("parlance group leave", [shown], options: ["--yes"])
        )
        return found.id
    }

    /// Whether others would be without an admin.
    static func isOnlyAdmin(of group: GroupInfo) -> Bool {
        let others = group.members.filter { $0.me != true }
        return group.isAdmin && !others.isEmpty && !others.contains(where: \.admin)
    }
}
