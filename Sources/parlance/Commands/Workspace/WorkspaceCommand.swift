import ArgumentParser
import ParlanceControl
import ParlanceCore
import ParlanceTexts
import ParlanceWords

/// `parlance workspace ...`
struct WorkspaceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "workspace",
        abstract: "Connect only with people who share a key.",
        discussion: """
            Everybody with the invitation code is a member, unless the admins want to let members in themselves. \
            Members find and accept each other automatically. A node in a workspace has no links to people outside it. \
            A node is in one workspace at a time: for a second one, run another node with --profile.

            Who creates a workspace is its first admin. Admins exclude people, change the key, and make other admins; \
            who became an admin first has the last word.

            Examples: parlance workspace create Ship
                      parlance workspace join Ship abcdefghi jklmnopqr ...
                      parlance workspace admin Bob
                      parlance workspace exclude Mallory
            """,
        subcommands: [
            WorkspaceCreateCommand.self, WorkspaceJoinCommand.self, WorkspaceShowCommand.self,
            WorkspaceInviteCommand.self, WorkspaceLeaveCommand.self, WorkspaceAdminCommand.self,
            WorkspaceExcludeCommand.self, WorkspaceReadmitCommand.self, WorkspaceAdmitCommand.self,
            WorkspacePolicyCommand.self, WorkspaceRotateCommand.self, WorkspaceAdoptCommand.self,
            WorkspaceLogCommand.self, WorkspaceImportCommand.self,
        ]
    )
}

extension NodeCommand {
    /// Performs an operation on the workspace and shows the workspace that it replies with.
    func showWorkspace<Operation: ControlOperation>(
        _ operation: Operation,
        _ session: Session,
        _ lines: (WorkspaceInfo?) -> [String]
    ) async throws where Operation.Reply == WorkspaceReply {
        try await session.show(operation) { reply in lines(reply.workspace) }
    }

    /// The code as text to type, and on a terminal as a QR code to scan.
    func invitation(_ code: String, _ session: Session) -> [String] {
        [""] + session.qrCode(for: code)
            + ["  " + session.style(.strong, VisibleText.line(code)), ""]
    }
}

/// `parlance workspace create NAME`
struct WorkspaceCreateCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Create a workspace, and print its invitation code.",
        discussion: """
            This node's present links end: it parts from everybody who is not in the workspace. Others join with: \
            parlance workspace join CODE

            You are the workspace's first admin. Make another soon (parlance workspace admin WHO): if this computer is \
            lost and there is no other, nobody can exclude anybody any more.

            Example: parlance workspace create Ship
            """
    )

    @Argument(help: "The name of the workspace.")
    var name: String

    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        try await showWorkspace(WorkspaceCreateOperation(name: name), session) { workspace in
            guard let workspace else { return [] }
            return [
                VisibleText.line(
                    say("The workspace \(NameText.plain(workspace.name)) is created. Anybody with this code can join:")
                )
            ]
                + invitation(workspace.code, session)
                + [
                    say(
                        "The others join with: \(Phrase(elsewhere: "parlance workspace join CODE")). Keep the code secret; it is shown again by: parlance workspace show --code"
                    ),
                    say("This node parts from everybody who is not in the workspace."),
                    say("You are its first admin. To make another: parlance workspace admin WHO"),
                ]
        }
    }
}

/// `parlance workspace join CODE`
struct WorkspaceJoinCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "join",
        abstract: "Join a workspace by its invitation code, or by its name and a passphrase.",
        discussion: """
            Spaces and hyphens in the code do not matter, nor does case. Links to nodes outside the workspace end.

            With --passphrase, give the name of the workspace instead of a code. Everybody who gives the same name and \
            passphrase is in the same workspace. Choose a long passphrase: anybody who records your network can try \
            guesses.

            Example: parlance workspace join Ship abcdefghi jklmnopqr stuvwxyz2 34567abcd ...
            """
    )

    @Argument(help: "The invitation code, with or without the name before it; with --passphrase, the name.")
    var code: [String]

    @Flag(help: "Ask for a passphrase.")
    var passphrase = false

    @Option(help: "What the workspace is called on this computer; it is not your name.")
    var name: String?

    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        let words = code.joined(separator: " ")
        var operation = WorkspaceJoinOperation(code: words, name: name)
        if passphrase {
            var input = try PassphraseInput()
            operation = WorkspaceJoinOperation(
                name: words,
                passphrase: try input.next(Phrase("Passphrase of \(words):"))
            )
        }
        let joining = WorkspaceText.Joining(
            byPassphrase: passphrase,
            hasName: passphrase || name != nil || InvitationCode(text: words)?.name.isEmpty == false,
            chosenName: passphrase ? nil : name
        )
        try await showWorkspace(operation, session) { workspace in
            workspace.map { WorkspaceText.joined($0, joining).map { VisibleText.line(say($0)) } } ?? []
        }
    }
}

