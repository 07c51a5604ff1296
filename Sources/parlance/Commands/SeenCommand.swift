import ArgumentParser
import ParlanceControl
import ParlanceWords

/// `parlance seen WHO`
struct SeenCommand: ShowingCommand {
    static let configuration = CommandConfiguration(
        commandName: "seen",
        abstract: "Show when somebody was here in the last week.",
        discussion: """
            For each day, the hours in which their computer had a link with yours. Your node notes that for people whom \
            you have accepted, keeps it for seven days and tells nobody. 'parlance forget' removes it.

            Example: parlance seen Bob
            """
    )

    @Argument(help: "A name, an alias or a peer ID.", completion: Completions.person)
    var who: String

    @OptionGroup var options: Options

    func run(_ session: Session) async throws {
        try await session.show(SeenOperation(who: who)) { reply in
            let name = VisibleText.line(reply.peer.shownName)
            guard !reply.hours.isEmpty else {
                return [say("\(name) was not here in the last seven days, as far as this computer saw.")]
            }
            let clock = session.clock
            var table = TextTable(["DAY", "HERE"], wrapsLast: true)
            for day in clock.day(reply.from)...max(clock.day(reply.from), clock.day(clock.now)) {
                let hours = reply.hours.filter { clock.day($0) == day }
                let text = Self.spans(hours).map { "\(clock.hourAndMinute($0))-\(Self.end(of: $1, clock))" }
                guard let first = hours.first else { continue }
                table.add([TextTable.Cell(clock.dayName(first)), TextTable.Cell(text.joined(separator: ", "))])
            }
            return session.lines(table) + [
                "", say("An hour without a link can also mean that this computer was off."),
            ]
        }
    }

    private static let hour: Int64 = 3_600_000

    /// The first and last hours of each row of hours without a gap.
    private static func spans(_ hours: [ControlTime]) -> [(ControlTime, ControlTime)] {
        hours.reduce(into: []) { spans, time in
            if let last = spans.last, last.1.milliseconds + hour == time.milliseconds {
                spans[spans.count - 1].1 = time
            } else {
                spans.append((time, time))
            }
        }
    }

    /// Of the present hour, what has passed.
    private static func end(of last: ControlTime, _ clock: LocalClock) -> String {
        let passed = max(last.milliseconds, min(last.milliseconds + hour, clock.now.milliseconds))
        let end = clock.hourAndMinute(ControlTime(milliseconds: passed))
        return end == "00:00" ? "24:00" : end
    }
}
