import ParlanceRecords
import ParlanceWire

/// What edits, deletions and reactions do to a message (events.md, "What is done to a message").
struct Annotations {
    /// The first deletion in the order shown that counts.
    private(set) var deletion: About?
    /// All edits in the order shown, including void ones.
    private(set) var edits: [About] = []
    /// The last reaction of each log and emoji.
    private var reactions: [AboutReaction] = []

    init() {}

    init(_ place: Place, _ tables: any HistoryReading) throws {
        deletion = try tables.deletion(of: place)
        edits = try tables.edits(of: place)
        reactions = try tables.reactions(to: place)
        invariant(
            Set(edits.map { Place(log: $0.log, sequence: $0.sequence) }).count == edits.count,
            "an edit changes a message once"
        )
    }

    /// Whether anything about the message counts.
    var hasWeight: Bool { deletion != nil || !reactions.isEmpty || edits.contains { $0.state != .void } }

    /// The edit that provides the present text.
    var lastEdit: About? { edits.last { $0.state == .valid } }

    /// The edits that count, whether or not their texts are held.
    var versions: [About] { edits.filter { $0.state != .void } }

    /// The reactions that are shown: the members with each emoji in the order of their last reaction, and the emoji in
    /// the order of their first member.
    var shownReactions: [RichMessage.Reaction] {
        var seen: Set<Standing> = []
        // If a member's logs disagree, the last reaction counts.
        let last = reactions.sorted { ($0.effective, $0.id) > ($1.effective, $1.id) }
            .filter { seen.insert(Standing(author: $0.author, emoji: $0.emoji)).inserted }
        var shown: [RichMessage.Reaction] = []
        var index: [[UInt8]: Int] = [:]
        for reaction in last.reversed() where !reaction.isRemoved {
            if let known = index[reaction.emoji] {
                shown[known].members.append(reaction.author)
            } else {
                index[reaction.emoji] = shown.count
                let emoji = String(decoding: reaction.emoji, as: UTF8.self)
                shown.append(RichMessage.Reaction(emoji: emoji, members: [reaction.author]))
            }
        }
        return shown
    }

    private struct Standing: Hashable {
        let author: PeerID
        let emoji: [UInt8]
    }
}
