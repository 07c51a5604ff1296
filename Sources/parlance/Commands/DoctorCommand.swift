import ArgumentParser
import ParlanceControl
import ParlanceWords

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

            --fix lets Parlance in through this computer's firewall (ufw or firewalld): it shows the line, asks, runs \
            it as root by sudo or polkit, and looks whether it works. Links (TCP 4747 to 4762) and mDNS (UDP 5353) are then let in from private \
            networks only. It works on a terminal only.

            Example: parlance doctor ada
                     parlance doctor --fix
            """
    )

    @Argument(
        help: "A name, an alias, or the first 8 or more characters of a peer ID; nobody: everything is looked at.",
        completion: Completions.person
    )
    var who: String?

    @Flag(help: "Let Parlance in through this computer's firewall, after a yes.")
    var fix = false

    @OptionGroup var options: Options

    func check() throws(ControlFailure) {
        if fix { try FirewallFix.check(json: options.json, who: who) }
    }

    var onlyShows: Bool { !fix }

    func run(_ session: Session) async throws {
        if fix {
            let status = try await session.client.call(StatusOperation())
            return try await FirewallFix().run(port: status.port, session)
        }
        // Peers that are asked to try the port of this node may take long to answer.
        if !session.json, Terminal.isOutputTerminal, Terminal.isErrorTerminal {
            Terminal.standardError.write([
                say("Looking at this computer and the network, and asking others. That can take 15 seconds.")
            ])
        }
        try await session.show(DoctorOperation(who: who)) { findings in
            return DoctorText(findings: findings, clock: session.clock, style: session.style).lines
        }
    }
}
