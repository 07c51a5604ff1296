import ParlanceControl
import ParlanceCore
import ParlanceWords

extension Diagnosis {
    /// Members whose links show no common key: the workspace may have split.
    var splitProblems: [Problem] {
        view.people.filter(\.mayBeApart).map { person in
            let name = person.view.displayName
            return Problem(
                code: "workspace",
                message:
                    "\(name) and this node have different keys of the workspace, and \(name) has not told a newer one.",
                advice: "Accept each other on both machines (parlance accept NAME); the keys then follow by themselves."
            )
        }
    }
}
