import GRDB
import ParlanceCore
import ParlanceWire

/// Edits, deletions, reactions and answers that are applied, by the message they are about, in the order shown: a projection.
///
/// Those that are void are here too: a deletion drops the bodies of all edits, and a verdict may change. Answers are here to be
/// found when what they quote becomes another; to the message they do nothing, so they stand as void.
struct AboutTable {
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
            PRIMARY KEY (log, sequence, effective, id)
        ) WITHOUT ROWID
        """

    static let index = "CREATE INDEX about_by ON about (by_log, by_sequence)"

    /// What an event comes to.
    enum State: Int64 {
        case void = 0
        case valid = 1
        /// An edit that would count if its text were held.
        case lacking = 2
        /// A reaction that is taken away.
        case removed = 3
    }

    struct Row {
        let id: EventID
        /// The log that has the edit, deletion or reaction, and its place there.
        let byRow: Int64
        let bySequence: UInt64
        let author: PeerID
        let kind: EventKind
        let state: State
        let emoji: String
    }

    private let insertion: Prepared

    init(_ db: Database) throws {
        insertion = try Prepared(db, "INSERT OR REPLACE INTO about VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")
    }

    /// Adds what an event of `entry` comes to, or replaces it.
    func save(
        _ event: StoredEvent,
        effective: UInt64,
        verdict: Projector.Verdict,
        by entry: LogEntry,
        about target: LogEntry,
        _ sequence: UInt64
    ) throws {
        insertion.bind(1, target.row)
        insertion.bind(2, bits: sequence)
        insertion.bind(3, bits: effective)
        insertion.bind(4, copying: event.id.bytes)
        insertion.bind(5, entry.row)
        insertion.bind(6, bits: event.header.sequence)
        insertion.bind(7, Int64(event.header.kind.number))
        let state = event.header.kind == .message ? .void : Self.state(verdict)
        insertion.bind(8, state.rawValue)
        if case .reaction(let emoji, _) = verdict {
            insertion.bind(9, copying: Array(emoji.utf8))
        } else {
            insertion.bindNull(9)
        }
        try insertion.run()
    }

    private static func state(_ verdict: Projector.Verdict) -> State {
        switch verdict {
        case .edit, .delete: .valid
        case .reaction(_, let removed): removed ? .removed : .valid
        case .nothing: .lacking
        case .message, .note, .withdraw, .void: .void
        }
    }

    /// Goes through what is about a message, in the order shown.
    static func each(log: Int64, sequence: UInt64, _ db: Database, _ body: (Row) throws -> Void) throws {
        let statement = Prepared(try db.cachedStatement(sql: selection))
        statement.bind(1, log)
        statement.bind(2, bits: sequence)
        defer { statement.reset() }
        while try statement.next() {
            guard let id = EventID(statement.view(0)), let author = PeerID(statement.view(3)),
                let state = State(rawValue: statement.integer(5))
            else { throw StoreError.damaged("about row") }
            let row = Row(
                id: id,
                byRow: statement.integer(1),
                bySequence: statement.bits(2),
                author: author,
                kind: EventKind(number: Int(statement.integer(4))),
                state: state,
                emoji: String(decoding: statement.view(6), as: UTF8.self)
            )
            try body(row)
        }
    }

    /// The places of the answers to a message.
    static func answers(log: Int64, sequence: UInt64, _ db: Database) throws -> [Place] {
        let statement = Prepared(
            try db.cachedStatement(
                sql: "SELECT by_log, by_sequence FROM about WHERE log = ? AND sequence = ? AND kind = ?"
            )
        )
        statement.bind(1, log)
        statement.bind(2, bits: sequence)
        statement.bind(3, Int64(EventKind.message.number))
        defer { statement.reset() }
        var found: [Place] = []
        while try statement.next() { found.append(Place(log: statement.integer(0), sequence: statement.bits(1))) }
        return found
    }

    private static let selection = """
        SELECT about.id, about.by_log, about.by_sequence, log.author, about.kind, about.state, about.emoji
        FROM about CROSS JOIN log ON log.id = about.by_log
        WHERE about.log = ? AND about.sequence = ? ORDER BY about.effective, about.id
        """
}
