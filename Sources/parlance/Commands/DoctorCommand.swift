import ArgumentParser
import ParlanceControl

/// `parlance doctor`
struct DoctorCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Show what is odd, with the proof: messages of one device that go on in two branches.",
        discussion: """
            That happens when a backup is restored or a folder copied without the daemon noticing, or if somebody cheats. \
            Nothing is lost: both branches are kept and shown. With --json each branch comes with its proof.

            Example: parlance doctor --json
            """
    )

    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        try await session.show(.doctor) { reply in
            guard case .findings(let findings) = reply else { return nil }
            guard !findings.forks.isEmpty else {
                return ["No messages go on in two branches. Whether people are found: parlance status"]
            }
            return findings.forks.map { fork in
                let whose = fork.author.me == true ? "Your" : "\(fork.author.shownName)'s"
                let firsts = fork.branches.map { String($0.first.prefix(12)) }.joined(separator: ", ")
                return VisibleText.line(
                    "\(fork.title): \(whose) messages of one device go on in \(fork.branches.count) branches after "
                        + "entry \(fork.after) (\(firsts)). All are kept and shown; the proof: parlance doctor --json"
                )
            }
        }
    }
}
