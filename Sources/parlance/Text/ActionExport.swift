import ParlanceControl
import ParlanceWords

/// Actions for other programs: as a calendar's tasks (iCalendar, RFC 5545) or as a table (CSV, RFC 4180).
enum ActionExport {
    /// The lines of a calendar, without their line breaks. Deadlines are times of day wherever the calendar is read.
    ///
    /// - Parameter now: when it was made.
    static func calendar(_ actions: [ActionInfo], now: ControlTime) -> [String] {
        let tasks = actions.flatMap { action in
            var lines = [
                "BEGIN:VTODO", "UID:\(escaped(action.id))@parlance", "DTSTAMP:\(stamp(now))",
                "CREATED:\(stamp(action.source.time))", "SUMMARY:\(escaped(VisibleText.line(action.task)))",
                "DESCRIPTION:\(escaped(origin(action.source)))",
                "STATUS:\(status(action.done))", "PRIORITY:\(priority(action.priority))",
            ]
            if let deadline = action.deadline { lines.append(due(deadline)) }
            if let assignee = action.assignee { lines.append("CONTACT:\(escaped(name(assignee)))") }
            return lines + ["END:VTODO"]
        }
        let head = ["BEGIN:VCALENDAR", "VERSION:2.0", "PRODID:-//Parlance//Actions//EN"]
        return (head + tasks + ["END:VCALENDAR"]).flatMap(folded)
    }

    /// A table with a head, a line for each action.
    static func table(_ actions: [ActionInfo]) -> [String] {
        let head = ["id", "task", "assignee", "deadline", "priority", "done", "conversation", "sender", "time", "text"]
        let rows = actions.map { action in
            [
                action.id, VisibleText.line(action.task), name(action.assignee ?? ""), action.deadline ?? "",
                action.priority.rawValue,
                action.done ? "yes" : "no", name(action.source.title), name(action.source.sender.displayName),
                action.source.time.description, VisibleText.line(action.source.excerpt),
            ]
        }
        return ([head] + rows).map { $0.map(field).joined(separator: ",") }
    }

    /// Who said it, where, and the text.
    private static func origin(_ source: AssistantSource) -> String {
        let sender = name(source.sender.displayName)
        let title = name(source.title)
        return "\(title == sender ? sender : "\(title), \(sender)"): \(VisibleText.line(source.excerpt))"
    }

    private static func name(_ name: String) -> String { VisibleText.line(NameText.plain(name)) }

    private static func status(_ isDone: Bool) -> String { isDone ? "COMPLETED" : "NEEDS-ACTION" }

    /// The most bytes of a line (RFC 5545, 3.1).
    private static let lineBytes = 75

    /// A line in pieces; each further one begins with a space. No character is cut.
    private static func folded(_ line: String) -> [String] {
        var pieces: [String] = []
        var piece = ""
        for scalar in line.unicodeScalars {
            if piece.utf8.count + UTF8.width(scalar) > lineBytes {
                pieces.append(piece)
                piece = " "
            }
            piece.unicodeScalars.append(scalar)
        }
        return pieces + [piece]
    }

    /// A text within a line (RFC 5545, 3.3.11). Signs that steer are visible in it already.
    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing(";", with: "\\;").replacing(",", with: "\\,")
    }

    private static func stamp(_ time: ControlTime) -> String {
        String(time.description.prefix(19).filter { $0 != "-" && $0 != ":" }) + "Z"
    }

    private static func due(_ deadline: String) -> String {
        let digits = deadline.filter { $0 != "-" && $0 != ":" }
        return digits.contains("T") ? "DUE:\(escaped(digits))00" : "DUE;VALUE=DATE:\(escaped(digits))"
    }

    private static func priority(_ urgency: Urgency) -> Int {
        switch urgency {
        case .high: 1
        case .normal: 5
        case .low: 9
        }
    }

    /// A field of a table. What a spreadsheet would take as a formula gets an apostrophe.
    private static func field(_ text: String) -> String {
        let isFormula = text.first.map { "=+-@\t\r".contains($0) } ?? false
        let safe = isFormula ? "'" + text : text
        guard safe.contains(where: { $0 == "," || $0 == "\"" || $0.isNewline }) else { return safe }
        return "\"" + safe.replacing("\"", with: "\"\"") + "\""
    }
}

extension UTF8 {
    fileprivate static func width(_ scalar: Unicode.Scalar) -> Int { String(scalar).utf8.count }
}
