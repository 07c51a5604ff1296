import ArgumentParser
import ParlanceControl
import ParlanceWords

/// `parlance pin WHO`
struct PinCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "pin",
        abstract: "Show a conversation before the others in the list.",
        discussion: """
            Nobody else learns of it. 'parlance unpin' ends it.

            Example: parlance pin "Night watch"
            """
    )

    @Argument(help: "A name, an alias, a group's title, or an ID.", completion: Completions.conversation)
    var who: String

    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        try await session.show(PinOperation(who: who)) { info in
            let line = say("\(info.shownTitle) is pinned: it comes first in 'parlance conversations'.")
            return [VisibleText.line(line)]
        }
    }
}

/// `parlance unpin WHO`
struct UnpinCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "unpin",
        abstract: "List a pinned conversation by its latest activity again.",
        discussion: "Example: parlance unpin \"Night watch\""
    )

    @Argument(help: "A name, an alias, a group's title, or an ID.", completion: Completions.conversation)
    var who: String

    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        try await session.show(UnpinOperation(who: who)) { info in
            return [VisibleText.line(say("\(info.shownTitle) is not pinned."))]
        }
    }
}

/// `parlance mute WHO [LENGTH]`
struct MuteCommand: NodeCommand, NumberCommand {
    static let configuration = CommandConfiguration(
        commandName: "mute",
        abstract: "Keep a conversation quiet, except for messages that mention you.",
        discussion: """
            Unread messages are still counted. Nobody else learns of it. Without a length the conversation stays muted \
            until 'parlance unmute'; with --daily it is muted in that part of each day.

            Examples: parlance mute "Night watch" 8h
                      parlance mute Bob
                      parlance mute Plant --daily 18:00-07:00
            """
    )

    static var numbers: Phrase { MuteLength.values }

    @Argument(help: "A name, an alias, a group's title, or an ID.", completion: Completions.conversation)
    var who: String

    @Argument(
        help: "For how long: a number with m, h, d or w, such as 30m, 8h, 2d or 1w.",
        transform: MuteLength.init(typed:)
    )
    var length: MuteLength?

    @Option(name: .customLong("for"), help: .hidden, transform: MuteLength.init(typed:))
    var lengthByName: MuteLength?

    @Option(help: ArgumentHelp("In which part of each day, such as 22:00-07:00.", valueName: "times"))
    var daily: String?

    @OptionGroup var options: Options

    func validate() throws {
        guard [length != nil, lengthByName != nil, daily != nil].count(where: { $0 }) <= 1 else {
            throw ValidationError(say("Give a length or --daily, not both."))
        }
    }

    func run(_ session: Session) async throws {
        try await session.show(MuteOperation(who: who, seconds: (length ?? lengthByName)?.seconds, daily: daily)) {
            info in
            let title = info.shownTitle
            if daily != nil, let quiet = info.quiet {
                let line = say("\(title) is muted each day at \(quiet). Messages that mention you are still announced.")
                return [VisibleText.line(line)]
            }
            guard let end = info.mutedUntil.map(session.clock.short) else {
                return [VisibleText.line(say("\(title) is muted. Messages that mention you are still announced."))]
            }
            let line = say("\(title) is muted until \(end). Messages that mention you are still announced.")
            return [VisibleText.line(line)]
        }
    }
}

/// `parlance unmute WHO`
struct UnmuteCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "unmute",
        abstract: "End the mute of a conversation.",
        discussion: "Example: parlance unmute \"Night watch\""
    )

    @Argument(help: "A name, an alias, a group's title, or an ID.", completion: Completions.conversation)
    var who: String

    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        try await session.show(UnmuteOperation(who: who)) { info in
            return [VisibleText.line(say("Notifications of \(info.shownTitle) are on."))]
        }
    }
}
