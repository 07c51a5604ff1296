import ArgumentParser
import ParlanceControl
import ParlanceWords

/// `parlance open [--print]`
struct OpenCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "open",
        abstract: "Open your page: Parlance in the browser.",
        discussion: """
            The page is served by your own daemon, for you alone and on this computer only. The link works once, within 5
            minutes; after that the browser stays let in.

            Examples: parlance open
                      parlance open --print
            """
    )

    @Flag(name: .customLong("print"), help: "Print the link and open nothing.")
    var printsLink = false

    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        if printsLink || options.json {
            let reply = try await session.show(PageOpenOperation()) { [$0.link] }
            // The link alone is the output; with --json the note is in it.
            if !options.json { Self.tell(reply, on: .standardError) }
            return
        }
        let reply = try await session.client.call(PageOpenOperation())
        Self.tell(reply, on: session.terminal)
        guard BrowserOpener.hasDesktop else {
            return session.terminal.write([
                say("There is no desktop here. Open this link in a browser of this computer, within 5 minutes:"),
                reply.link,
            ])
        }
        guard BrowserOpener.open(reply.link) else {
            throw ControlFailure(
                code: "noBrowser",
                message: "No browser could be opened.",
                advice: "Open this link yourself, within 5 minutes: \(reply.link)"
            )
        }
        session.terminal.write([say("The page opens in your browser.")])
    }

    /// Tells that the page is not where it was to be.
    private static func tell(_ reply: PageOpenReply, on terminal: Terminal) {
        if let note = reply.note { terminal.write([VisibleText.line(say(note))]) }
    }
}
