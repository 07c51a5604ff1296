import ArgumentParser
import ParlanceControl
import ParlanceErrorCode
import ParlanceTexts
import ParlanceWords

// What the admins of a workspace decide.

/// `parlance workspace admin [WHO...]`
struct WorkspaceAdminCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "admin",
        abstract: "Make somebody an admin of the workspace, or list the admins.",
        discussion: """
            An admin can exclude people, change the key and make other admins. Nobody can take anything from an admin \
            who became it earlier, so choose with care: --dismiss takes the right back.

            Example: parlance workspace admin Bob
            """
    )

    @Argument(help: "People; nobody: list the admins.", completion: Completions.person)
    var who: [String] = []

    @Flag(help: "Take the right from them.")
    var dismiss = false

    @OptionGroup var options: Options

    var onlyShows: Bool { who.isEmpty }

    func run(_ session: Session) async throws {
        guard !who.isEmpty else {
            guard !dismiss else { throw ValidationError(say("Say whom to dismiss.")) }
            return try await showWorkspace(WorkspaceShowOperation(), session) { lines($0) }
        }
        try await showWorkspace(WorkspaceChangeOperation(dismiss ? .dismiss : .appoint, who: who), session) {
            lines($0)
        }
    }

    private func lines(_ workspace: WorkspaceInfo?) -> [String] {
        guard let charter = workspace?.charter else { return [say("This node is in no workspace with admins.")] }
        return [say("The admins, the most senior first:")]
            + charter.admins.map { VisibleText.line("  " + $0.shownName) }
    }
}

/// `parlance workspace exclude WHO...`
struct WorkspaceExcludeCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "exclude",
        abstract: "Exclude people from the workspace, and give everybody else a new key.",
        discussion: """
            Members who have heard of it end their links with the excluded and never give them a key again, whatever \
            another admin does at the same moment. Who is away hears of it when it comes back. The excluded are told who \
            excluded them. What they have read they keep. The old code ends, also that of an invitation: whoever comes \
            with it is told nothing.

            Example: parlance workspace exclude Mallory
            """
    )

    @Argument(help: "People.", completion: Completions.person)
    var who: [String]

    @Flag(help: "Do not ask.")
    var yes = false

    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        let chosen = try await session.confirmExclusion(of: who, yes, by: "exclude")
        let reply = try await session.show(WorkspaceChangeOperation(.exclude, who: chosen)) { reply in
            guard let workspace = reply.workspace else { return [] }
            let excluded = PeopleText.list(workspace.removed.map(\.shownName))
            return [
                VisibleText.line(say("All who are excluded from the workspace: \(excluded)")),
                say("Those who are to join from now on need this code:"),
            ] + invitation(workspace.code, session)
        }
        await session.tellGroups(of: reply.people?.map(\.person) ?? [])
    }
}

/// `parlance workspace readmit WHO...`
struct WorkspaceReadmitCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "readmit",
        abstract: "Let people in again who were excluded.",
        discussion: """
            They need the current code: parlance workspace invite. Who was an admin is one no longer.

            Example: parlance workspace readmit Bob
            """
    )

    @Argument(help: "People.", completion: Completions.person)
    var who: [String]

    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        try await showWorkspace(WorkspaceChangeOperation(.readmit, who: who), session) { _ in
            [
                say(
                    "They may come in again, and do when their node meets a member's. Otherwise give them the code: parlance workspace invite"
                )
            ]
        }
    }
}

/// `parlance workspace admit WHO...`
struct WorkspaceAdmitCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "admit",
        abstract: "Let people in who have the code, where an admin has to.",
        discussion: """
            In most workspaces whoever has the code is a member. An admin changes that with: parlance workspace policy \
            admission approve

            Example: parlance workspace admit Zoe
            """
    )

    @Argument(help: "People.", completion: Completions.person)
    var who: [String]

    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        try await session.show(WorkspaceChangeOperation(.admit, who: who)) { reply in
            outcome(reply.people ?? [], reply.workspace?.charter?.admission) + [waiting(reply.workspace?.charter)]
        }
    }

    /// What became of each of those who were named.
    private func outcome(_ people: [MeantPerson], _ admission: CharterInfo.Admission?) -> [String] {
        func list(_ standing: MeantPerson.Standing) -> Phrase? {
            let found = people.filter { $0.was == standing }.map(\.person.shownName)
            return found.isEmpty ? nil : PeopleText.list(found)
        }
        return [
            list(.waiting).map { say("Let in: \($0)") },
            list(.member).map { say("Members already: \($0)") },
            list(.outside).map { say("Not connected yet; admitted as soon as they join with the code: \($0)") },
            admission == .open ? say("The code is enough here: nobody has to be admitted.") : nil,
        ].compactMap { $0.map(VisibleText.line) }
    }

    private func waiting(_ charter: CharterInfo?) -> String {
        let waiting = charter?.waiting.map(\.shownName) ?? []
        return waiting.isEmpty
            ? say("Nobody else waits.") : VisibleText.line(say("Others wait: \(PeopleText.list(waiting))"))
    }
}

