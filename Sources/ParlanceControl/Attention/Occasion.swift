/// What an event of the node means to its user, if it concerns the user at all.
///
/// Notifications and hooks both begin here, so that they agree on what counts: the user's own messages, messages of blocked
/// people, and everything that only keeps a screen up to date do not.
package enum Occasion: Equatable, Sendable, CaseIterable {
    /// A message that mentions the user.
    case mention
    /// A message in a direct conversation.
    case direct
    /// Another message in a group.
    case group
    /// Somebody who is not accepted asks to talk.
    case request
    /// Somebody came, went, or changed their presence.
    case presence

    package init?(_ event: any ControlEvent) {
        switch event {
        case let event as MessageEvent:
            let message = event.message
            guard !message.mine, message.note == nil, message.deleted == nil, message.blocked != true,
                message.senderTrust != .blocked
            else { return nil }
            self = message.mentionsMe == true ? .mention : message.group == nil ? .direct : .group
        case is RequestEvent: self = .request
        case let event as PresenceEvent where event.trust != .blocked: self = .presence
        default: return nil
        }
    }
}
