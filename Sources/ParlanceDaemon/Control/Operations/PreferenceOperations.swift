import ParlanceControl
import ParlanceCore
import ParlanceWire

// Operations on the user's own settings for conversations.

extension NodeOperations {
    static let preferences: [any NodeOperation.Type] = [
        PinOperation.self, UnpinOperation.self, MuteOperation.self, UnmuteOperation.self, RetainOperation.self,
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
        node.change(who, .mute(milliseconds: seconds.map(milliseconds)), reply)
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

/// A number that is too large stays too large.
private func milliseconds(_ seconds: Int) -> Int64 {
    let product = Int64(seconds).multipliedReportingOverflow(by: 1_000)
    return product.overflow ? Int64.max : product.partialValue
}

extension LocalControl {
    fileprivate func change(_ who: String, _ change: PreferenceChange, _ reply: @escaping Completion<PreferenceInfo>) {
        give(.setPreference(who: who, change), \.preference, reply) { [hub] in
            PreferenceInfo($0.conversation, $0.preference, hub)
        }
    }
}

extension PreferenceInfo {
    init(_ record: ConversationRecord, _ preference: Preference, _ hub: EventHub) {
        let now = WallClock.milliseconds()
        self.init(
            conversation: record.id.text,
            title: hub.title(of: record.id) ?? "",
            pinned: preference.isPinned,
            muted: preference.isMuted(at: now),
            mutedUntil: preference.muteEnd(at: now),
            retain: preference.retentionSeconds
        )
        if case .direct(let peer) = record.kind {
            title = hub.name(of: peer)
            trust = hub.trust(of: peer)
        }
    }
}

extension Preference {
    /// The age in seconds at which messages are removed; nil if they stay.
    var retentionSeconds: Int? { retention.map { Int($0 / 1_000) } }

    /// When the present mute ends; nil if there is none, or if it has no end.
    func muteEnd(at wall: Int64) -> ControlTime? {
        guard isMuted(at: wall), case .until(let end) = mute else { return nil }
        return ControlTime(milliseconds: end)
    }
}
