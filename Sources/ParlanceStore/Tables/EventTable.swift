import GRDB
import ParlanceCore
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

    private let insertion, selection, effect, signing, emptying, filling, moving: Prepared

    init(_ db: Database) throws {
        insertion = try Prepared(db, "INSERT INTO event VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)")
        selection = try Prepared(db, Self.finding)
        effect = try Prepared(db, "UPDATE event SET effective = ? WHERE log = ? AND sequence = ?")
        signing = try Prepared(db, "UPDATE event SET signature = ? WHERE log = ? AND sequence = ?")
        filling = try Prepared(db, "UPDATE event SET body = ? WHERE log = ? AND sequence = ?")
        moving = try Prepared(db, "UPDATE event SET log = ?1 WHERE log = ?2 AND sequence > ?3")
        emptying = try Prepared(db, "UPDATE event SET body = NULL WHERE log = ? AND sequence = ?")
    }

    /// Inserts an event; `effective` is `nil` if it cannot be applied yet.
    func insert(_ event: StoredEvent, log: Int64, effective: UInt64?) throws {
        insertion.bind(1, log)
        insertion.bind(2, bits: event.header.sequence)
        if let effective { insertion.bind(7, bits: effective) } else { insertion.bindNull(7) }
        if let via = event.via { insertion.bind(8, copying: via.bytes) } else { insertion.bindNull(8) }
        if let arrived = event.arrived { insertion.bind(9, arrived) } else { insertion.bindNull(9) }
        // The bytes are bound without a copy, so the statement must run inside the closures.
        let outcome: Result<Void, any Error> = event.id.value.withUnsafeBytes { id in
            event.headerBytes.withUnsafeBytes { header in
                withBytes(of: event.body) { body in
                    withBytes(of: event.signature) { signature in
                        insertion.lend(3, id)
                        insertion.lend(4, header)
                        if let body { insertion.lend(5, body) } else { insertion.bindNull(5) }
                        if let signature { insertion.lend(6, signature) } else { insertion.bindNull(6) }
                        return Result { try insertion.run() }
                    }
                }
            }
        }
        try outcome.get()
    }

    private func withBytes<Value>(of bytes: [UInt8]?, _ body: (UnsafeRawBufferPointer?) -> Value) -> Value {
        guard let bytes else { return body(nil) }
        return bytes.withUnsafeBytes { body($0) }
    }

    struct Found {
        let event: StoredEvent
        let effective: UInt64?
    }

    func find(log: Int64, sequence: UInt64) throws -> Found? {
        selection.bind(1, log)
        selection.bind(2, bits: sequence)
        return try Self.found(selection)
    }

    func setEffective(_ effective: UInt64, log: Int64, sequence: UInt64) throws {
        effect.bind(1, bits: effective)
        effect.bind(2, log)
        effect.bind(3, bits: sequence)
        try effect.run()
    }

    func setSignature(_ signature: [UInt8], log: Int64, sequence: UInt64) throws {
        signing.bind(1, copying: signature)
        signing.bind(2, log)
        signing.bind(3, bits: sequence)
        try signing.run()
    }

    func dropBody(log: Int64, sequence: UInt64) throws {
        emptying.bind(1, log)
        emptying.bind(2, bits: sequence)
        try emptying.run()
    }

    func setBody(_ body: [UInt8], log: Int64, sequence: UInt64) throws {
        filling.bind(1, copying: body)
        filling.bind(2, log)
        filling.bind(3, bits: sequence)
        try filling.run()
    }

    /// Moves the events of a log after a sequence to another log.
    func move(from log: Int64, to other: Int64, after sequence: UInt64) throws {
        moving.bind(1, other)
        moving.bind(2, log)
        moving.bind(3, bits: sequence)
        try moving.run()
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
        let headers = Prepared(try db.cachedStatement(sql: sql))
        headers.bind(1, log)
        headers.bind(2, bits: after)
        headers.bind(3, bits: through)
        defer { headers.reset() }
        while try headers.next() {
            let (_, header, _) = try head(headers.view(2), headers.bytes(1))
            if try fits(header) { return headers.bits(0) }
        }
        return nil
    }

    /// Finds an event through a statement of the given connection, for readers.
    static func find(log: Int64, sequence: UInt64, _ db: Database) throws -> Found? {
        let statement = Prepared(try db.cachedStatement(sql: finding))
        statement.bind(1, log)
        statement.bind(2, bits: sequence)
        return try found(statement)
    }

    private static let finding =
        "SELECT id, header, body, signature, arrived, effective FROM event WHERE log = ? AND sequence = ?"

    private static func found(_ row: Prepared) throws -> Found? {
        defer { row.reset() }
        guard try row.next() else { return nil }
        return Found(event: try event(row), effective: row.isNull(5) ? nil : row.bits(5))
    }

    /// Reads `id, header, body, signature, arrived` from the first columns of a row. Throws `DamagedEvent` if they are not
    /// what was written.
    static func event(_ row: Prepared) throws -> StoredEvent {
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
