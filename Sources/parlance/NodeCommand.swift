import ArgumentParser
import ParlanceControl

/// A command that talks to the daemon.
protocol NodeCommand: AsyncParsableCommand {
    var options: Options { get }

    /// Whether the command changes nothing: it has failed, and has nothing to do any more, once its output cannot be written.
    var onlyShows: Bool { get }

    /// Refuses wrong usage that the parser does not see, before there is a session.
    func check() throws(ControlFailure)

    /// Does the work over an open session; a thrown error is shown to the user and decides the exit code.
    func run(_ session: Session) async throws
}

extension NodeCommand {
    var onlyShows: Bool { false }

    func check() throws(ControlFailure) {}

    func run() async throws {
        try await ErrorOutput.reporting(json: options.json) {
            try check()
            if onlyShows { Terminal.endWithOutput() }
            let session = try await Session.open(options)
            try await run(session)
            await session.close()
        }
    }
}

/// A command that changes nothing.
protocol ShowingCommand: NodeCommand {}

extension ShowingCommand {
    var onlyShows: Bool { true }
}
