import ArgumentParser
import ParlanceControl
import ParlanceWords
import Synchronization

/// `parlance ask QUESTION`
struct AskCommand: ShowingCommand {
    static let configuration = CommandConfiguration(
        commandName: "ask",
        abstract: "Ask the assistant, and get the messages that answer best.",
        discussion: """
            The five best messages are given, each with how well it fits. To read the messages around one: parlance history \
            WHO --around ID

            A chat model (parlance assistant server) answers from them; Ctrl-C cancels its answer. It also gets the last ten \
            questions about the same and their answers: parlance talk

            Examples: parlance ask "when does the ferry leave?"
                      parlance ask --in "Night watch" who has the key
            """
    )

    @Argument(help: "The question.")
    var question: [String]

    @Option(
        name: .customLong("in"),
        help: ArgumentHelp("Only this person or group.", valueName: "who"),
        completion: Completions.conversation
    )
    var who: String?

    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        var operation = AskOperation(question: question.joined(separator: " "), who: who)
        guard !session.json, Terminal.isOutputTerminal else {
            try await session.show(operation) { reply in
                SourceText(clock: session.clock, style: session.style).answer(reply)
            }
            return
        }
        let label = String(UInt64.random(in: .min ... .max), radix: 36)
        operation.turn = label
        let printer = AnswerPrinter { [terminal = session.terminal] in terminal.put($0) }
        // A daemon of the version before tells no answers; it gives them.
        try? await session.client.subscribe(
            SubscriptionFilter(events: [AnswerEvent.kind]),
            deliver: { event in
                if let event = event as? AnswerEvent, event.turn == label { printer.add(event.text) }
            }
        )
        let isCancelling = Atomic(false)
        let interrupt = Interrupt { [client = session.client] in
            // Whoever presses it again waits no longer for a daemon that does not answer.
            if isCancelling.exchange(true, ordering: .relaxed) { Interrupt.endProcess() }
            client.send(AskCancelOperation(turn: label)) { reply in
                // Nothing is under way any more, or the daemon does not know how to cancel.
                if (try? reply.get().cancelled) != true { Interrupt.endProcess() }
            }
        }
        defer { interrupt.finish() }
        try await session.show(operation) { reply in
            let text = SourceText(clock: session.clock, style: session.style)
            return switch printer.end(reply.answer) {
            case .nothing: text.answer(reply)
            case .whole: text.answer(reply, isShown: true)
            case .other:
                [session.style(.faint, say("The same, with what it cites checked:"))]
                    + text.answer(reply)
            }
        }
    }
}

/// `parlance summary WHO`
struct SummaryCommand: ShowingCommand {
    static let configuration = CommandConfiguration(
        commandName: "summary",
        abstract: "Show what was written in a conversation, in short.",
        discussion: """
            The messages that say most are given in their own words, with what was decided and what is to be done.

            Examples: parlance summary Crew
                      parlance summary Crew --since 3d
            """
    )

    @Argument(help: ArgumentHelp("A person or a group.", valueName: "who"), completion: Completions.conversation)
    var who: String

    @Option(help: ArgumentHelp("How far back, such as 12h, 3d or 2w.", valueName: "length"))
    var since: String?

    @OptionGroup var options: Options

    func validate() throws {
        guard since == nil || length != nil else {
            throw ValidationError(
                say("\"\(since ?? "")\" is not a length of time. Write hours, days or weeks: 12h, 3d, 2w.")
            )
        }
    }

    /// In milliseconds.
    private var length: Int64? {
        guard let since, let unit = since.last, let number = Int64(since.dropLast()), (1...1_000).contains(number),
            let hours: Int64 = ["h": 1, "d": 24, "w": 168][unit]
        else { return nil }
        return number * hours * 3_600_000
    }

    func run(_ session: Session) async throws {
        let start = length.map { ControlTime(milliseconds: session.clock.now.milliseconds - $0) }
        try await session.show(SummaryOperation(who: who, since: start)) { reply in
            SourceText(clock: session.clock, style: session.style).summary(reply)
        }
    }
}
