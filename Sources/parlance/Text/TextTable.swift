import ParlanceControl

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
    private var rows: [[Cell]] = []

    init(_ header: [String]) {
        self.header = header
    }

    mutating func add(_ row: [Cell]) {
        rows.append(row)
    }

    /// The lines, with a header. Columns without text are left out, and lines are cut to `width` columns.
    func lines(style: TextStyle, width: Int?) -> [String] {
        let columns = header.indices.filter { column in rows.contains { !$0[column].text.isEmpty } }
        let widths = columns.map { column in
            rows.reduce(DisplayWidth.of(header[column])) { max($0, DisplayWidth.of($1[column].text)) }
        }
        let top = columns.map { Cell(header[$0], .faint) }
        return ([top] + rows.map { row in columns.map { row[$0] } }).map { row in
            Self.line(row, widths: widths, style: style, limit: width)
        }
    }

    private static func line(_ cells: [Cell], widths: [Int], style: TextStyle, limit: Int?) -> String {
        var line = ""
        var used = 0
        for (index, (cell, width)) in zip(cells, widths).enumerated() {
            if index > 0 {
                line += "  "
                used += 2
            }
            let room = limit.map { max(1, $0 - used) } ?? Int.max
            let text = DisplayWidth.cut(cell.text, to: min(width, room))
            line += style(cell.role, text)
            used += width
            if index < cells.count - 1 { line += String(repeating: " ", count: max(0, width - DisplayWidth.of(text))) }
            if let limit, used + 2 >= limit { break }
        }
        while line.hasSuffix(" ") { line.removeLast() }
        return line
    }
}
