import ArgumentParser
import ParlanceChat
import ParlanceControl
import ParlanceWords

/// `parlance chat [WHO]`
struct ChatCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "chat",
        abstract: "Chat on a full screen.",
        discussion: """
            Shows your conversations, who is here, and what arrives, and sends what you write. What is shown counts as \
            read. Press ? for the keys, and Ctrl-C to leave. When the daemon stops, it waits for the next one and \
            goes on. What you have begun to write is kept, also when you leave.

            With --plain, or where the terminal cannot draw (TERM=dumb), it prints what is new line by line, for screen \
            readers too: what you type is sent, and /help lists the commands. Each line of a pipe is sent to WHO, or to \
            the conversation that /open has named, one after the other; the exit code says whether all were sent: 1 if \
            some were not, 65 if nobody is called WHO.

            Example: parlance chat Bob
            """
    )

    @Argument(
        help: "Whom to open first: a name, an alias, a group's title, or an ID.",
        completion: Completions.conversation
    )
    var who: String?

    @Flag(help: "Print lines instead of drawing a screen.")
    var plain = false

    @OptionGroup var options: Options

    func validate() throws {
        guard !options.json else {
            throw ValidationError(say("The chat screen prints no JSON. For programs: parlance watch --json"))
        }
    }

    func run() async throws {
        try await ErrorOutput.reporting(json: false) {
            let environment = Terminal.environment
            let code: Int32
            if plain || TerminalDevice.isPlain(environment) {
                let session = try await Session.open(options)
                Terminal.endWithOutput(onlyShows: false)
                let isPipe = !Terminal.isInputTerminal
                code = await ChatShell(descriptor: TerminalDevice.standardInput, options: options).run(session) {
                    sink in
                    PlainScreen(who: who, session: session, isPipe: isPipe, sink: sink)
                }
            } else {
                let device = try TerminalDevice.open(environment: environment)
                let session = try await Session.open(options)
                let folder = try options.paths.stateDirectory
                code = await ChatShell(descriptor: device.descriptor, options: options).run(session) { sink in
                    ChatScreen(who: who, device: device, folder: folder, sink: sink)
                }
            }
            if code != 0 { throw ExitCode(code) }
        }
    }
}
