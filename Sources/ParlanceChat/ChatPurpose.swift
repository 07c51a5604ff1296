package import ParlanceWords

/// Why the chat screen called an operation, which decides what its reply changes.
package enum ChatPurpose: Equatable, Sendable {
    case conversations, requests, people
    /// The newest messages of WHO.
    case newest(who: String)
    /// The newest messages again, because their statuses may have changed.
    case again(who: String)
    /// The messages before the oldest that is shown.
    case older(who: String)
    /// The members of a group.
    case members(who: String)
    /// A text was sent; if it is refused, it comes back.
    case text(who: String, String)
    case read
    /// Something that shows itself, or else why it was refused.
    case change
    /// Something that is said when it is done.
    case told(Phrase)
    /// A sign for others, such as that the user types: nobody waits for it.
    case sign
}
