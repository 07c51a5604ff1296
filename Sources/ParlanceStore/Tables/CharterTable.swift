import Foundation
import GRDB
import ParlanceCore
import ParlanceRecords
import ParlanceSodium
import ParlanceWire

/// The charter of this node's workspace: which one it is, and its events in the order of arrival.
enum CharterTable {
    /// One row: the charter's ID, and what the invitation code says about it: 16 bytes, and 16 more of an invitation.
    static let create = "CREATE TABLE charter (id BLOB, code BLOB)"
    static let createEvents = """
        CREATE TABLE charter_event (
            place INTEGER PRIMARY KEY,
            id BLOB NOT NULL UNIQUE,
            header BLOB NOT NULL,
            body BLOB,
            signature BLOB,
            arrived INTEGER
        )
        """

    private static let selection = "SELECT id, header, body, signature, arrived FROM charter_event ORDER BY place"

    /// The event of a row; `nil` if it is damaged.
    private static func event(_ row: PreparedRow) throws -> StoredEvent? {
        do { return try EventTable.event(row) } catch is DamagedEvent { return nil }
    }

    static func delete(_ db: Database) throws {
        try db.execute(sql: "DELETE FROM charter")
        try db.execute(sql: "DELETE FROM charter_event")
    }

    /// Writes what the rows lack of a workspace's charter, and deletes what it does not hold.
    static func save(_ workspace: Workspace, _ db: Database) throws {
        try db.execute(sql: "DELETE FROM charter")
        try db.execute(
            sql: "INSERT INTO charter VALUES (?, ?)",
            arguments: [workspace.charter?.id.data, code(of: workspace)]
        )
        var stored: Set<EventID> = []
        // What is not held any more, and what is damaged.
        var gone: [Data] = []
        try db.prepared(selection).each { row in
            if let event = try event(row), workspace.charter?.contains(event.id) == true {
                stored.insert(event.id)
            } else {
                gone.append(Data(row.bytes(0)))
            }
        }
        for id in gone { try db.execute(sql: "DELETE FROM charter_event WHERE id = ?", arguments: [id]) }
        for event in workspace.charter?.events ?? [] where !stored.contains(event.id) { try insert(event, db) }
    }

    private static func code(of workspace: Workspace) -> Data? {
        guard let code = workspace.invitation?.charter ?? workspace.code else { return nil }
        return Data(code.bytes) + (workspace.invitation?.secret.bytes.withBytes { Data($0) } ?? Data())
    }

    private static func insert(_ event: StoredEvent, _ db: Database) throws {
        try db.execute(
            sql: "INSERT INTO charter_event (id, header, body, signature, arrived) VALUES (?, ?, ?, ?, ?)",
            arguments: [
                Data(event.id.bytes), Data(event.headerBytes), event.body.map { Data($0) },
                event.signature.map { Data($0) }, event.arrived,
            ]
        )
    }

    /// Reads the charter into a workspace. A damaged event is left out: members have it.
    static func read(into workspace: inout Workspace, _ db: Database) throws {
        guard let row = try Row.fetchOne(db, sql: "SELECT id, code FROM charter") else { return }
        let code: Data? = row[1]
        workspace.code = code.flatMap { CharterPrefix($0.prefix(CharterPrefix.count)) }
        if let code, let prefix = workspace.code,
            let secret = InvitationSecret(SecretBytes(copying: [UInt8](code.dropFirst(CharterPrefix.count))))
        {
            workspace.invitation = InvitationKey(secret, to: prefix)
        }
        guard let bytes: Data = row[0] else { return }
        guard let id = ConversationID(bytes) else { throw StoreError.damaged("charter row") }
        var charter = Charter(id: id)
        charter.insert(try db.prepared(selection).map(event).compactMap { $0 })
        workspace.charter = charter
        workspace.orderKeys()
    }
}
