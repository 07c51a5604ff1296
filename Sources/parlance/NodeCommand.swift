import ArgumentParser
import ParlanceControl

/// A command that talks to the daemon.
protocol NodeCommand: AsyncParsableCommand {
    var options: Options { get }

    /// Does the work over an open session; a thrown error is shown to the user and decides the exit code.
    func run(_ session: Session) async throws
}

extension NodeCommand {
    func run() async throws {
        do {
            let session = try await Session.open(options)
            try await run(session)
            await session.close()
        } catch let failure as ControlFailure {
            ErrorOutput.show(failure, json: options.json)
            throw ErrorOutput.exitCode(failure)
        } catch let error as ControlError {
            let failure = ControlFailure(error)
            ErrorOutput.show(failure, json: options.json)
            throw ErrorOutput.exitCode(failure)
        }
    }
}
