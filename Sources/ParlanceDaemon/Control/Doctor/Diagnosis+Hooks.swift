import ParlanceControl
import ParlanceCore
import ParlanceRecords
import ParlanceWords

extension Diagnosis {
    /// Files that are meant to be hooks and are not run.
    var hookProblems: [Problem] { hooks.files.compactMap(\.problem) }

    /// The hooks, and the results of their last runs.
    var hookLine: Phrase {
        let names = hooks.files.filter { $0.fault == nil }.map(\.name.withoutControlCharacters)
        guard !names.isEmpty else { return Phrase("hooks: none in \(hooks.folder.withoutControlCharacters)") }
        let (list, counts) = (names.joined(separator: ", "), hooks.counts)
        let runs = Phrase("hooks: \(list); \(counts.runs) runs, \(counts.failures) of them failed")
        return counts.dropped == 0 ? runs : Phrase("\(runs); they missed \(counts.dropped) events of a flood")
    }
}
