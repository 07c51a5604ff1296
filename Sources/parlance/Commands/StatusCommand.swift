import ArgumentParser
import ParlanceControl

/// `parlance status`
struct StatusCommand: NodeCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show who you are, whether people are found, and what is wrong.",
        discussion: """
            Look here first when somebody is not found: it says how peers are looked for, whether that works, and \
            what to do if it does not.

            Example: parlance status
            """
    )

    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        try await session.show(StatusOperation()) { status in
            return StatusView(status: status, session: session).lines
        }
    }
}

/// The lines of `parlance status`.
private struct StatusView {
    let status: NodeStatus
    let session: Session

    var lines: [String] {
        let style = session.style
        let presence = session.presence(status.presence.state)
        let text = status.presence.text.map { " (\(VisibleText.line($0)))" } ?? ""
        let away =
            status.presence.away.map { ", " + style(.warning, AwayText(away: $0, clock: session.clock).short) } ?? ""
        var lines = [
            "\(style(.strong, VisibleText.line(status.name)))  \(style(presence.role, presence.text))\(text)\(away)",
            field("peer ID", PeerIDText.grouped(status.peerID)),
            field("daemon", daemon),
            field(
                "listens",
                status.listening.isEmpty ? "port \(status.port)" : status.listening.joined(separator: ", ")
            ),
            field("discovery", discovery, status.discovery.state == .running ? .good : .warning),
            field("data", status.dataPath),
            field("identity", status.protected ? "with a passphrase" : "no passphrase (parlance passphrase set)"),
            field("workspace", status.workspace ?? "none"),
            field("peers", peers),
            field("messages", messages),
        ]
        let problems = ProblemText(status.problems, clock: session.clock, style: style)
        if !problems.hasProblem { lines.append(style(.good, "No problems.")) }
        return lines + problems.shortLines
    }

    private func field(_ name: String, _ value: String, _ role: TextStyle.Role = .plain) -> String {
        "  \(session.style(.faint, DisplayWidth.pad(name, to: 11)))\(session.style(role, VisibleText.line(value)))"
    }

    private var daemon: String {
        let seconds = (session.clock.now.milliseconds - status.started.milliseconds) / 1000
        let profile = status.profile.map { ", profile \($0)" } ?? ""
        return
            "version \(status.version), process \(status.processID), up for \(DurationText.words(seconds))\(profile)"
    }

    private var discovery: String {
        let backend =
            switch status.discovery.backend {
            case .system: "through the system's service"
            case .embedded: "by the built-in responder"
            case .none: "static addresses only"
            }
        let message = status.discovery.message.map { ": \($0)" } ?? ""
        return "\(status.discovery.state.rawValue), \(backend)\(message)"
    }

    private var peers: String {
        let counts = status.counts
        let ask = counts.requests == 1 ? "asks" : "ask"
        let requests = counts.requests == 0 ? "" : ", \(counts.requests) \(ask) to talk (parlance requests)"
        let verified = counts.accepted == 0 ? "" : " (\(counts.verified) verified)"
        return
            "\(counts.nearby) nearby, \(counts.connected) connected, \(counts.accepted) accepted\(verified)\(requests)"
    }

    private var messages: String {
        let counts = status.counts
        let waiting = counts.outbox == 0 ? "nothing waits" : "\(counts.outbox) in the outbox (parlance outbox)"
        let conversations = CountText.words(counts.conversations, "conversation")
        return "\(counts.unread) unread, \(conversations), \(waiting)"
    }
}
