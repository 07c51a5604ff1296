import ParlanceControl
import ParlanceTexts
import ParlanceWords

/// The settings of a conversation, in words.
enum PreferenceText {
    /// `pinned, muted until 18:00, keeps 90 days`; empty if they are those of a new conversation.
    ///
    /// - Parameters:
    ///   - quiet: the part of each day in which it is muted.
    ///   - retain: the seconds for which messages are kept; nil without an end.
    ///   - disappear: for how long they stay for everybody.
    static func words(
        pinned: Bool,
        muted: Bool,
        until end: ControlTime?,
        quiet: String?,
        retain: Int?,
        hidden: Bool = false,
        disappear: DisappearInfo? = nil,
        _ clock: LocalClock
    ) -> String {
        let mute = end.map { say("muted until \(clock.short($0))") } ?? say("muted")
        let daily = quiet.map { say("quiet at \($0)") }
        let kept = retain.map { say("keeps \(PeriodText.words(seconds: $0))") }
        let shown = muted && quiet == nil || end != nil ? mute : nil
        return [
            hidden ? say("hidden") : nil, pinned ? say("pinned") : nil, shown, daily, kept,
            DisappearText.words(disappear),
        ].compactMap(\.self)
            .joined(separator: ", ")
    }
}

extension PreferenceInfo {
    var shownTitle: String { NameText.marked(title, trust) }
}
