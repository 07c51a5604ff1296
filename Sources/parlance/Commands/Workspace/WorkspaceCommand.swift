import ArgumentParser
import ParlanceControl

/// `parlance workspace ...`
struct WorkspaceCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "workspace",
        abstract: "Keep to those who share a key: nobody else gets a link.",
        discussion: """
            Whoever has the invitation code is a member; members find and accept each other by themselves. A node in a \
            workspace has no links to anybody outside it. One node is in one workspace: for a second one, run another \
            node with --profile.

            Examples: parlance workspace create Ship
                      parlance workspace join Ship abcdefgh ijklmnop ...
                      parlance workspace rotate --without Mallory
            """,
        subcommands: [
            WorkspaceCreateCommand.self, WorkspaceJoinCommand.self, WorkspaceShowCommand.self,
            WorkspaceLeaveCommand.self, WorkspaceRotateCommand.self,
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

    /// The code as text to type and as a QR code to scan.
    func invitation(_ workspace: WorkspaceInfo, _ session: Session) -> [String] {
        [""] + QRCode.lines(for: workspace.code, style: session.style)
            + ["  " + session.style(.strong, VisibleText.line(workspace.code)), ""]
    }
}

/// `parlance workspace create NAME`
struct WorkspaceCreateCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Make a workspace, and print the code that lets others in.",
        discussion: """
            This node's links to others end; who has the code joins with: parlance workspace join CODE

            Example: parlance workspace create Ship
            """
    )

    @Argument(help: "What it is called.")
    var name: String

    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        try await showWorkspace(WorkspaceCreateOperation(name: name), session) { workspace in
            guard let workspace else { return [] }
            return [VisibleText.line("The workspace \(workspace.name) is made. Whoever has this code gets in:")]
                + invitation(workspace, session)
                + ["They join with: parlance workspace join CODE. Keep it secret; see it again with: show --code"]
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

            With --passphrase it takes the NAME instead, and asks for the passphrase: all who give the same are in one \
            workspace, without a code. Whoever listens on the network can test guesses, so take a long one.

            Example: parlance workspace join Ship abcdefgh ijklmnop qrstuvwx yz234567 abcdefgh ijklmnop qrstuvwx
            """
    )

    @Argument(help: "The code, with the workspace's name before it or without; with --passphrase the name.")
    var code: [String]

    @Flag(help: "Ask for a passphrase.")
    var passphrase = false

    @Option(help: "What to call it here.")
    var name: String?

    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        let words = code.joined(separator: " ")
        var operation = WorkspaceJoinOperation(code: words, name: name)
        if passphrase {
            var input = PassphraseInput()
            operation = WorkspaceJoinOperation(name: words, passphrase: try input.next("Passphrase of \(words):"))
        }
        try await showWorkspace(operation, session) { workspace in
            guard let workspace else { return [] }
            return [
                VisibleText.line("This node is in the workspace \(workspace.name)."),
                "Members that are here are found by themselves: parlance peers",
            ]
        }
    }
}

/// `parlance workspace show`
struct WorkspaceShowCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "Show the workspace this node is in, and who of it is here.",
        discussion: "Example: parlance workspace show --code"
    )

    @Flag(help: "Print the invitation code too; with --json it is always there.")
    var code = false

    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        try await showWorkspace(WorkspaceShowOperation(), session) { workspace in
            guard let workspace else {
                return [
                    "This node is in no workspace: everybody on the network can link to it and ask to talk.",
                    "Make one: parlance workspace create NAME. Or join one: parlance workspace join CODE",
                ]
            }
            var lines = [session.style(.strong, VisibleText.line(workspace.name))]
            let here = workspace.connected.map(\.displayName)
            lines.append(VisibleText.line(here.isEmpty ? "  nobody is connected" : "  here: \(PeopleText.list(here))"))
            let removed = workspace.removed.map(\.displayName)
            if !removed.isEmpty { lines.append(VisibleText.line("  left out: \(PeopleText.list(removed))")) }
            if workspace.number > 1 {
                lines.append(
                    "  its key was changed \(workspace.number - 1 == 1 ? "once" : "\(workspace.number - 1) times")"
                )
            }
            return lines
                + (code ? invitation(workspace, session) : ["  the invitation code: parlance workspace show --code"])
        }
    }
}

/// `parlance workspace leave`
struct WorkspaceLeaveCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "leave",
        abstract: "Leave the workspace: this node is open to everybody again.",
        discussion: """
            The key is forgotten here: to come back you need the code. What was written stays.

            Example: parlance workspace leave
            """
    )

    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        try await showWorkspace(WorkspaceLeaveOperation(), session) { _ in
            ["This node is in no workspace any more. Its members do not reach it, nor it them."]
        }
    }
}

/// `parlance workspace rotate`
struct WorkspaceRotateCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "rotate",
        abstract: "Give the workspace a new key, so that old codes end within a day.",
        discussion: """
            Members get the new key when they are connected; for 30 days also when they come back with the old one. Who \
            is named with --without gets neither it nor a link, for good. The old code stops working after a day.

            Example: parlance workspace rotate --without Mallory
            """
    )

    @Option(help: ArgumentHelp("Somebody who is to be left out; may be repeated.", valueName: "who"))
    var without: [String] = []

    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        let operation = WorkspaceRotateOperation(without: without.isEmpty ? nil : without)
        try await showWorkspace(operation, session) { workspace in
            guard let workspace else { return [] }
            return [VisibleText.line("The workspace \(workspace.name) has a new key. The new code:")]
                + invitation(workspace, session)
        }
    }
}
