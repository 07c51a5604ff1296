import ArgumentParser
import ParlanceControl
import ParlanceTerminal
import ParlanceTexts
import ParlanceWords

/// `parlance status`
struct StatusCommand: ShowingCommand {
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
        let head =
            "\(style(.strong, NameText.plain(status.name)))  \(style(presence.role, presence.text))\(text)\(away)"
        var lines = [head] + fields.lines
        let problems = ProblemText(status.problems, clock: session.clock, style: style)
        if !problems.hasProblem { lines.append(style(.good, say("No problems."))) }
        return lines + problems.shortLines
    }

    private var fields: FieldText {
        var fields = FieldText(style: session.style)
        fields.add(Phrase("peer ID"), PeerIDText.grouped(status.peerID))
        fields.add(Phrase("daemon"), daemon)
        let listening = status.listening.joined(separator: ", ")
        fields.add(Phrase("listens"), listening.isEmpty ? say("port \(status.port)") : listening)
        fields.add(Phrase("discovery"), discovery, status.discovery.state == .running ? .good : .warning)
        fields.add(Phrase("data"), status.dataPath)
        let identity = status.protected ? say("with a passphrase") : say("no passphrase (parlance passphrase set)")
        fields.add(Phrase("identity"), identity)
        fields.add(Phrase("workspace"), status.workspace ?? say("none", hint: "workspace"))
        fields.add(Phrase("peers"), peers)
        fields.add(Phrase("messages"), messages)
        return fields
    }

    private var daemon: String {
        let seconds = (session.clock.now.milliseconds - status.started.milliseconds) / 1000
        let time = DurationText.words(seconds)
        return status.profile.map {
            say("version \(status.version), process \(status.processID), up for \(time), profile \($0)")
        } ?? say("version \(status.version), process \(status.processID), up for \(time)")
    }

    private var discovery: String {
        let backend =
            switch status.discovery.backend {
            case .system: say("through the system's service")
            case .embedded: say("by the built-in responder")
            case .none: say("static addresses only")
            }
        if let looking = status.looking(at: session.clock.now) { return "\(say(looking)), \(backend)" }
        let message = status.discovery.message.map { ": " + say($0) } ?? ""
        return "\(say(status.discovery.state.words)), \(backend)\(message)"
    }

    private var peers: String {
        let counts = status.counts
        let ask =
            counts.requests == 1
            ? say("1 asks to talk (parlance requests)") : say("\(counts.requests) ask to talk (parlance requests)")
        let requests = counts.requests == 0 ? "" : ", " + ask
        let verified = counts.accepted == 0 ? "" : " " + say("(\(counts.verified) verified)")
        return say("\(counts.nearby) nearby, \(counts.connected) connected, \(counts.accepted) accepted")
            + verified + requests
    }

    private var messages: String {
        let counts = status.counts
        let waiting =
            counts.inOutbox == 0 ? say("nothing waits") : say("\(counts.inOutbox) in the outbox (parlance outbox)")
        return counts.conversations == 1
            ? say("\(counts.unread) unread, 1 conversation, \(waiting)")
            : say("\(counts.unread) unread, \(counts.conversations) conversations, \(waiting)")
    }
}
