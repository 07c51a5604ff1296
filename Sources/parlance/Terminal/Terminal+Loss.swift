import ArgumentParser
import ParlanceControl
import Synchronization
import SystemPackage

/// Standard output that cannot be written: a full disk, a closed descriptor, or a reader that has gone, as with `| head`.
/// A command that changes something goes on without it, and says so at its end; one that only shows something has failed.
extension Terminal {
    private struct Loss {
        var reason: Errno?
        var endsCommand = false
        var onlyShows = false
    }

    private static let loss = Mutex(Loss())

    static var hasLostOutput: Bool { loss.withLock { $0.reason != nil } }

    /// From now on the process ends with its output.
    ///
    /// - Parameter onlyShows: whether it changes nothing, so that it fails then.
    static func endWithOutput(onlyShows: Bool = true) {
        loss.withLock { ($0.endsCommand, $0.onlyShows) = (true, onlyShows) }
    }

    /// Takes note of it.
    static func loseOutput(_ reason: Errno) {
        let ends = loss.withLock { loss in
            loss.reason = reason
            return loss.endsCommand
        }
        guard ends else { return }
        do { try checkOutput() } catch { ParlanceCommand.exit(withError: error) }
        ParlanceCommand.exit()
    }

    /// Says that the output of a command was not written. A reader that has gone wanted no more.
    ///
    /// - Throws: the exit code.
    static func checkOutput() throws(ExitCode) {
        let (reason, onlyShows) = loss.withLock { ($0.reason, $0.onlyShows) }
        guard let reason, reason != .brokenPipe else { return }
        let failure = onlyShows ? ControlFailure.outputCut(reason) : .outputLost(reason)
        ErrorOutput.show(failure, json: Terminal.writesJSON)
        throw ExitCode(failure.exitCode)
    }
}
