/// The texts that were written before, from which one can be taken again.
package struct InputHistory: Equatable, Sendable {
    private var texts: [String] = []
    /// The text that is shown; nil for the one that is being written.
    private var place: Int?
    /// What was being written when the way back began.
    private var draft = ""

    /// Texts that are kept.
    private static let limit = 200

    package init() {}

    package mutating func add(_ text: String) {
        if texts.last != text { texts.append(text) }
        if texts.count > Self.limit { texts.removeFirst() }
        place = nil
    }

    /// The text before the one that is shown; nil if there is none.
    package mutating func older(than text: String) -> String? {
        if place == nil { draft = text }
        let next = (place ?? texts.count) - 1
        guard texts.indices.contains(next) else { return nil }
        place = next
        return texts[next]
    }

    /// The text behind the one that is shown; nil if the present one is shown.
    package mutating func newer() -> String? {
        guard let shown = place else { return nil }
        place = shown + 1 < texts.count ? shown + 1 : nil
        return place.map { texts[$0] } ?? draft
    }
}
