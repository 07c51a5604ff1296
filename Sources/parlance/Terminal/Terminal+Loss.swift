import ArgumentParser
import ParlanceControl
import Synchronization
import SystemPackage

/// Standard output that cannot be written: a full disk, a closed descriptor, or a reader that has gone, as with `| head`.
/// A command that changes something goes on without it, and says so at its end.
extension Terminal {
    private struct Loss {
        var reason: Errno?
        var endsCommand = false
    }

    private static let loss = Mutex(Loss())

    static var hasLostOutput: Bool { loss.withLock { $0.reason != nil } }

    /// From now on the process ends with its output.
    static func endWithOutput() { loss.withLock { $0.endsCommand = true } }

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

    /// Says that the output of a command that is done was not written. A reader that has gone wanted no more.
    ///
    /// - Throws: the exit code.
    static func checkOutput() throws(ExitCode) {
        guard let reason = loss.withLock({ $0.reason }), reason != .brokenPipe else { return }
        let failure = ControlFailure.outputLost(reason)
        ErrorOutput.show(failure, json: Terminal.writesJSON)
        throw ExitCode(failure.exitCode)
    }
}
