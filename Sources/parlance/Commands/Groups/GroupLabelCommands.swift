import ArgumentParser
import ParlanceControl
import ParlanceWords

/// `parlance group rename GROUP TITLE`
struct GroupRenameCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "rename",
        abstract: "Change the title of a group.",
        discussion: "Example: parlance group rename Crew \"Night watch\""
    )

    @Argument(
        help: "The group's present title, or the first 8 or more characters of its ID.",
        completion: Completions.group
    )
    var group: String

    @Argument(help: "The new title; the words are joined by spaces.")
    var title: [String]

    @Flag(help: "Use the title even if another group or a person has it.")
    var force = false

    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        let operation = GroupRenameOperation(
            group: group,
            title: title.joined(separator: " "),
            force: force ? true : nil
        )
        try await showGroup(operation, session) { group in
            [say("The group's title is now \(NameText.plain(group.title)).")]
        }
    }
}

/// `parlance group topic GROUP [TEXT]`
struct GroupTopicCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "topic",
        abstract: "Show, set or remove the topic of a group.",
        discussion: """
            Examples: parlance group topic Crew
                      parlance group topic Crew "Plans for the dry dock"
                      parlance group topic Crew --clear
            """
    )

    @Argument(help: "The group's title, or the first 8 or more characters of its ID.", completion: Completions.group)
    var group: String

    @Argument(help: "The new topic; the words are joined by spaces.")
    var text: [String] = []

    @Flag(help: "Remove the topic.")
    var clear = false

    @OptionGroup var options: Options

    func validate() throws {
        if clear, !text.isEmpty { throw ValidationError(say("Give a topic or --clear, not both.")) }
        if !text.isEmpty, text.allSatisfy(\.isEmpty) { throw ValidationError(say("To remove the topic, use --clear.")) }
    }

    var onlyShows: Bool { !clear && text.isEmpty }

    func run(_ session: Session) async throws {
        let topic = clear ? "" : text.isEmpty ? nil : text.joined(separator: " ")
        try await showGroup(GroupTopicOperation(group: group, topic: topic), session) { group in
            if let topic = group.topic {
                return [say("The topic of \(NameText.plain(group.title)): \(NameText.plain(topic))")]
            }
            return [say("\(NameText.plain(group.title)) has no topic.")]
        }
    }
}
