import ArgumentParser
import ParlanceControl

/// `parlance doctor`
struct DoctorCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Say why somebody is not found or not reached, and what to do.",
        discussion: """
            It looks at the network, mDNS, the own port (a connected peer is asked to try it), workspaces, clocks, the disk, \
            and at what failed when people were last tried. With WHO it tells of every way to that person.

            It also shows messages of one device that go on in two branches. That happens when a backup is restored or a \
            folder copied without the daemon noticing, or if somebody cheats. Nothing is lost: both branches are kept and \
            shown. With --json each branch comes with its proof.

            Example: parlance doctor ada
            """
    )

    @Argument(
        help: "A name, an alias, or the first 8 or more characters of a peer ID; nobody: everything is looked at."
    )
    var who: String?

    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        try await session.show(DoctorOperation(who: who)) { findings in
            return DoctorText(findings: findings, clock: session.clock, style: session.style).lines
        }
    }
}
