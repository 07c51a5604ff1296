import ParlanceControl
import ParlanceTexts
import ParlanceWords

/// A line of the list at the left: a conversation, somebody who asks to talk, or somebody who is near.
enum ListEntry: Equatable, Sendable {
    case conversation(ConversationInfo)
    case request(RequestEvent)
    case nearby(PeerInfo)

    /// Names it for the daemon: the ID of a group, or of the person.
    var who: String {
        switch self {
        case .conversation(let info): info.peer ?? info.id
        case .request(let request): request.peer
        case .nearby(let peer): peer.id
        }
    }

    /// The name as it is typed, without a mark.
    var name: String {
        switch self {
        case .conversation(let info): NameText.plain(info.title)
        case .request(let request): NameText.plain(request.name)
        case .nearby(let peer): NameText.plain(peer.displayName)
        }
    }

    /// The title, which can be shown as it is.
    var title: String {
        switch self {
        case .conversation(let info): VisibleText.line(NameText.marked(info.title, info.trust))
        case .request(let request): VisibleText.line(NameText.plain(request.name))
        case .nearby(let peer): VisibleText.line(peer.shownName)
        }
    }
}
