import ParlanceControl
import ParlanceCore
import ParlanceErrorCode
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
    func perform(on node: LocalControl) async throws(ControlError) -> PreferenceInfo {
        try await node.change(who, .pin(true))
    }
}

extension UnpinOperation: NodeOperation {
    func perform(on node: LocalControl) async throws(ControlError) -> PreferenceInfo {
        try await node.change(who, .pin(false))
    }
}

extension MuteOperation: NodeOperation {
    func perform(on node: LocalControl) async throws(ControlError) -> PreferenceInfo {
        guard let daily else {
            return try await node.change(who, .mute(milliseconds: seconds.map(milliseconds)))
        }
        guard seconds == nil, let hours = QuietHours(daily), let part = DayPart(start: hours.start, end: hours.end)
        else {
            let fault = Phrase("\"\(daily.withoutControlCharacters)\" is not a part of a day.")
            let advice = Phrase("Write two different times, such as 22:00-07:00, and no length with them.")
            throw ControlError(.invalidValue, fault, advice: advice)
        }
        return try await node.change(who, .quiet(part))
    }
}

extension UnmuteOperation: NodeOperation {
    func perform(on node: LocalControl) async throws(ControlError) -> PreferenceInfo {
        try await node.change(who, .unmute)
    }
}

extension RetainOperation: NodeOperation {
    func perform(on node: LocalControl) async throws(ControlError) -> PreferenceInfo {
        try await node.change(who, .retain(milliseconds: seconds.map(milliseconds)))
    }
}

extension DisappearOperation: NodeOperation {
    func perform(on node: LocalControl) async throws(ControlError) -> ConversationInfo {
        if let seconds {
            // A negative number is refused as one that is too large is.
            try await node.ask(.setLifetime(who: who, seconds: UInt64(exactly: seconds) ?? .max), \.done)
        }
        let place = try await node.ask(.findConversation(who: who), \.place)
        return node.conversation(place, nil, MessageTeller(hub: node.hub, place: place))
    }
}

/// A number that is too large stays too large.
private func milliseconds(_ seconds: Int) -> Int64 {
    let product = Int64(seconds).multipliedReportingOverflow(by: 1_000)
    return product.overflow ? Int64.max : product.partialValue
}

extension LocalControl {
    func change(_ who: String, _ change: PreferenceChange) async throws(ControlError) -> PreferenceInfo {
        let (conversation, preference) = try await ask(.setPreference(who: who, change), \.preference)
        return PreferenceInfo(conversation, preference, hub)
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
