import GRDB
import ParlanceCore
import ParlanceWire

/// What has come to a message, from the table `about`.
struct About {
    /// An event about it, by its place.
    struct Event {
        let log: Int64
        let sequence: UInt64
        let author: PeerID
        let state: AboutTable.State
    }

    /// The first deletion in the order shown.
    private(set) var deletion: Event?
    /// In the order shown, void ones too.
    private(set) var edits: [Event] = []
    /// Whether anything about it counts.
    private(set) var hasWeight = false
    private var reactions: [Reaction: Int] = [:]

    private struct Reaction: Hashable {
        let emoji: String
        let author: PeerID
    }

    init() {}

    init(log: Int64, sequence: UInt64, _ db: Database) throws {
        var place = 0
        try AboutTable.each(log: log, sequence: sequence, db) { row in
            place += 1
            take(row, place)
        }
    }

    private mutating func take(_ row: AboutTable.Row, _ place: Int) {
        let event = Event(log: row.byRow, sequence: row.bySequence, author: row.author, state: row.state)
        if row.kind == .edit { edits.append(event) }
        // Answers are about a message and change nothing of it: they are void here.
        guard row.state != .void else { return }
        hasWeight = true
        switch row.kind {
        case .delete: deletion = deletion ?? event
        case .reaction:
            let reaction = Reaction(emoji: row.emoji, author: row.author)
            reactions[reaction] = row.state == .removed ? nil : place
        default: break
        }
    }

    /// The edit whose text is the present one.
    var lastEdit: Event? { edits.last { $0.state == .valid } }

    /// The edits that count, whether or not their texts are held.
    var versions: [Event] { edits.filter { $0.state != .void } }

    /// Emoji in the order of who first has each, and who has it in the order shown.
    var shownReactions: [RichMessage.Reaction] {
        var shown: [RichMessage.Reaction] = []
        var index: [String: Int] = [:]
        for (reaction, _) in reactions.sorted(by: { $0.value < $1.value }) {
            if let known = index[reaction.emoji] {
                shown[known].members.append(reaction.author)
            } else {
                index[reaction.emoji] = shown.count
                shown.append(RichMessage.Reaction(emoji: reaction.emoji, members: [reaction.author]))
            }
        }
        return shown
    }
}
