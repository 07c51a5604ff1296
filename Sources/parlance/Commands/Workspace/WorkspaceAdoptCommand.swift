import ArgumentParser
import ParlanceControl
import ParlanceTexts
import ParlanceWords

/// `parlance workspace adopt [--yes]`
struct WorkspaceAdoptCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "adopt",
        abstract: "Follow the admins that a connected member tells of.",
        discussion: """
            Who joined by a code with 9 groups does this by itself. It names the charter, the list of what admins decide, by \
            its ID. Ask the member in another way first whether that is right ("parlance workspace show" prints it there): \
            from then on those admins decide who is excluded, and a workspace has one such list for ever. Who they are \
            is known as soon as you follow them, and printed then.

            Example: parlance workspace adopt
            """
    )

    @Flag(help: "Do not ask.")
    var yes = false

    @OptionGroup var options: Options

    /// How often it looks whether a member has told the admins, and how long it waits between, in milliseconds.
    private static let looks = (count: 20, milliseconds: Int64(150))

    func run(_ session: Session) async throws {
        let workspace = try await session.client.call(WorkspaceShowOperation()).workspace
        let offered = workspace.flatMap(Self.offered)
        if !yes, let workspace, let offered {
            try Confirmation.ask(Self.question(offered, in: workspace), command: "parlance workspace adopt --yes")
        }
        // What the daemon refuses, it refuses in its own words.
        var reply = try await session.client.call(WorkspaceAdoptOperation(charter: offered?.charter))
        var looks = Self.looks.count
        while looks > 0, reply.workspace?.charter?.admins.isEmpty == true {
            await ControlClient.pause(milliseconds: Self.looks.milliseconds)
            reply = try await session.client.call(WorkspaceShowOperation())
            looks -= 1
        }
        session.terminal.write(
            session.json
                ? [JSONWriter.text(try JSONValueEncoder.encode(reply))]
                : reply.workspace.map { [VisibleText.line(say(Self.answer($0)))] } ?? []
        )
    }

    /// The charter that members offer, and they; `nil` if there is none, or different ones, which the daemon refuses.
    private static func offered(_ workspace: WorkspaceInfo) -> (charter: String, people: [Person])? {
        let offers = (workspace.met ?? []).filter(\.offered)
        guard let charter = offers.first?.charter, offers.allSatisfy({ $0.charter == charter }) else { return nil }
        return (charter, offers.map(\.person))
    }

    private static func question(_ offered: (charter: String, people: [Person]), in workspace: WorkspaceInfo) -> Phrase
    {
        let (name, charter) = (NameText.plain(workspace.name), WorkspaceText.short(offered.charter))
        let people = PeopleText.list(offered.people.map(\.shownName))
        let there = Phrase(elsewhere: "parlance workspace show")
        return offered.people.count == 1
            ? Phrase(
                "\(people) says that the workspace \(name) has admins, by the charter \(charter). You follow them from then on, for ever, and they alone decide who is excluded; who they are is told when you follow them. Ask \(people) in another way whether that is the charter: \(there)"
            )
            : Phrase(
                "\(people) say that the workspace \(name) has admins, by the charter \(charter). You follow them from then on, for ever, and they alone decide who is excluded; who they are is told when you follow them. Ask one of them in another way whether that is the charter: \(there)"
            )
    }

    private static func answer(_ workspace: WorkspaceInfo) -> Phrase {
        let name = NameText.plain(workspace.name)
        guard let charter = workspace.charter else { return Phrase("This node is in no workspace with admins.") }
        let (id, admins) = (WorkspaceText.short(charter.id), charter.admins.map(\.shownName))
        return admins.isEmpty
            ? Phrase(
                "This node follows the admins of the workspace \(name) now, by the charter \(id). Nobody has told yet who they are: parlance workspace show"
            )
            : Phrase(
                "This node follows the admins of the workspace \(name) now, by the charter \(id): \(PeopleText.list(admins))."
            )
    }
}
