import ArgumentParser
import ParlanceControl

/// `parlance group create TITLE WHO...`
struct GroupCreateCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Create a group.",
        discussion: """
            You are its first admin. Members need not be connected now: each of them joins when their computer is.

            Example: parlance group create "Night watch" Bob Cleo
            """
    )

    @Argument(help: "The title, in quotes if it has several words.")
    var title: String

    @Argument(help: "Names, aliases or peer IDs; leave it out to add members later.")
    var who: [String] = []

    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        try await showGroup(GroupCreateOperation(title: title, who: who), session) { group in
            ["Created the group \(group.title). Members: \(PeopleText.list(group.members.map(\.person)))."]
        }
    }
}
