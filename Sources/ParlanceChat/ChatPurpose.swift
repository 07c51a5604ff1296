package import ParlanceControl
package import ParlanceWords

/// Why the chat screen called an operation, which decides what its reply changes.
package enum ChatPurpose: Equatable, Sendable {
    case conversations, requests, people
    /// Which node this is.
    case identity
    /// A page of the open conversation's history.
    case page(PageRequest)
    /// Messages that fit a query.
    case search(SearchOperation)
    /// What was asked the assistant about a conversation, and the newest of it that was known when this was asked for.
    case talk(who: String, newest: Int)
    /// A question to the assistant, with its label.
    case asked(String)
    /// A prompt of the assistant's pane.
    case prompted(Int)
    /// The members of a group.
    case members(who: String)
    /// A text was sent; if it is refused or the connection is lost, it comes back.
    case text(who: String, String, DraftAim)
    /// What a line that began with a slash asked for in a conversation, and the message that it was about; if it is
    /// refused, the line comes back.
    indirect case command(who: String?, line: String, about: String?, ChatPurpose)
    /// Something that shows itself, or else why it was refused.
    case change
    /// Something that is said when it is done.
    case told(Phrase)
    /// How long messages are kept was set; that is said.
    case retained
    /// How long messages stay for everybody was asked or set; that is said.
    case disappears
    /// A conversation was cleared, or also deleted; that is said.
    case cleared(deletes: Bool)
    /// A file was sent, of this name.
    case file(String)
    /// Files are to be fetched; what is under way is said.
    case fetched
    /// The way of a message, which is shown.
    case ledger
    /// Somebody was accepted.
    case accepted
    /// A sign for others, such as that the user types, or how far they have read: nobody waits for it.
    case sign

    /// Whether the user has to be told that it may not have been done, if the connection is lost before the reply.
    var isOfTheUser: Bool {
        switch self {
        case .command(_, _, _, let purpose): purpose.isOfTheUser
        case .text, .file, .fetched, .change, .told, .retained, .disappears, .cleared, .accepted, .ledger, .asked: true
        case .conversations, .requests, .people, .identity, .page, .search, .members, .sign, .talk,
            .prompted:
            false
        }
    }

    /// Whether it searches for what the user has typed.
    var isSearch: Bool { if case .search = self { true } else { false } }

    /// Whether it sends a text, which no later line needs.
    var isText: Bool { if case .text = self { true } else { false } }

    /// Whether the daemon can refuse it because of the words in the line.
    var isOfALine: Bool {
        switch self {
        case .change, .told, .retained, .disappears, .cleared, .file, .fetched, .accepted: true
        case .conversations, .requests, .people, .identity, .page, .search, .talk, .asked, .prompted, .members, .text,
            .command, .ledger, .sign:
            false
        }
    }
}
