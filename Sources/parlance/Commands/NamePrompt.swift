import ParlanceControl
import ParlanceWords

/// The question for a name, asked once: while the node still goes by the login name, and only of a person at a terminal.
enum NamePrompt {
    static func askIfNameless(_ session: Session) async throws {
        guard !session.json, Terminal.isInputTerminal, Terminal.isOutputTerminal else { return }
        let status = try await session.client.call(StatusOperation())
        guard status.nameless == true else { return }
        let login = NameText.plain(status.name)
        session.terminal.write([
            say("What is your name? The others on this network see it. Enter alone keeps \"\(login)\".")
        ])
        while true {
            session.terminal.put(say("Your name:") + " ")
            guard let typed = Terminal.typedLine() else {
                session.terminal.write([say("Standard input is not valid UTF-8.")])
                continue
            }
            // Whoever gives no name keeps the login name, and is not asked again.
            let isSkipped = typed.allSatisfy(\.isWhitespace)
            do {
                let reply = try await session.client.call(NameOperation(name: isSkipped ? status.name : typed))
                return session.terminal.write((isSkipped ? [] : reply.lines(style: session.style)) + [""])
            } catch let failure as ControlFailure where failure.code == "invalidValue" {
                guard !isSkipped else { throw failure }
                session.terminal.write([VisibleText.line(say(failure.message)), VisibleText.line(say(failure.advice))])
            }
        }
    }
}
