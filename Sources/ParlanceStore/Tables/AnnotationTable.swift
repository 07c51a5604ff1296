import GRDB
import ParlanceCore
import ParlanceHistory
import ParlanceWire

/// Applied edits, deletions, reactions and answers, by the message that they are about: a projection.
///
/// Void ones are included: a deletion drops the bodies of all edits, and a verdict may change. Answers are included so
/// that they are found when the quoted text changes; they do nothing to the message, so their state is void. A message
/// may have any number of each kind, so each kind is sorted separately, in the order shown.
struct AnnotationTable {
    static let create = """
        CREATE TABLE about (
            log INTEGER NOT NULL,
            sequence INTEGER NOT NULL,
            effective INTEGER NOT NULL,
            id BLOB NOT NULL,
            by_log INTEGER NOT NULL,
            by_sequence INTEGER NOT NULL,
            kind INTEGER NOT NULL,
            state INTEGER NOT NULL,
            emoji BLOB,
            PRIMARY KEY (log, sequence, kind, effective, id)
        ) WITHOUT ROWID
        """

    static let index = "CREATE INDEX about_by ON about (by_log, by_sequence)"

    private let insertion: Prepared

    init(_ db: Database) throws {
        insertion = try Prepared(db, "INSERT OR REPLACE INTO about VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")
    }

    /// Inserts or replaces the effect of an event.
    func save(_ row: AboutRow) throws {
        let (target, by) = (row.target, row.by)
        try insertion.binding(
            target.log,
            target.sequence,
            row.effective,
            row.event,
            by.log,
            by.sequence,
            row.kind.number,
            row.state.rawValue,
            row.emoji
        )
        .run()
    }

    private static let selection = """
        SELECT about.by_log, about.by_sequence, log.author, about.state
        FROM about CROSS JOIN log ON log.id = about.by_log
        WHERE about.log = ? AND about.sequence = ? AND about.kind = ?
        """

    private static func events(_ kind: EventKind, _ rest: String, about place: Place, _ db: Database) throws
        -> [About]
    {
        try db.prepared(selection + rest, place.log, place.sequence, kind.number).map(event)
    }

    private static func event(_ row: PreparedRow) throws -> About {
        guard let author = PeerID(row.view(2)), let state = About.State(rawValue: row.integer(3)) else {
            throw StoreError.damaged("about row")
        }
        return About(log: row.integer(0), sequence: row.bits(1), author: author, state: state)
    }

    /// The edits of a message in the order shown, including void ones.
    static func edits(of place: Place, _ db: Database) throws -> [About] {
        try events(.edit, " ORDER BY about.effective, about.id", about: place, db)
    }

    /// The edit that provides a message's present text.
    static func lastEdit(of place: Place, _ db: Database) throws -> About? {
        let rest = " AND about.state = 1 ORDER BY about.effective DESC, about.id DESC LIMIT 1"
        return try events(.edit, rest, about: place, db).first
    }

    /// The first deletion of a message in the order shown that counts.
    static func deletion(of place: Place, _ db: Database) throws -> About? {
        let rest = " AND about.state = 1 ORDER BY about.effective, about.id LIMIT 1"
        return try events(.delete, rest, about: place, db).first
    }

    /// A deletion by an author that counts; `nil` if there is none.
    static func deletion(of place: Place, by author: PeerID, _ db: Database) throws -> About? {
        let sql = selection + " AND about.state = 1 AND log.author = ? LIMIT 1"
        return try db.prepared(sql, place.log, place.sequence, EventKind.delete.number, author).first(event)
    }

    /// The positions of the last answers to a message, in the order shown.
    static func answers(to place: Place, last count: Int, _ db: Database) throws -> [Place] {
        let sql = """
            SELECT by_log, by_sequence FROM about WHERE log = ? AND sequence = ? AND kind = ?
            ORDER BY effective DESC, id DESC LIMIT ?
            """
        return try db.prepared(sql, place.log, place.sequence, EventKind.message.number, count)
            .map { Place(log: $0.integer(0), sequence: $0.bits(1)) }.reversed()
    }
}

// Reactions.
extension AnnotationTable {
    /// Without it, a lookup would read every reaction that was ever added or removed.
    static let reactionIndex = """
        CREATE INDEX about_reaction ON about (log, sequence, by_log, emoji, effective, id, state)
        WHERE kind = 6 AND state <> 0
        """

    /// The last reaction of each log and emoji that is not void, with one query for each.
    static func reactions(to place: Place, _ db: Database) throws -> [AboutReaction] {
        var found: [AboutReaction] = []
        var (log, emoji): (Int64, [UInt8]) = (.max, [])
        while true {
            let next = try db.prepared(nextReaction, place.log, place.sequence, log, emoji).first { row in
                (log, emoji) = (row.integer(0), row.bytes(1))
                guard let id = EventID(row.view(3)), let author = PeerID(row.view(5)) else {
                    throw StoreError.damaged("about row")
                }
                let isRemoved = row.integer(4) == About.State.removed.rawValue
                return AboutReaction(author: author, emoji: emoji, effective: row.bits(2), id: id, isRemoved: isRemoved)
            }
            guard let next else { return found }
            found.append(next)
        }
    }

    private static let nextReaction = """
        SELECT about.by_log, about.emoji, about.effective, about.id, about.state, log.author
        FROM about INDEXED BY about_reaction CROSS JOIN log ON log.id = about.by_log
        WHERE about.log = ? AND about.sequence = ? AND about.kind = 6 AND about.state <> 0
            AND (about.by_log, about.emoji) < (?, ?)
        ORDER BY about.by_log DESC, about.emoji DESC, about.effective DESC, about.id DESC LIMIT 1
        """
}
