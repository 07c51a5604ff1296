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
            read. Press ? for the keys, and Ctrl-C to leave. When the daemon stops, it waits for the next one and goes on.

            It needs a terminal; elsewhere 'parlance watch' and 'parlance send' do the same line by line.

            Example: parlance chat Bob
            """
    )

    @Argument(help: "Whom to open first: a name, an alias, a group's title, or an ID.")
    var who: String?

    @OptionGroup var options: Options

    func validate() throws {
        guard !options.json else {
            throw ValidationError(say("The chat screen prints no JSON. For programs: parlance watch --json"))
        }
    }

    func run() async throws {
        try await ErrorOutput.reporting(json: false) {
            let device = try TerminalDevice.open(environment: Terminal.environment)
            let session = try await Session.open(options)
            await ChatShell(device: device, options: options).run(who: who, session)
        }
    }
}
