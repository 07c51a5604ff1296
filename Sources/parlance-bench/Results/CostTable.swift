/// The cost of a message and of a batch to each daemon: processor time, context switches and writes.
struct CostTable {
    /// Ways of sending: the prefix of their values' names, and their title.
    private static let ways = [
        (name: "alone", title: "one message at a time"), (name: "stream", title: "a stream of messages"),
        (name: "caught_up", title: "catching up"),
    ]
    private static let columns = [
        (name: "processor_us", title: "processor", unit: " us"), (name: "switches", title: "switches", unit: ""),
        (name: "write_calls", title: "writes", unit: ""), (name: "write_call_bytes", title: "bytes given", unit: " B"),
        (name: "disk_bytes", title: "bytes to disk", unit: " B"),
    ]

    let results: Results

    /// The lines; none if no cost was measured.
    var lines: [String] {
        let rows = Self.ways.flatMap(lines)
        guard !rows.isEmpty else { return [] }
        return [Self.row("cost", Self.columns.map(\.title))] + rows
    }

    private func lines(_ way: (name: String, title: String)) -> [String] {
        ["sender", "receiver"].flatMap { who -> [String] in
            let values = Self.columns.map { results["\(way.name)_\(who)_\($0.name)"] }
            guard values.contains(where: { $0 != nil }) else { return [] }
            var lines = [row("\(way.title), a message: \(who)", values)]
            if let batch = results["\(way.name)_messages_per_batch"], batch > 1 {
                let title = "  a batch of \(Table.number(batch.rounded()))"
                lines.append(row(title, values.map { $0.map { $0 * batch } }))
            }
            return lines
        } + client(way)
    }

    /// The processor time of the bench itself, on the same processors.
    private func client(_ way: (name: String, title: String)) -> [String] {
        guard let value = results["\(way.name)_client_processor_us"] else { return [] }
        return [row("\(way.title), a message: the bench", [value])]
    }

    private func row(_ title: String, _ values: [Double?]) -> String {
        let cells = zip(values, Self.columns).map { value, column in
            value.map { Table.number($0) + column.unit } ?? ""
        }
        return Self.row(title, cells)
    }

    private static func row(_ title: String, _ cells: [String]) -> String {
        Table.row([(title, 44)] + cells.map { ($0, -14) })
    }
}