/// `parlance workspace show`
struct WorkspaceShowCommand: ShowingCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show this node's workspace, and which members are connected.",
        discussion: "Example: parlance workspace show --code"
    )

    @Flag(help: "Print the invitation code too (--json always does).")
    var code = false

    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        try await session.show(WorkspaceShowOperation()) { reply in
            guard let workspace = reply.workspace else {
                return [
                    say("This node is in no workspace: everybody on the network can link to it and ask to talk."),
                    say("Make one: parlance workspace create NAME. Or join one: parlance workspace join CODE"),
                ]
            }
            let lines =
                [session.style(.strong, NameText.plain(workspace.name))]
                + WorkspaceText.lines(about: workspace, session.clock, offline: reply.problems?.first)
                .map { VisibleText.line("  " + say($0)) }
            if let ended = WorkspaceText.endedCode(of: workspace) {
                return lines + (code ? [VisibleText.line("  " + say(ended.withoutPeriod))] : [])
            }
            return lines
                + (code
                    ? invitation(workspace.code, session)
                    : [say("  the invitation code: parlance workspace show --code")])
        }
    }
}

/// `parlance workspace leave`
struct WorkspaceLeaveCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "leave",
        abstract: "Leave the workspace, and be open to everybody again.",
        discussion: """
            This node forgets the key: to come back you need the code. Your messages stay. If you are the only admin, make \
            another one first (parlance workspace admin WHO), or nobody can exclude people, let them in or change the key.

            Example: parlance workspace leave
            """
    )

    @Flag(help: "Do not ask.")
    var yes = false

    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        if !yes, let workspace = try await session.client.call(WorkspaceShowOperation()).workspace {
            try Confirmation.ask(Self.question(workspace), command: "parlance workspace leave --yes")
        }
        try await showWorkspace(WorkspaceLeaveOperation(), session) { _ in
            [say("You have left the workspace. Its members and this node no longer reach each other.")]
        }
    }

    private static func question(_ workspace: WorkspaceInfo) -> Phrase {
        let name = NameText.plain(workspace.name)
        guard workspace.charter?.isAdmin == true, workspace.charter?.admins.count == 1 else {
            return Phrase(
                "You leave the workspace \(name): its members and this node no longer reach each other. To come back you need its code. Your messages stay."
            )
        }
        return Phrase(
            "You are the only admin of the workspace \(name). When you have left it, nobody can exclude people, let them in or change the key, until you come back with its code. Make another admin first: parlance workspace admin WHO"
        )
    }
}

/// `parlance workspace rotate`
struct WorkspaceRotateCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate",
        abstract: "Change the key of the workspace; old codes expire within a day.",
        discussion: """
            Members get the new key as soon as they are connected, and for 30 days also if they come back with the old \
            key. The old code expires after a day. In a workspace with admins, only they can do this.

            People named with --without do not get the key, and get no link any more. In a workspace with admins that is \
            the same as: parlance workspace exclude WHO

            Example: parlance workspace rotate
            """
    )

    @Option(
        help: ArgumentHelp("A person who does not get the new key; may be repeated.", valueName: "who"),
        completion: Completions.person
    )
    var without: [String] = []

    @Flag(help: "Do not ask.")
    var yes = false

    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        var excluded = without
        if !without.isEmpty {
            excluded = try await session.confirmExclusion(of: without, yes, by: "rotate", "--without ")
        } else if !yes {
            try await session.confirmNewKey()
        }
        let operation = WorkspaceRotateOperation(without: excluded.isEmpty ? nil : excluded)
        let reply = try await session.show(operation) { reply in
            guard let workspace = reply.workspace else { return [] }
            return [
                VisibleText.line(say("The workspace \(NameText.plain(workspace.name)) has a new key. The new code:"))
            ]
                + invitation(workspace.code, session)
        }
        // Where there are no admins the reply does not name them.
        guard !excluded.isEmpty, !options.json else { return }
        if let people = reply.people { return await session.tellGroups(of: people.map(\.person)) }
        await session.tellGroups(of: session.people(excluded))
    }
}
