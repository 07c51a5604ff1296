import Foundation

/// The measured values by name. A name can have several values, of which the median counts.
struct Results {
    private var values: [String: [Double]] = [:]
    /// The names in the order of their first values.
    private var names: [String] = []

    /// Adds a value. In JSON, `attack_drip.p99_ms` becomes the member `p99_ms` of the object `attack_drip`.
    mutating func add(_ name: String, _ value: Double) {
        if values[name] == nil { names.append(name) }
        values[name, default: []].append(value)
    }

    /// Adds a value if there is one.
    mutating func add(_ name: String, _ value: Double?) {
        if let value { add(name, value) }
    }

    /// The median of the values; `nil` if there are none.
    subscript(name: String) -> Double? { values[name].map { $0.sorted().median } }

    /// All medians as one JSON object.
    var json: String {
        var members: [(name: String, text: String)] = []
        var places: [String: Int] = [:]
        for name in names {
            guard let value = self[name] else { continue }
            let path = name.split(separator: ".", maxSplits: 1).map(String.init)
            let member = "\"\(path[path.count - 1])\":\(Self.text(value))"
            if path.count == 1 {
                members.append((name, member))
            } else if let place = places[path[0]] {
                members[place].text += ",\(member)"
            } else {
                places[path[0]] = members.count
                members.append((path[0], member))
            }
        }
        let texts = members.map { places[$0.name] == nil ? $0.text : "\"\($0.name)\":{\($0.text)}" }
        return "{\(texts.joined(separator: ","))}"
    }

    /// A number with four significant digits; all integer digits if it has more.
    static func text(_ value: Double) -> String {
        guard value.isFinite else { return "null" }
        guard value != 0 else { return "0" }
        let places = max(0, 3 - Int(log10(abs(value)).rounded(.down)))
        let text = String(format: "%.\(places)f", value)
        guard text.contains(".") else { return text }
        let end = text.lastIndex { $0 != "0" } ?? text.startIndex
        return String(text[end] == "." ? text[..<end] : text[...end])
    }
}
