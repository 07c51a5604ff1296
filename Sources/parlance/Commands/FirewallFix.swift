import CProgramArguments
import ParlanceControl
import ParlanceWords

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// `parlance doctor --fix`: lets Parlance in through this computer's firewall, after a yes.
///
/// It shows the whole line, runs exactly that, and takes nothing for it from the daemon: what a peer says never gets near it.
struct FirewallFix {
    /// The words before the line, such as `sudo`; empty for root, `nil` if this computer has no program for that.
    private let leader: [String]?

    init() {
        guard geteuid() != 0 else {
            leader = []
            return
        }
        let (byPassword, byDesktop) = (Self.find("sudo"), Self.find("pkexec"))
        leader = (BrowserOpener.hasDesktop ? byDesktop ?? byPassword : byPassword ?? byDesktop).map { [$0] }
    }

    private static func find(_ name: String) -> String? {
        ["/usr/bin", "/bin"].map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
    }

    /// Refuses what is not a person at a terminal.
    static func check(json: Bool, who: String?) throws(ControlFailure) {
        func usage(_ message: Phrase, _ advice: Phrase) -> ControlFailure {
            ControlFailure(code: ControlFailure.usage, message: message, advice: advice)
        }
        guard who == nil else {
            throw usage(
                Phrase("--fix opens this computer's firewall and takes no WHO."),
                Phrase("Leave WHO out: parlance doctor --fix")
            )
        }
        guard !json else {
            throw usage(
                Phrase("--fix asks a person and cannot be given together with --json."),
                Phrase("Leave --json out.")
            )
        }
        guard Terminal.isInputTerminal, Terminal.isOutputTerminal else {
            throw ControlFailure(
                code: "noTerminal",
                message: "--fix asks for a yes, and there is no terminal to ask on.",
                advice: """
                    Give the command on a terminal. administration.md, "Ports and firewalls", has the rules for scripts.
                    """
            )
        }
    }

    /// - Parameter port: the port of this node.
    func run(port: Int, _ session: Session) async throws {
        let terminal = session.terminal
        guard let manager = FirewallManager.active(), let line = manager.opening() else {
            terminal.write(Self.byHand(port: port).map { say($0) })
            return
        }
        guard let leader else {
            throw ControlFailure(
                code: ControlFailure.usage,
                message: "Only root can change the firewall, and this computer has neither sudo nor pkexec.",
                advice: "As root: \(line)"
            )
        }
        let words = leader + ["/bin/sh", "-c", line]
        terminal.write([
            say("This computer's firewall is \(manager.rawValue)."),
            say("This line lets Parlance in from private networks, for good:"),
            "  " + words.map { ShellWord.quoted($0) }.joined(separator: " "),
        ])
        try Confirmation.ask(
            Phrase("The line changes the firewall of this computer."),
            command: "parlance doctor --fix"
        )
        guard let code = Self.run(words) else {
            throw ControlFailure(
                code: "failed",
                message: "\(words[0]) could not be started, or was ended.",
                advice: "Whether the rules are added, this shows: parlance doctor. By hand, as root: \(line)"
            )
        }
        guard code == 0 else {
            throw ControlFailure(
                code: "failed",
                message: "The firewall's program did not do it.",
                advice: "What it wrote above says why. The line can be given by hand, as root."
            )
        }
        let firewall = try await session.client.call(DoctorOperation(who: nil)).firewall
        if firewall == .closed { throw Self.stillClosed }
        terminal.write([
            firewall == .open
                ? say("The rules are added and in force: this computer's firewall lets Parlance in.")
                : say("The rules are added. To see whether they work: parlance doctor")
        ])
        if port < FirewallProfile.tcp.first || port > FirewallProfile.tcp.last {
            terminal.write([say("This node listens at port \(port), which is not among them: allow TCP \(port) too.")])
        }
    }

    /// The rules are there, and what they let in does not come in.
    private static let stillClosed = ControlFailure(
        code: "failed",
        message: "The rules are added, and this computer's firewall still drops what they let in.",
        advice: "A second firewall, or a rule before these, may drop it: sudo nft list ruleset"
    )

    /// What to allow where no manager is known, without guessing the rules of another one.
    private static func byHand(port: Int) -> [Phrase] {
        let (first, last) = FirewallProfile.tcp
        let networks = (FirewallProfile.ipv4 + FirewallProfile.ipv6).joined(separator: ", ")
        let ports = (first...last).contains(port) ? Phrase("TCP \(first) to \(last)") : Phrase("TCP \(port)")
        return [
            Phrase("Neither ufw nor firewalld is switched on here, so nothing was changed."),
            Phrase(
                """
                If another firewall is: let \(ports) and UDP \(FirewallProfile.udp) in from \(networks), and let multicast to \
                224.0.0.251 and ff02::fb in.
                """
            ),
        ]
    }

    /// Runs a program on this terminal and waits for it.
    ///
    /// - Returns: its exit code; `nil` if it could not be started or was killed.
    private static func run(_ words: [String]) -> Int32? {
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var process = pid_t()
        guard posix_spawn(&process, words[0], nil, nil, &arguments, parlance_environment()) == 0 else { return nil }
        var status: Int32 = 0
        while waitpid(process, &status, 0) < 0 { guard errno == EINTR else { return nil } }
        return status & 0x7f == 0 ? status >> 8 & 0xff : nil
    }
}
