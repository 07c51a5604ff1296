import ArgumentParser
import ParlanceControl

/// Reports a failure to the user.
enum ErrorOutput {
    /// Writes what went wrong, why, and what to do about it to standard error.
    static func show(_ failure: ControlFailure, json: Bool) {
        let terminal = Terminal.standardError
        if json {
            let error = (try? JSONValueEncoder.encode(failure)) ?? .string(failure.message)
            terminal.write([JSONWriter.text(.object([.init("error", error)]))])
            return
        }
        let style = terminal.style
        var lines = [style(.bad, "parlance: ") + VisibleText.line(failure.message)]
        for candidate in failure.candidates {
            let id = PeerIDText.short(candidate.id)
            let what = candidate.trust?.rawValue ?? "group"
            lines.append(
                "  \(VisibleText.line(id))  \(VisibleText.line(NameText.plain(candidate.displayName))) (\(what))"
            )
        }
        if !failure.advice.isEmpty { lines.append(VisibleText.line(failure.advice)) }
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
        throw exitCode(failure)
    }

    /// 2: no daemon. 65: the input was refused, and would be refused again. 1: anything else.
    static func exitCode(_ failure: ControlFailure) -> ExitCode {
        switch failure.code {
        case "noDaemon", "connectionLost", "notPermitted": return ExitCode(2)
        case "invalidParams": return ExitCode(65)
        default: break
        }
        switch ControlError.Code(rawValue: failure.code) {
        case .unknownPeer, .ambiguousPeer, .ownIdentity, .unknownMessage, .notWaiting, .emptyText, .textTooLong,
            .invalidName, .invalidValue, .blocked, .notMember, .notAllowed, .noWorkspace, .otherWorkspace,
            .notTheSame:
            return ExitCode(65)
        case .busy, .notYet, .storeFailed, .notPermitted, .socketFailed, .stopping, .internalError, nil:
            return ExitCode(1)
        }
    }
}
