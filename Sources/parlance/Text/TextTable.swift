import ParlanceTerminal
import ParlanceWords

/// Rows of aligned columns.
struct TextTable {
    /// One cell: its text, already escaped, and its style.
    struct Cell: ExpressibleByStringInterpolation, Sendable {
        let text: String
        let role: TextStyle.Role

        init(_ text: String, _ role: TextStyle.Role = .plain) {
            self.text = VisibleText.line(text)
            self.role = role
        }

        init(stringLiteral value: String) {
            self.init(value)
        }
    }

    private let header: [String]
    /// Whether the last column is wrapped if it does not fit, rather than cut.
    private let wrapsLast: Bool
    private var rows: [[Cell]] = []

    init(_ header: [Phrase], wrapsLast: Bool = false) {
        self.header = say(header)
        self.wrapsLast = wrapsLast
    }

    mutating func add(_ row: [Cell]) {
        rows.append(row)
    }

    /// The columns by which a wrapped last cell is indented under its row.
    private static let indent = 4
    /// The least columns in which the last cell is wrapped beside its row; with less room it stands under the row.
    private static let leastRoom = 30
    /// The columns that a cell keeps when a table is made narrower.
    private static let leastColumn = 12
    /// The columns that most names need: wider ones give way to a last column that would be cut.
    private static let usualColumn = 24

    /// The lines, with a header. Columns without text are left out, and lines are cut or wrapped to `width` columns.
    func lines(style: TextStyle, width: Int?) -> [String] {
        let columns = header.indices.filter { column in rows.contains { !$0[column].text.isEmpty } }
        let whole = columns.map { column in
            rows.reduce(DisplayWidth.of(header[column])) { max($0, DisplayWidth.of($1[column].text)) }
        }
        let widths = width.map { narrowed(whole, to: $0) } ?? whole
        let top = columns.map { Cell(header[$0], .faint) }
        let cells = [top] + rows.map { row in columns.map { row[$0] } }
        let before = widths.dropLast().reduce(0) { $0 + $1 + 2 }
        guard let width, wrapsLast, before > 0, before + (widths.last ?? 0) > width else {
            return cells.map { Self.line($0, widths: widths, style: style, limit: width) }
        }
        return cells.enumerated().flatMap { number, row in
            Self.wrapped(row, widths: widths, before: before, style: style, limit: width, isHeader: number == 0)
        }
    }

    /// The widths with the widest columns before the last made narrower, so that a long name does not hide the columns
    /// behind it.
    private func narrowed(_ widths: [Int], to limit: Int) -> [Int] {
        let last = widths.suffix(1)
        var widths = Array(widths.dropLast())
        // A last column that is wrapped stands under its row, unless it is short and long names can make room for it.
        let ending = last.first ?? 0
        let least = widths.reduce(2 * widths.count + ending) { $0 + min($1, Self.leastColumn) }
        let isBeside = ending <= Self.leastRoom && least <= limit
        let kept = wrapsLast ? (isBeside ? ending + 2 : 0) : min(ending, Self.leastColumn) + 2
        func narrow(for kept: Int, least: Int) {
            let room = limit - kept
            while widths.reduce(2 * (widths.count - 1), +) > room, let most = widths.max(), most > least {
                if let widest = widths.firstIndex(of: most) { widths[widest] -= 1 }
            }
        }
        if !wrapsLast { narrow(for: ending + 2, least: Self.usualColumn) }
        narrow(for: kept, least: Self.leastColumn)
        return widths + last
    }

    /// A row whose last cell is wrapped: beside the other cells if there is room for it, otherwise under them.
    private static func wrapped(
        _ cells: [Cell],
        widths: [Int],
        before: Int,
        style: TextStyle,
        limit: Int,
        isHeader: Bool
    ) -> [String] {
        guard let last = cells.last else { return [] }
        let isBeside = limit - before >= leastRoom
        let start = isBeside ? before : indent
        func others(_ style: TextStyle) -> String {
            line(Array(cells.dropLast()), widths: Array(widths.dropLast()), style: style, limit: limit)
        }
        let head = others(style)
        if !isBeside && isHeader { return [head] }
        let pieces = WordWrap.lines(last.text, width: max(1, limit - start))
        var lines = pieces.filter { !$0.isEmpty }.map {
            String(repeating: " ", count: start) + style(last.role, $0)
        }
        guard isBeside, let first = pieces.first, !first.isEmpty else { return [head] + lines }
        let plain = others(TextStyle(isColoured: false))
        lines[0] = head + style.gap(after: plain, to: before) + style(last.role, first)
        return lines
    }

    private static func line(_ cells: [Cell], widths: [Int], style: TextStyle, limit: Int?) -> String {
        var line = ""
        var used = 0
        for (index, (cell, width)) in zip(cells, widths).enumerated() {
            let room = limit.map { max(1, $0 - used) } ?? Int.max
            let text = DisplayWidth.cut(cell.text, to: min(width, room))
            line += style(cell.role, text)
            let isLast = index == cells.count - 1 || limit.map { used + width + 2 >= $0 } == true
            if isLast { break }
            line += style.gap(after: text, from: used, to: used + width + 2)
            used += width + 2
        }
        while line.hasSuffix(" ") { line.removeLast() }
        return line
    }
}
