import ParlanceControl
import ParlanceWords

/// A version of the package that is newer than the installed one.
package struct NewerVersion: Equatable, Sendable {
    package var installed: String
    package var available: String

    package init(installed: String, available: String) {
        (self.installed, self.available) = (installed, available)
    }

    var problem: NodeStatus.Problem {
        NodeStatus.Problem(
            code: NodeStatus.Problem.update,
            message: "Version \(available) of Parlance is available; \(installed) is installed.",
            advice: "To install it: sudo apt install parlance",
            severity: .note
        )
    }
}
