import Glibc
import ParlanceControl
import ParlanceRecords
import ParlanceWords

extension HookService.Report {
    /// Files that are meant to be hooks and are not run, or that the folder cannot be read.
    var problems: [NodeStatus.Problem] { (fault.map { [problem($0)] } ?? []) + files.compactMap(\.problem) }

    private func problem(_ fault: HookFolder.Unreadable) -> NodeStatus.Problem {
        let path = ShellWord.quoted(folder.withoutControlCharacters)
        let closed = fault.closed.map { ShellWord.quoted($0.withoutControlCharacters) }
        let reason = String(cString: strerror(fault.code))
        let advice =
            switch fault.code {
            case EACCES:
                closed.map { Phrase("Give yourself permission to enter the folder above: chmod u+x \($0)") }
                    ?? Phrase("Give yourself permission to read it: chmod u+rx \(path)")
            case ENOTDIR: Phrase("Move it away, and make a folder of that name: mkdir \(path)")
            case ENOENT: Phrase("The link leads nowhere. Remove it, or make the folder to which it leads.")
            default: Phrase("Check the disk: ls -la \(path)")
            }
        return NodeStatus.Problem(
            code: "hook",
            message: "No hook is run: the folder \(folder.withoutControlCharacters) cannot be read: \(reason).",
            advice: advice
        )
    }

    /// The hooks, and the results of their last runs.
    var line: Phrase {
        let names = files.filter { $0.fault == nil }.map(\.name.withoutControlCharacters)
        if fault != nil { return Phrase("hooks: none, since their folder cannot be read") }
        guard !names.isEmpty else { return Phrase("hooks: none in \(folder.withoutControlCharacters)") }
        let list = names.joined(separator: ", ")
        let runs = Phrase("hooks: \(list); \(counts.runs) runs, \(counts.failures) of them failed")
        return counts.dropped == 0 ? runs : Phrase("\(runs); they missed \(counts.dropped) events of a flood")
    }
}
