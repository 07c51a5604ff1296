import ParlanceControl
import ParlanceWords

/// Whether a conversation is pinned or muted, in words.
enum PreferenceText {
    /// `pinned, muted until 18:00`; empty if it is neither.
    static func words(pinned: Bool, muted: Bool, until end: ControlTime?, _ clock: LocalClock) -> String {
        let mute = end.map { say("muted until \(clock.short($0))") } ?? say("muted")
        return [pinned ? say("pinned") : nil, muted ? mute : nil].compactMap { $0 }.joined(separator: ", ")
    }
}

extension PreferenceInfo {
    var shownTitle: String { NameText.marked(title, trust) }
}
