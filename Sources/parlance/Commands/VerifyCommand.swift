import ArgumentParser
import ParlanceControl
import ParlanceTexts
import ParlanceWords

/// `parlance verify WHO`
struct VerifyCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check who somebody is, by comparing safety numbers.",
        discussion: """
            Both of you run this, and compare the 60 digits side by side or by telephone. If all are equal, nobody is \
            between you. Or scan the QR code on the other's screen, and give its text to --scanned. The names of verified \
            people have a \(NameText.mark).

            Examples: parlance verify Bob
                      parlance verify Bob --confirm
                      parlance verify Bob --scanned PARLANCE:1:...
            """
    )

    @Argument(help: "A name, an alias or a peer ID.", completion: Completions.person)
    var who: String

    @Flag(help: "You have compared the numbers and they are equal: mark this person as verified.")
    var confirm = false

    @Flag(help: "This person is no longer verified.")
    var unconfirm = false

    @Option(help: ArgumentHelp("The text of the QR code on their screen.", valueName: "text"))
    var scanned: String?

    @OptionGroup var options: Options

    var onlyShows: Bool { !confirm && !unconfirm && scanned == nil }

    func validate() throws {
        guard [confirm, unconfirm, scanned != nil].filter({ $0 }).count <= 1 else {
            throw ValidationError(say("Give one of --confirm, --unconfirm and --scanned."))
        }
    }

    func run(_ session: Session) async throws {
        let word: Bool? = confirm ? true : unconfirm ? false : nil
        try await session.show(VerifyOperation(who: who, scanned: scanned, confirm: word)) { info in
            return confirm || unconfirm || scanned != nil ? [outcome(info)] : lines(info, session)
        }
    }

    private func outcome(_ info: VerificationInfo) -> String {
        let name = VisibleText.line(info.peer.shownName)
        return info.peer.trust == .verified ? say("\(name) is verified.") : say("\(name) is no longer verified.")
    }

    private func lines(_ info: VerificationInfo, _ session: Session) -> [String] {
        let style = session.style
        let name = VisibleText.line(info.peer.shownName)
        let groups = info.number.split(separator: " ")
        var lines = [
            say("Peer ID of \(style(.name, name)): \(PeerIDText.grouped(VisibleText.line(info.peer.id)))"), "",
        ]
        lines += session.qrCode(for: info.code)
        lines += [style(.faint, VisibleText.line(info.code)), "", say("Safety number:"), ""]
        for start in stride(from: 0, to: groups.count, by: 4) {
            let row = groups[start..<min(start + 4, groups.count)].joined(separator: "  ")
            lines.append("    " + style(.strong, VisibleText.line(row)))
        }
        lines.append("")
        if let warning = info.peer.warning {
            lines.append(style(.warning, say("Warning: \(VisibleText.line(say(warning)))")))
        }
        return lines + advice(info, name)
    }

    private func advice(_ info: VerificationInfo, _ name: String) -> [String] {
        func command(_ option: String) -> String { ShellWord.command("parlance verify", [who], options: [option]) }
        switch info.peer.trust {
        case .verified: return [say("\(name) is verified. To take that back: \(command("--unconfirm"))")]
        case .unknown, .blocked: return [say("\(name) is not accepted, so you cannot mark them as verified yet.")]
        case .accepted:
            return [
                say("\(name) is not verified: trust on first use."),
                say(
                    "Compare this number with the one on their screen, side by side or by telephone, not in a message."
                ),
                say("If they are equal: \(command("--confirm"))"),
                say("Or scan the code on their screen: \(command("--scanned TEXT"))"),
            ]
        }
    }
}
