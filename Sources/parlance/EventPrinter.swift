import ParlanceControl

/// Prints events as they come.
struct EventPrinter {
    let session: Session

    /// Prints until the daemon stops or the connection ends; an unannounced end is an error.
    func follow(_ events: AsyncStream<any ControlEvent>) async throws {
        for await event in events {
            print(event)
            if event is StoppingEvent { return }
            guard event is LaggedEvent else { continue }
            throw ControlFailure(
                code: "lagged",
                message: "Events came faster than they were read, and some were lost.",
                advice: "Start 'parlance watch' again, and see 'parlance history' for what was missed."
            )
        }
        throw ControlFailure.connectionLost
    }

    private func print(_ event: any ControlEvent) {
        if session.json {
            guard let data = try? JSONValueEncoder.encode(event) else { return }
            let line: JSON = .object([.init("type", .string(event.kind.rawValue)), .init("data", data)])
            return session.terminal.write([JSONWriter.text(line)])
        }
        let now = LocalClock.system()
        let style = session.style
        if let event = event as? MessageEvent {
            let width = DisplayWidth.of(MessageLines.name(event.message))
            let lines = MessageLines(nameWidth: width, withGroup: true, clock: now, style: style)
            return session.terminal.write(lines.lines(event.message))
        }
        let text = VisibleText.line(EventText.sentence(event))
        session.terminal.write(["\(style(.faint, now.hourAndMinute(now.now)))  \(style(EventText.role(event), text))"])
    }
}
