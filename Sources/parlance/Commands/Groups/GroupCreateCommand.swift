import ArgumentParser
import ParlanceControl

/// `parlance group create TITLE WHO...`
struct GroupCreateCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Make a group of people you know.",
        discussion: """
            You are its first admin. They need not be here: each joins when their computer is.

            Example: parlance group create "Night watch" Bob Cleo
            """
    )

    @Argument(help: "The title, in quotes if it has several words.")
    var title: String

    @Argument(help: "Names, aliases or peer IDs; nobody, if you want to add them later.")
    var who: [String] = []

    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        try await showGroup(GroupCreateOperation(title: title, who: who), session) { group in
            let others = group.members.filter { $0.me != true }.map(\.person)
            let with = others.isEmpty ? "so far you are alone in it" : "with \(PeopleText.list(others))"
            return ["The group \(group.title) is made, \(with)."]
        }
    }
}
