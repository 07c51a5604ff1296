import ParlanceControl
import ParlanceCore
import ParlanceWire
import ParlanceWords

// Operations on the user's own settings for conversations.

extension NodeOperations {
    static let preferences: [any NodeOperation.Type] = [
        PinOperation.self, UnpinOperation.self, MuteOperation.self, UnmuteOperation.self,
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
        let longest = Int(Limits.muteMilliseconds / 1_000)
        if let seconds, !(1...longest).contains(seconds) { return reply(.failure(.muteLength)) }
        node.change(who, .mute(milliseconds: seconds.map { Int64($0) * 1_000 }), reply)
    }
}

extension UnmuteOperation: NodeOperation {
    func perform(on node: LocalControl, reply: @escaping LocalControl.Completion<PreferenceInfo>) {
        node.change(who, .unmute, reply)
    }
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
            mutedUntil: preference.muteEnd(at: now)
        )
        if case .direct(let peer) = record.kind {
            title = hub.name(of: peer)
            trust = hub.trust(of: peer)
        }
    }
}

extension Preference {
    /// When the present mute ends; nil if there is none, or if it has no end.
    func muteEnd(at wall: Int64) -> ControlTime? {
        guard isMuted(at: wall), case .until(let end) = mute else { return nil }
        return ControlTime(milliseconds: end)
    }
}

extension ControlError {
    fileprivate static let muteLength = ControlError(
        .invalidValue,
        "A conversation is muted for 1 second to \(Limits.muteMilliseconds / 86_400_000) days.",
        advice: "Leave the length out to mute it until you end that with: parlance unmute WHO"
    )
}
