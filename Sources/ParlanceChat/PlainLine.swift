package import ParlanceControl
package import ParlanceTerminal

/// Something that the plain chat tells; the caller words it and writes it.
package enum PlainLine: Sendable {
    /// A message of the open conversation.
    case message(MessageInfo)
    /// A message of another conversation.
    case elsewhere(MessageInfo)
    case event(any ControlEvent)
    case found(SearchReply)
    /// What the assistant answered, or was asked before.
    case answered(AskReply)
    case talk(TalkReply)
    /// A sentence, safe to show.
    case said(String, Style)
}
