import ArgumentParser
import ParlanceControl
import ParlanceTexts
import ParlanceWords

/// `parlance seen WHO`
struct SeenCommand: ShowingCommand {
    static let configuration = CommandConfiguration(
        commandName: "seen",
        abstract: "Show when somebody was here in the last week.",
        discussion: """
            For each day, the hours in which their computer had a link with yours, each as a whole, however short the \
            link was. Your node notes that for people whom you have accepted, keeps it for seven days and tells nobody. \
            'parlance forget' removes it.

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
            var table = TextTable(["DAY", "HOURS"], wrapsLast: true)
            for day in clock.day(reply.from)...max(clock.day(reply.from), clock.day(clock.now)) {
                let hours = reply.hours.filter { clock.day($0) == day }
                guard let first = hours.first else { continue }
                table.add([TextTable.Cell(clock.dayName(first)), TextTable.Cell(Self.text(hours, clock))])
            }
            return session.lines(table) + [
                "",
                say(
                    "A listed hour may be one short connection; in a missing hour this computer may have been off."
                ),
            ]
        }
    }

    private static let hour: Int64 = 3_600_000

    /// Hours of one day, as `09:00-12:00, 23:00-24:00`. Only the hour is known, also of the present one.
    static func text(_ hours: [ControlTime], _ clock: LocalClock) -> String {
        spans(hours).map { "\(clock.hourAndMinute($0))-\(end(of: $1, clock))" }.joined(separator: ", ")
    }

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

    private static func end(of last: ControlTime, _ clock: LocalClock) -> String {
        let end = clock.hourAndMinute(ControlTime(milliseconds: last.milliseconds + hour))
        return end == "00:00" ? "24:00" : end
    }
}
