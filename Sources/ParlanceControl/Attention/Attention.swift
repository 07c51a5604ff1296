/// Decides which of the events that a node tells deserve that its user is interrupted: one rule for the desktop's
/// notifications and for the page's.
///
/// It knows no clock, no desktop and no settings file; what it depends on comes in.
package struct Attention: Equatable, Sendable {
    /// What the user has set.
    package struct Rules: Equatable, Sendable {
        package var level: NotifyLevel
        package var quietHours: QuietHours?

        package init(level: NotifyLevel = .direct, quietHours: QuietHours? = nil) {
            self.level = level
            self.quietHours = quietHours
        }
    }

    package enum Verdict: Equatable, Sendable {
        case notify(Occasion)
        case silent(Silence)
    }

    /// Why the user is not interrupted. The first one that holds is given, in this order.
    package enum Silence: Equatable, Sendable {
        /// It does not concern the user: a message of theirs, of somebody blocked, or no message at all.
        case noConcern
        /// The level leaves it out.
        case level
        /// The conversation is muted, and the message does not mention the user.
        case muted
        /// The user has set their presence to `busy`.
        case busy
        case quietHours
        /// A face shows the conversation.
        case shown
        /// Another request was notified of less than a minute ago. Strangers make requests, as many as they like.
        case tooMany
    }

    /// Milliseconds between two notifications of requests to talk.
    package static let requestPause: Int64 = 60_000

    package var rules: Rules
    package var isBusy = false
    /// The conversation that each face shows, by the number of the face.
    private var shown: [UInt64: String] = [:]
    private var lastRequest: ControlTime?

    package init(_ rules: Rules) {
        self.rules = rules
    }

    /// A face shows another conversation now; nil for none, and when the face is gone.
    package mutating func shows(_ conversation: String?, face: UInt64) {
        shown[face] = conversation
    }

    package mutating func judge(_ event: any ControlEvent, at clock: LocalClock) -> Verdict {
        guard let occasion = Occasion(event), occasion != .presence else { return .silent(.noConcern) }
        guard rules.level.wants(occasion) else { return .silent(.level) }
        if (event as? MessageEvent)?.message.muted == true { return .silent(.muted) }
        if isBusy { return .silent(.busy) }
        if rules.quietHours?.contains(minute: clock.minute(clock.now)) == true { return .silent(.quietHours) }
        if let conversation = event.conversationID, shown.values.contains(conversation) { return .silent(.shown) }
        if occasion == .request {
            // A clock that was set back does not silence requests for longer.
            if let last = lastRequest?.milliseconds, (0..<Self.requestPause).contains(clock.now.milliseconds - last) {
                return .silent(.tooMany)
            }
            lastRequest = clock.now
        }
        return .notify(occasion)
    }
}
