import ParlanceControl
import ParlanceTexts
import ParlanceWords

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// An open connection to the daemon, and the output for its answers.
struct Session: Sendable {
    let client: ControlClient
    let terminal: Terminal
    let clock: LocalClock
    let json: Bool

    static func open(_ options: Options) async throws -> Session {
        let paths = try options.paths
        let client: ControlClient
        do {
            client = try await ControlClient.connect(to: paths.socketToUse(), ofAnyUser: options.anyUser)
        } catch var failure as ControlFailure where failure.code == "noDaemon" {
            let canBeService = options.canBeService(Terminal.environment)
            failure.advice = Options.startAdvice(
                daemon: options.forDaemon,
                canBeService: canBeService,
                hasSystemd: UserManager.isPossible,
                isDefault: canBeService && options.profile == nil
            )
            throw failure
        }
        // Programs read English; texts for people come in the language of this one.
        client.speak(options.json ? .english : .current)
        return Session(
            client: client,
            terminal: .standardOutput,
            clock: .system(),
            json: options.json
        )
    }

    func close() async {
        await client.close()
    }

    var style: TextStyle { terminal.style }

    /// Performs an operation and shows the reply: as JSON if requested, else as the lines that `show` makes of it.
    @discardableResult
    func show<Operation: ControlOperation>(
        _ operation: Operation,
        _ lines: (Operation.Reply) -> [String]
    ) async throws -> Operation.Reply {
        let reply = try await client.call(operation)
        try write(reply, lines)
        return reply
    }

    /// Writes a reply: as JSON if requested, else as the lines that are made of it.
    func write<Reply: Encodable>(_ reply: Reply, _ lines: (Reply) -> [String]) throws {
        terminal.write(json ? [JSONWriter.text(try JSONValueEncoder.encode(reply))] : lines(reply))
    }

    /// The coloured word for a presence. Where the link has just ended, nobody knows the present state.
    func presence(_ state: PresenceState, isConnected: Bool = true) -> TextTable.Cell {
        guard isConnected || state == .offline else { return TextTable.Cell(say(state.pastWords), .faint) }
        return switch state {
        case .online: TextTable.Cell(say(state.words), .good)
        case .away: TextTable.Cell(say(state.words), .warning)
        case .busy: TextTable.Cell(say(state.words), .bad)
        case .offline: TextTable.Cell(say(state.words), .faint)
        }
    }

    func lines(_ table: TextTable) -> [String] {
        table.lines(style: style, width: terminal.width)
    }
}
