import ArgumentParser
import ParlanceControl
import ParlanceTexts
import ParlanceWords

/// `parlance group create TITLE WHO...`
struct GroupCreateCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Create a group.",
        discussion: """
            You are its first admin. Members need not be connected now: each of them joins when their computer is. A title \
            that another of your groups or a person has is refused, because WHO would mean two; --force takes it \
            nevertheless.

            Example: parlance group create "Night watch" Bob Cleo
            """
    )

    @Argument(help: "The title, in quotes if it has several words.")
    var title: String

    @Argument(help: "Names, aliases or peer IDs; leave it out to add members later.", completion: Completions.person)
    var who: [String] = []

    @Flag(help: "Use the title even if another group or a person has it.")
    var force = false

    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        let operation = GroupCreateOperation(title: title, who: who, force: force ? true : nil)
        try await showGroup(operation, session) { group in
            let others = group.members.filter { $0.me != true }
            let members = PeopleText.list(group.members.map(\.person))
            var lines = [say("Created the group \(NameText.plain(group.title)). Members: \(members).")]
            if others.count < who.count { lines.append(say("Somebody was named twice and is a member once.")) }
            return lines + JoinText.lines(others)
        }
    }
}
