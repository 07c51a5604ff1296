import ArgumentParser
import ParlanceControl

/// `parlance group add GROUP WHO...`
struct GroupAddCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add people to a group; only an admin can.",
        discussion: """
            They get everything that was written in it so far.

            Example: parlance group add Crew Dan
            """
    )

    @Argument(help: "The group's title, or the first 8 or more characters of its ID.")
    var group: String

    @Argument(help: "Names, aliases or peer IDs.")
    var who: [String]

    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        try await showGroup(GroupAddOperation(group: group, who: who), session) { group in
            [
                "\(group.title) is \(PeopleText.list(group.members.map { NameText.marked($0.displayName, $0.trust) })) now."
            ]
        }
    }
}

/// `parlance group remove GROUP WHO...`
struct GroupRemoveCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove people from a group; only an admin can.",
        discussion: """
            They keep what they have, and get nothing that is written from now on.

            Example: parlance group remove Crew Dan
            """
    )

    @Argument(help: "The group's title, or the first 8 or more characters of its ID.")
    var group: String

    @Argument(help: "Names, aliases or peer IDs.")
    var who: [String]

    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        try await showGroup(GroupRemoveOperation(group: group, who: who), session) { group in
            [
                "\(group.title) is \(PeopleText.list(group.members.map { NameText.marked($0.displayName, $0.trust) })) now."
            ]
        }
    }
}

/// `parlance group admin GROUP WHO...`
struct GroupAdminCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "admin",
        abstract: "Make members of a group admins, or take that from them; only an admin can.",
        discussion: """
            Examples: parlance group admin Crew Bob
                      parlance group admin --remove Crew Bob
            """
    )

    @Argument(help: "The group's title, or the first 8 or more characters of its ID.")
    var group: String

    @Argument(help: "Names, aliases or peer IDs of members.")
    var who: [String]

    @Flag(help: "Take it from them; they stay members.")
    var remove = false

    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        let operation = GroupAdminOperation(group: group, who: who, remove: remove ? true : nil)
        try await showGroup(operation, session) { group in
            let admins = group.members.filter(\.admin).map(\.person)
            return ["The admins of \(group.title) are now: \(PeopleText.list(admins))."]
        }
    }
}

/// `parlance group leave GROUP`
struct GroupLeaveCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "leave",
        abstract: "Leave a group.",
        discussion: """
            What you have of it stays on your disk. Its only admin makes somebody else one first.

            Example: parlance group leave Crew
            """
    )

    @Argument(help: "The group's title, or the first 8 or more characters of its ID.")
    var group: String

    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        try await showGroup(GroupLeaveOperation(group: group), session) { group in
            ["You are not a member of \(group.title) any more."]
        }
    }
}
