import ParlanceControl

/// Prints events as they come.
struct EventPrinter {
    let session: Session

    /// Prints until the daemon stops or the connection ends; an end that was not announced is an error.
    func follow(_ events: AsyncStream<ControlEvent>) async throws {
        for await event in events {
            print(event)
            switch event {
            case .stopping: return
            case .lagged:
                throw ControlFailure(
                    code: "lagged",
                    message: "Events came faster than they were read, and some are lost.",
                    advice: "Start 'parlance watch' again, and see 'parlance history' for what was missed."
                )
            default: continue
            }
        }
        throw ControlFailure.connectionLost
    }

    private func print(_ event: ControlEvent) {
        if session.json {
            guard let data = try? event.json() else { return }
            let line: JSON = .object([.init("type", .string(event.kind.rawValue)), .init("data", data)])
            return session.terminal.write([JSONWriter.text(line)])
        }
        let now = LocalClock.system()
        let style = session.style
        if case .message(let message) = event {
            let width = DisplayWidth.of(MessageLines.name(message))
            let lines = MessageLines(nameWidth: width, withGroup: true, clock: now, style: style)
            return session.terminal.write(lines.lines(message))
        }
        let text = VisibleText.line(EventText.sentence(event))
        session.terminal.write(["\(style(.faint, now.hourAndMinute(now.now)))  \(style(role(event), text))"])
    }

    private func role(_ event: ControlEvent) -> TextStyle.Role {
        switch event {
        case .request: .strong
        case .note, .group, .changed: .plain
        case .failed, .stopping, .lagged: .bad
        case .discovery(let discovery): discovery.state == .running ? .good : .warning
        default: .faint
        }
    }
}
