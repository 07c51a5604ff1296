import GRDB
import ParlanceHistory
import ParlanceRecords
import ParlanceWire

/// All held events, by position. Everything that people read is projected from here.
///
/// The key is the position instead of the ID: positions grow, so rows are appended, while random IDs would change a
/// page each. `effective` is a projection: NULL until the event is applied.
struct EventTable {
    static let create = """
        CREATE TABLE event (
            log INTEGER NOT NULL,
            sequence INTEGER NOT NULL,
            id BLOB NOT NULL,
            header BLOB NOT NULL,
            body BLOB,
            signature BLOB,
            effective INTEGER,
            PRIMARY KEY (log, sequence)
        ) WITHOUT ROWID
        """

    /// Added in version 23: the order in which messages of the owner were written here; NULL for all others. Version 24 has
    /// no index for it: one more page would be written with each message.
    static let addWritten = [
        "ALTER TABLE event ADD COLUMN written INTEGER",
        "CREATE INDEX event_written ON event (written) WHERE written IS NOT NULL",
    ]

    private let insertion, selection, effect, signing, emptying, filling, moving: Prepared

    init(_ db: Database) throws {
        insertion = try Prepared(db, "INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
        selection = try Prepared(db, Self.finding)
        effect = try Prepared(db, "UPDATE event SET effective = ? WHERE log = ? AND sequence = ?")
        signing = try Prepared(db, "UPDATE event SET signature = ? WHERE log = ? AND sequence = ?")
        filling = try Prepared(db, "UPDATE event SET body = ? WHERE log = ? AND sequence = ?")
        moving = try Prepared(db, "UPDATE event SET log = ?1 WHERE log = ?2 AND sequence > ?3")
        emptying = try Prepared(db, "UPDATE event SET body = NULL WHERE log = ? AND sequence = ?")
    }

    /// Inserts an event.
    ///
    /// - Parameters:
    ///   - effective: `nil` if it cannot be applied yet.
    ///   - written: greater than that of every message which the owner wrote here before; `nil` for all else.
    func insert(_ event: StoredEvent, log: Int64, effective: UInt64?, written: Int64?) throws {
        // The bytes are lent, as texts may be long, so the statement must run inside the closures.
        try event.headerBytes.withUnsafeBytes { header in
            try withBytes(of: event.body) { body in
                try withBytes(of: event.signature) { signature in
                    try insertion.binding(
                        log,
                        event.header.sequence,
                        event.id,
                        LentBytes(header),
                        LentBytes(body),
                        LentBytes(signature),
                        effective,
                        event.via,
                        event.arrived,
                        written
                    )
                    .run()
                }
            }
        }
    }

    private func withBytes(of bytes: [UInt8]?, _ body: (UnsafeRawBufferPointer?) throws -> Void) throws {
        guard let bytes else { return try body(nil) }
        try bytes.withUnsafeBytes { try body($0) }
    }

    func find(log: Int64, sequence: UInt64) throws -> HeldEvent? {
        try selection.binding(log, sequence).first(Self.found)
    }

    func setEffective(_ effective: UInt64, log: Int64, sequence: UInt64) throws {
        try effect.binding(effective, log, sequence).run()
    }

    func setSignature(_ signature: [UInt8], log: Int64, sequence: UInt64) throws {
        try signing.binding(signature, log, sequence).run()
    }

    func dropBody(log: Int64, sequence: UInt64) throws {
        try emptying.binding(log, sequence).run()
    }

    func setBody(_ body: [UInt8], log: Int64, sequence: UInt64) throws {
        try filling.binding(body, log, sequence).run()
    }

    /// Moves the events of a log after a sequence to another log.
    func move(from log: Int64, to other: Int64, after sequence: UInt64) throws {
        try moving.binding(other, log, sequence).run()
    }

    /// The sequence of the first event in a range of a log whose header satisfies a condition.
    static func first(
        log: Int64,
        after: UInt64,
        through: UInt64,
        _ db: Database,
        where fits: (EventHeader) throws -> Bool
    ) throws -> UInt64? {
        let sql =
            "SELECT sequence, header, id FROM event WHERE log = ? AND sequence > ? AND sequence <= ? ORDER BY sequence"
        var first: UInt64?
        try db.prepared(sql, log, after, through).walk { row in
            let (_, header, _) = try head(row.view(2), row.bytes(1))
            if try fits(header) { first = row.bits(0) }
            return first == nil
        }
        return first
    }

    /// The order in which the owner wrote a message; `nil` if it was not written here, or before version 23.
    static func written(log: Int64, sequence: UInt64, _ db: Database) throws -> Int64? {
        try db.prepared("SELECT written FROM event WHERE log = ? AND sequence = ?", log, sequence)
            .first { $0.isNull(0) ? nil : $0.integer(0) }
    }

    /// Finds an event through a statement of the given connection, for readers.
    static func find(log: Int64, sequence: UInt64, _ db: Database) throws -> HeldEvent? {
        try db.prepared(finding, log, sequence).first(found)
    }

    private static let finding =
        "SELECT id, header, body, signature, arrived, effective FROM event WHERE log = ? AND sequence = ?"

    private static func found(_ row: PreparedRow) throws -> HeldEvent {
        HeldEvent(event: try event(row), effective: row.isNull(5) ? nil : row.bits(5))
    }

    /// Reads `id, header, body, signature, arrived` from the first columns of a row. Throws `DamagedEvent` if they are not
    /// what was written.
    static func event(_ row: PreparedRow) throws -> StoredEvent {
        let (id, header, headerBytes) = try head(row.view(0), row.bytes(1))
        let body = row.bytesIfAny(2)
        guard body.map({ Bytes32(hashingBody: $0) == header.bodyHash }) ?? true else {
            throw DamagedEvent(conversation: header.conversation)
        }
        var event = StoredEvent(
            id: id,
            header: header,
            headerBytes: headerBytes,
            body: body,
            signature: row.bytesIfAny(3)
        )
        if !row.isNull(4) { event.arrived = row.integer(4) }
        return event
    }

    /// A header that has the hash with which it was stored.
    private static func head(
        _ id: UnsafeRawBufferPointer,
        _ bytes: [UInt8]
    ) throws -> (EventID, EventHeader, [UInt8]) {
        guard let id = EventID(id), id == EventID(hashing: bytes), let header = try? EventHeader(decoding: bytes) else {
            throw DamagedEvent()
        }
        return (id, header, bytes)
    }
}
