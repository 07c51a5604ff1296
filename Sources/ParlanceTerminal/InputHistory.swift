/// The texts that were written before, from which one can be taken again.
package struct InputHistory: Equatable, Sendable {
    private var texts: [String] = []
    /// While one is looked for: all of them as they were changed on the way, with the one that was being written last.
    private var changed: [String] = []
    private var place = 0

    /// Texts that are kept.
    private static let limit = 50

    package init() {}

    package mutating func add(_ text: String) {
        if texts.last != text { texts.append(text) }
        if texts.count > Self.limit { texts.removeFirst() }
        changed = []
    }

    /// The text before the one that is shown; nil if there is none.
    package mutating func older(than text: String) -> String? {
        if changed.isEmpty {
            guard !texts.isEmpty else { return nil }
            changed = texts + [text]
            place = texts.count
        }
        return move(-1, from: text)
    }

    /// The text behind the one that is shown; nil if the present one is shown.
    package mutating func newer(than text: String) -> String? {
        changed.isEmpty ? nil : move(1, from: text)
    }

    private mutating func move(_ step: Int, from text: String) -> String? {
        changed[place] = text
        guard changed.indices.contains(place + step) else { return nil }
        place += step
        return changed[place]
    }
}
