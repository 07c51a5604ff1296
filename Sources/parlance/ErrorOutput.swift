import ArgumentParser
import ParlanceControl
import ParlanceTexts

/// Reports a failure to the user.
enum ErrorOutput {
    /// Writes what went wrong, why, and what to do about it to standard error.
    static func show(_ failure: ControlFailure, json: Bool) {
        let terminal = Terminal.standardError
        if json { return terminal.write([failure.json]) }
        terminal.write(failure.lines(after: terminal.style(.bad, "parlance: ")))
    }

    /// Does the work of a command; shows why it failed, and turns that into the exit code.
    static func reporting(json: Bool, _ work: () async throws -> Void) async throws {
        let failure: ControlFailure
        do {
            try await work()
            return try Terminal.checkOutput()
        } catch let thrown as ControlFailure {
            failure = thrown.forPeople
        } catch let error as ControlError {
            failure = ControlFailure(error)
        }
        show(failure, json: json)
        throw ExitCode(failure.exitCode)
    }
}
