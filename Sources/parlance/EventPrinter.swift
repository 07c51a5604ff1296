import ParlanceControl
import ParlanceTerminal
import ParlanceWords

/// Prints events as they come.
struct EventPrinter {
    let session: Session
    /// Whether the events of peers come too, which say who is connected.
    var hasPeers = true

    /// Prints until the daemon stops or the connection ends; an unannounced end is an error.
    func follow(_ events: AsyncStream<any ControlEvent>) async throws {
        var told = ToldPeers()
        for await event in events {
            // Programs get every event.
            if !session.json, hasPeers {
                if let peer = event as? PeerInfo, !told.isNews(peer) { continue }
                if let presence = event as? PresenceEvent, !told.isNews(presence) { continue }
            }
            guard print(event) else { throw Self.lost }
            if event is StoppingEvent { return }
            if event is LaggedEvent { throw Self.lost }
        }
        throw session.client.failure ?? .connectionLost
    }

    private static let lost = ControlFailure(
        code: "lagged",
        message: "Events came faster than they were read, and some were lost.",
        advice: "Start this command again, and see 'parlance history' for what was missed."
    )

    /// - Returns: false if the event cannot be written as JSON.
    private func print(_ event: any ControlEvent) -> Bool {
        guard session.json else {
            tell(event)
            return true
        }
        guard let data = try? JSONValueEncoder.encode(event) else { return false }
        let line: JSON = .object([.init("type", .string(event.kind.rawValue)), .init("data", data)])
        session.terminal.write([JSONWriter.text(line)])
        return true
    }

    private func tell(_ event: any ControlEvent) {
        // Programs can follow the bytes of files; a person would see nothing else.
        if let event = event as? FileEvent, event.state == .fetching, event.bytes > 0 { return }
        if let event = event as? UploadEvent, event.why == nil { return }
        let now = LocalClock.system()
        let style = session.style
        if let event = event as? MessageEvent {
            // Nobody is told of a muted conversation.
            guard event.message.muted != true else { return }
            let width = DisplayWidth.of(MessageLines.name(event.message))
            let lines = MessageLines(
                nameWidth: width,
                withID: true,
                withGroup: true,
                clock: now,
                style: style,
                width: session.terminal.width
            )
            return session.terminal.write(lines.lines(event.message))
        }
        tell(VisibleText.line(EventText.sentence(event)), EventText.role(event))
    }

    /// Prints a sentence, with the time before it, wrapped at words.
    func tell(_ text: String, _ role: TextStyle.Role) {
        let now = LocalClock.system()
        let style = session.style
        let time = now.hourAndMinute(now.now)
        let indent = time.count + 2
        let pieces = session.terminal.width.map { WordWrap.lines(text, width: max(1, $0 - indent)) } ?? [text]
        session.terminal.write(
            pieces.enumerated().map { index, piece in
                let start = index == 0 ? style(.faint, time) + "  " : String(repeating: " ", count: indent)
                return start + style(role, piece)
            }
        )
    }
}
