/// The stable name of a kind of event.
package struct ControlEventKind: Hashable, Codable, JSONWord, Sendable {
    package let rawValue: String

    /// The kind of that name; nil if there is none.
    package init?(rawValue: String) {
        guard ControlEvents.all.contains(where: { $0.kind.rawValue == rawValue }) else { return nil }
        self.rawValue = rawValue
    }

    /// Names the kind that a type of event defines.
    init(of name: String) {
        rawValue = name
    }

    package static var allCases: [ControlEventKind] { ControlEvents.all.map { $0.kind } }
}