/// `parlance workspace policy [NAME [VALUE]]`
struct WorkspacePolicyCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "policy",
        abstract: "Suggest a setting to all members, or list what admins suggest.",
        discussion: """
            A policy is a suggestion: members see it with its author, and decide themselves. Only "admission" is a rule: \
            "approve" means that an admin lets new members in, "open" that the code suffices. With "approve" those stay \
            members whom your computer knows to be members now: the command lists them and asks, and only those on the list \
            stay. A member whom it has never met waits at its next visit until an admin lets it in.

            Known policies: admission (open or approve), auto_accept (workspace or nobody), largest_file (a size), retention \
            (a length), couriers (a text). --custom suggests something else.

            Examples: parlance workspace policy admission approve
                      parlance workspace policy retention 90d
                      parlance workspace policy retention --withdraw
                      parlance workspace policy standup "9:30, in the galley" --custom
            """
    )

    @Argument(help: "The name; nothing: list the policies.", completion: Completions.policy)
    var name: String?

    @Argument(help: "The value.", completion: Completions.policyValue)
    var value: String?

    @Flag(help: "Withdraw the policy.")
    var withdraw = false

    @Flag(help: "Suggest something that this version has no name for.")
    var custom = false

    @Flag(help: "Do not ask who stays a member: all whom this computer knows to be members do.")
    var yes = false

    @OptionGroup var options: Options

    var onlyShows: Bool { value == nil && !withdraw }

    func run(_ session: Session) async throws {
        guard let name else {
            guard !withdraw else { throw ValidationError(say("Say which policy to withdraw.")) }
            return try await showWorkspace(WorkspaceShowOperation(), session) { lines($0) }
        }
        guard (value != nil) != withdraw else {
            throw ValidationError(say("Give a value, or --withdraw."))
        }
        let approves = name == CharterInfo.admissionPolicy && value == CharterInfo.Admission.approve.rawValue
        let kept = approves && !yes ? try await confirmApproval(session) : nil
        let operation = WorkspacePolicyOperation(
            name: name,
            value: value,
            custom: custom ? true : nil,
            who: kept?.map(\.id)
        )
        try await session.show(operation) { reply in
            lines(reply.workspace) + (approves ? members(of: reply.workspace) : []) + passedOver(reply.passedOver ?? [])
        }
    }

    /// Asks before only those are members whom this node knows to be members.
    ///
    /// - Returns: those to whom the user said yes; `nil` if there was nothing to ask.
    private func confirmApproval(_ session: Session) async throws -> [Person]? {
        let workspace = try await session.client.call(WorkspaceShowOperation()).workspace
        guard let workspace, let charter = workspace.charter, charter.isAdmin, charter.admission == .open else {
            return nil
        }
        let members = workspace.members ?? []
        let question =
            members.isEmpty
            ? Phrase(
                "After this the code is not enough: an admin has to let each new person in. This computer knows no other member yet, so everybody else would wait for an admin."
            )
            : Phrase(
                "After this the code is not enough: an admin has to let each new person in. These people would stay members (\(members.count)): \(Self.names(members)). Everybody else would wait for an admin."
            )
        try Confirmation.ask(question, command: "parlance workspace policy admission approve --yes")
        return members
    }

    /// Those who came or went between the question and the yes.
    private func passedOver(_ people: [Person]) -> [String] {
        guard !people.isEmpty else { return [] }
        return [
            VisibleText.line(say("They came or went after you were asked, and wait now: \(Self.names(people))")),
            say("To let them in: parlance workspace admit WHO"),
        ]
    }

    /// All of them: whoever is to be let in for good has to be seen.
    private static func names(_ people: [Person]) -> String {
        people.map { NameText.plain($0.shownName) }.joined(separator: ", ")
    }

    private func members(of workspace: WorkspaceInfo?) -> [String] {
        guard let members = workspace?.members, workspace?.charter?.admission == .approve else { return [] }
        guard !members.isEmpty else {
            return [say("You are the only member. Others wait until an admin lets them in.")]
        }
        return [
            VisibleText.line(say("Members besides you (\(members.count)): \(Self.names(members))")),
            say("Others wait until an admin lets them in: parlance workspace admit WHO"),
        ]
    }

    private func lines(_ workspace: WorkspaceInfo?) -> [String] {
        guard let charter = workspace?.charter else { return [say("This node is in no workspace with admins.")] }
        guard !charter.policies.isEmpty else { return [say("The admins suggest nothing.")] }
        return charter.policies.map { policy in
            VisibleText.line("\(WorkspaceText.text(policy))  (\(policy.author.shownName))")
        }
    }
}

/// `parlance workspace log`
struct WorkspaceLogCommand: ShowingCommand {
    static let configuration = CommandConfiguration(
        commandName: "log",
        abstract: "Print the audit log of the workspace: who did what, when, and whether it counts.",
        discussion: """
            With --json it prints the log itself: each line is JSON, with the signed event and a hash over all lines before \
            it. Members who have heard of the same print the same. Check such a file without a daemon: parlance \
            verify-log FILE

            Examples: parlance workspace log
                      parlance workspace log --json > ship.log
            """
    )

    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        var whole = try await session.client.call(WorkspaceLogOperation())
        while whole.more {
            let part = try await session.client.call(WorkspaceLogOperation(after: whole.lines.count))
            guard part.hash == whole.hash, !part.lines.isEmpty else {
                // Something was decided meanwhile, which may change any line.
                whole = try await session.client.call(WorkspaceLogOperation())
                continue
            }
            whole.lines += part.lines
            whole.entries? += part.entries ?? []
            whole.more = part.more
        }
        guard !session.json else { return session.terminal.write(whole.lines) }
        guard let entries = whole.entries else {
            throw ControlFailure(
                code: ErrorCode.notAllowed.rawValue,
                message: "The daemon is older than this command, and tells the audit log only as JSON.",
                advice: "Start the daemon again, or read: parlance workspace log --json"
            )
        }
        session.terminal.write(entries.map { VisibleText.line(say(WorkspaceLogText.line($0, session.clock))) })
    }
}
