package import ParlanceControl
import ParlanceWords

extension DaemonError {
    /// The same error of the control protocol.
    package init(_ error: ControlError) {
        self.init(error.code, error.message, advice: error.advice)
    }

    /// The lines for standard error.
    package var lines: String { ControlFailure(ControlError(self)).lines(of: "parlanced") }
}

extension ControlError {
    package init(_ error: DaemonError) {
        self.init(error.code, error.message, advice: error.advice)
    }
}

extension ControlFailure {
    /// The lines of a program for standard error.
    package func lines(of program: String) -> String {
        "\(program): \(say(message))\n" + (advice.isEmpty ? "" : "\(say(advice))\n")
    }
}
