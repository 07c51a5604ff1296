import ParlanceControl
import ParlanceWords

extension [ConversationInfo] {
    /// The IDs of those that share their title with another.
    var alike: Set<String> {
        let titles = Dictionary(grouping: self) { NameText.plain($0.title).lowercased() }
        return Set(titles.values.filter { $0.count > 1 }.joined().map(\.id))
    }
}

extension ConversationInfo {
    /// The beginning of the ID, by which commands name it.
    var shortID: String { PeerIDText.short(peer ?? id) }

    /// Whether something unread is news: in a muted conversation only what mentions the user, in a hidden one nothing.
    var hasNews: Bool { hidden != true && (muted == true ? mentions : unread) > 0 }
}
