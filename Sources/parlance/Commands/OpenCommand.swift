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
            try await session.show(PageOpenOperation()) { [$0.link] }
            return
        }
        guard BrowserOpener.hasDesktop else {
            let reply = try await session.client.call(PageOpenOperation())
            return session.terminal.write([
                say("There is no desktop here. Open this link in a browser of this computer, within 5 minutes:"),
                reply.link,
            ])
        }
        let reply = try await session.client.call(PageOpenOperation())
        guard BrowserOpener.open(reply.link) else {
            throw ControlFailure(
                code: "noBrowser",
                message: "No browser could be opened.",
                advice: "Open this link yourself, within 5 minutes: \(reply.link)"
            )
        }
        session.terminal.write([say("The page opens in your browser.")])
    }
}
