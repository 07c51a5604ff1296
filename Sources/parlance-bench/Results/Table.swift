import Foundation

/// The results for people: each value, its comparison, and whether its aim is met.
struct Table {
    let results: Results

    var text: String {
        var lines = [Self.line("measure", "here", "beside it", "ratio", "aim", "")]
        lines += Measure.all.compactMap(line)
        let costs = CostTable(results: results).lines
        if !costs.isEmpty { lines += [""] + costs }
        return lines.joined(separator: "\n")
    }

    /// The line of a measure; `nil` if it was not measured.
    private func line(_ measure: Measure) -> String? {
        guard let value = results[measure.name] else { return nil }
        let other = measure.beside.flatMap { results[$0.name] }
        if measure.needsOther, other == nil { return nil }
        var beside = ""
        if let other, let description = measure.beside {
            beside = "\(description.title) \(Self.number(other))\(description.unit)"
        }
        let divisor = measure.beside?.isDivisor == true ? other : nil
        let ratio = divisor.flatMap { $0 == 0 ? nil : value / $0 }
        let (aim, isMet) = Self.judge(measure.aim, value: value, ratio: ratio, unit: measure.unit)
        return Self.line(
            title(measure),
            Self.number(value) + measure.unit,
            beside,
            ratio.map { Self.number($0) + " x" } ?? "",
            aim,
            isMet.map { $0 ? "met" : "missed" } ?? ""
        )
    }

    /// The title, with names in braces replaced by values.
    private func title(_ measure: Measure) -> String {
        var title = ""
        for (index, piece) in measure.title.split(separator: "{", omittingEmptySubsequences: false).enumerated() {
            let parts = piece.split(separator: "}", maxSplits: 1, omittingEmptySubsequences: false)
            guard index > 0, parts.count == 2 else {
                title += piece
                continue
            }
            title += results[String(parts[0])].map(Self.number) ?? "?"
            title += parts[1]
        }
        return title
    }

    /// The aim in words, and whether it is met; `nil` if the other value was not measured.
    private static func judge(
        _ aim: Measure.Aim?,
        value: Double,
        ratio: Double?,
        unit: String
    ) -> (text: String, isMet: Bool?) {
        switch aim {
        case nil: ("", nil)
        case .below(let limit): ("under \(number(limit))\(unit)", value < limit)
        case .above(let limit): ("over \(number(limit))\(unit)", value > limit)
        case .timesBelow(let limit): ("under \(number(limit)) x", value < limit)
        case .timesAtMost(let limit): ("at most \(number(limit)) x", ratio.map { $0 <= limit })
        case .timesAtLeast(let limit): ("at least \(number(limit)) x", ratio.map { $0 >= limit })
        }
    }

    /// A number with separated thousands.
    static func number(_ value: Double) -> String {
        let text = Results.text(value)
        let whole = text.prefix { $0 != "." }
        guard whole.count > 4 else { return text }
        var result = ""
        for (index, digit) in whole.enumerated() {
            if index > 0, (whole.count - index).isMultiple(of: 3), result != "-" { result += "," }
            result.append(digit)
        }
        return result + text.dropFirst(whole.count)
    }

    private static func line(_ cells: String...) -> String {
        let widths = [44, -14, 20, -9, 18, 0]
        return row(zip(cells, widths).map { ($0, $1) })
    }

    /// Pads cells to their widths; a negative width aligns the text to the right.
    static func row(_ cells: [(text: String, width: Int)]) -> String {
        let padded = cells.map { cell in
            let gap = String(repeating: " ", count: max(0, abs(cell.width) - cell.text.count))
            return cell.width < 0 ? gap + cell.text : cell.text + gap
        }
        let line = padded.joined(separator: "  ")
        return String(line.reversed().drop { $0 == " " }.reversed())
    }
}
