import ParlanceControl
import ParlanceCore
import ParlanceRecords
import ParlanceWire
import ParlanceWords

// Operations on the user's own settings for conversations, and on how long messages stay for everybody.

extension NodeOperations {
    static let preferences: [any NodeOperation.Type] = [
        PinOperation.self, UnpinOperation.self, MuteOperation.self, UnmuteOperation.self, RetainOperation.self,
        DisappearOperation.self,
    ]
}

extension PinOperation: NodeOperation {
    func perform(on node: LocalControl, reply: @escaping LocalControl.Completion<PreferenceInfo>) {
        node.change(who, .pin(true), reply)
    }
}

extension UnpinOperation: NodeOperation {
    func perform(on node: LocalControl, reply: @escaping LocalControl.Completion<PreferenceInfo>) {
        node.change(who, .pin(false), reply)
    }
}

extension MuteOperation: NodeOperation {
    func perform(on node: LocalControl, reply: @escaping LocalControl.Completion<PreferenceInfo>) {
        guard let daily else { return node.change(who, .mute(milliseconds: seconds.map(milliseconds)), reply) }
        guard seconds == nil, let hours = QuietHours(daily), let part = DayPart(start: hours.start, end: hours.end)
        else {
            let fault = Phrase("'\(daily)' is not a part of a day.")
            let advice = Phrase("Write two times, such as 22:00-07:00; and no length beside it.")
            return reply(.failure(ControlError(.invalidValue, fault, advice: advice)))
        }
        node.change(who, .quiet(part), reply)
    }
}

extension UnmuteOperation: NodeOperation {
    func perform(on node: LocalControl, reply: @escaping LocalControl.Completion<PreferenceInfo>) {
        node.change(who, .unmute, reply)
    }
}

extension RetainOperation: NodeOperation {
    func perform(on node: LocalControl, reply: @escaping LocalControl.Completion<PreferenceInfo>) {
        node.change(who, .retain(milliseconds: seconds.map(milliseconds)), reply)
    }
}

extension DisappearOperation: NodeOperation {
    func perform(on node: LocalControl, reply: @escaping LocalControl.Completion<ConversationInfo>) {
        guard let seconds else { return node.show(who, reply) }
        // A negative number is refused as one that is too large is.
        let length = UInt64(exactly: seconds) ?? .max
        node.ask(.setLifetime(who: who, seconds: length), \.done, reply) { node.show(who, reply) }
    }
}

/// A number that is too large stays too large.
private func milliseconds(_ seconds: Int) -> Int64 {
    let product = Int64(seconds).multipliedReportingOverflow(by: 1_000)
    return product.overflow ? Int64.max : product.partialValue
}

extension LocalControl {
    fileprivate func show(_ who: String, _ reply: @escaping Completion<ConversationInfo>) {
        give(.findConversation(who: who), \.place, reply) { [self] in conversation($0, nil) }
    }

    func change(_ who: String, _ change: PreferenceChange, _ reply: @escaping Completion<PreferenceInfo>) {
        give(.setPreference(who: who, change), \.preference, reply) { [hub] in
            PreferenceInfo($0.conversation, $0.preference, hub)
        }
    }
}

extension PreferenceInfo {
    init(_ record: ConversationRecord, _ preference: Preference, _ hub: EventHub) {
        let now = LocalClock.system()
        self.init(
            conversation: record.id.text,
            title: hub.title(of: record.id) ?? "",
            pinned: preference.isPinned,
            muted: preference.isQuiet(at: now),
            mutedUntil: preference.muteEnd(at: now.now.milliseconds),
            quiet: preference.quietHours,
            retain: preference.retentionSeconds,
            hidden: preference.unlisted == nil ? nil : true
        )
        if case .direct(let peer) = record.kind {
            title = hub.name(of: peer)
            trust = hub.trust(of: peer)
        }
    }
}

extension Preference {
    /// Whether the conversation draws no attention now.
    func isQuiet(at clock: LocalClock) -> Bool {
        isQuiet(at: clock.now.milliseconds, minute: clock.minute(clock.now))
    }

    /// `22:00-07:00`
    var quietHours: String? { quiet.map { QuietHours(start: $0.start, end: $0.end).text } }

    /// The age in seconds at which messages are removed; nil if they stay.
    var retentionSeconds: Int? { retention.map { Int($0 / 1_000) } }

    /// When the present mute ends; nil if there is none, or if it has no end.
    func muteEnd(at wall: Int64) -> ControlTime? {
        guard isMuted(at: wall), case .until(let end) = mute else { return nil }
        return ControlTime(milliseconds: end)
    }
}
