import ArgumentParser
import ParlanceControl
import ParlanceTexts
import ParlanceWords

/// `parlance retain WHO [LENGTH|off]`
struct RetainCommand: NodeCommand, NumberCommand {
    static let configuration = CommandConfiguration(
        commandName: "retain",
        abstract: "Keep the messages of a conversation for a limited time only.",
        discussion: """
            Older messages are removed from this computer for good, now and from then on. They stay with the others, and in \
            your backups and exports. Nothing goes that you have not read, or that somebody has not received yet. Nobody \
            else learns of it. Without LENGTH it says what is set; 'off' keeps messages again.

            Example: parlance retain "Night watch" 90d --yes
            """
    )

    static var numbers: Phrase { RetainLength.values }

    @Argument(help: "A name, an alias, a group's title, or an ID.", completion: Completions.conversation)
    var who: String

    @Argument(
        help: ArgumentHelp("A number with h, d or w, such as 12h, 90d or 52w; or off.", valueName: "length"),
        transform: RetainLength.typed
    )
    var length: RetainLength?

    @Flag(help: "Remove what is older.")
    var yes = false

    @OptionGroup var options: Options

    func validate() throws {
        guard length?.isPossible == false else { return }
        throw ValidationError(say(RetainLength.impossible))
    }

    /// Says what will happen, once it is known whom the user means.
    private func warn(_ seconds: Int, _ session: Session) async throws {
        _ = try await session.client.call(HistoryOperation(who: who, limit: 1))
        let words = [who, PeriodText.typed(seconds: seconds)]
        let command = ShellWord.command("parlance retain", words, options: ["--yes"])
        let question = RetainLength.question(seconds, command: command)
        throw ControlFailure(code: ControlFailure.usage, message: question.message, advice: question.advice)
    }

    var onlyShows: Bool { length == nil }

    func run(_ session: Session) async throws {
        guard let length else { return try await show(session) }
        if case .after(let seconds) = length, !yes { return try await warn(seconds, session) }
        try await session.show(RetainOperation(who: who, seconds: length.seconds)) {
            [Self.line($0.shownTitle, $0.retain)]
        }
    }

    private func show(_ session: Session) async throws {
        let page = try await session.client.call(HistoryOperation(who: who, limit: 1))
        let all = try await session.client.call(ConversationsOperation()).conversations
        let info = all.first { $0.id == page.conversation.id } ?? page.conversation
        let settings = PreferenceInfo(
            conversation: info.id,
            title: info.title,
            trust: info.trust,
            pinned: info.pinned == true,
            muted: info.muted == true,
            mutedUntil: info.mutedUntil,
            quiet: info.quiet,
            retain: info.retain,
            hidden: info.hidden
        )
        session.terminal.write(
            session.json
                ? [JSONWriter.text(try JSONValueEncoder.encode(settings))]
                : [Self.line(settings.shownTitle, settings.retain)]
        )
    }

    private static func line(_ title: String, _ seconds: Int?) -> String {
        VisibleText.line(say(RetainLength.line(title, seconds)))
    }
}
