import ArgumentParser
import ParlanceControl
import ParlanceWords

/// Reports a failure to the user.
enum ErrorOutput {
    /// Writes what went wrong, why, and what to do about it to standard error.
    static func show(_ failure: ControlFailure, json: Bool) {
        let terminal = Terminal.standardError
        if json { return terminal.write([failure.json]) }
        let style = terminal.style
        var lines = [style(.bad, "parlance: ") + VisibleText.line(say(failure.message))]
        for candidate in failure.candidates {
            let id = PeerIDText.short(candidate.id)
            let what = say(candidate.trust?.words ?? Phrase("group"))
            lines.append(
                "  \(VisibleText.line(id))  \(VisibleText.line(NameText.plain(candidate.displayName))) (\(what))"
            )
        }
        if !failure.advice.isEmpty { lines.append(VisibleText.line(say(failure.advice))) }
        terminal.write(lines)
    }

    /// Does the work of a command; shows why it failed, and turns that into the exit code.
    static func reporting(json: Bool, _ work: () async throws -> Void) async throws {
        let failure: ControlFailure
        do {
            return try await work()
        } catch let thrown as ControlFailure {
            failure = thrown.forPeople
        } catch let error as ControlError {
            failure = ControlFailure(error)
        }
        show(failure, json: json)
        throw ExitCode(failure.exitCode)
    }
}
