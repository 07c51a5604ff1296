import Foundation
import GRDB
import ParlanceCore
import ParlanceWire

/// Envelopes that this node keeps for other peers.
enum EnvelopeTable {
    static let create = """
        CREATE TABLE envelope (
            id BLOB PRIMARY KEY NOT NULL,
            depositor BLOB NOT NULL,
            recipient BLOB NOT NULL,
            expires INTEGER NOT NULL,
            size INTEGER NOT NULL,
            bytes BLOB NOT NULL
        )
        """

    static func add(_ envelope: StoredEnvelope, _ db: Database) throws {
        let record = envelope.record
        try db.execute(
            sql: "INSERT OR REPLACE INTO envelope VALUES (?, ?, ?, ?, ?, ?)",
            arguments: [
                Data(record.id.bytes), record.depositor.data, record.recipient.data, record.expires, record.byteCount,
                Data(envelope.bytes),
            ]
        )
    }

    static func erase(_ id: EnvelopeID, _ db: Database) throws {
        try db.execute(sql: "DELETE FROM envelope WHERE id = ?", arguments: [Data(id.bytes)])
    }

    static func bytes(of id: EnvelopeID, _ db: Database) throws -> [UInt8]? {
        let found = try Data.fetchOne(db, sql: "SELECT bytes FROM envelope WHERE id = ?", arguments: [Data(id.bytes)])
        return found.map { [UInt8]($0) }
    }

    static func all(_ db: Database) throws -> [EnvelopeRecord] {
        let sql = "SELECT id, depositor, recipient, expires, size FROM envelope ORDER BY id"
        return try Row.fetchAll(db, sql: sql).map { row in
            guard let id = EnvelopeID(try row.value("id") as Data),
                let depositor = PeerID(try row.value("depositor") as Data),
                let recipient = PeerID(try row.value("recipient") as Data)
            else { throw StoreError.damaged("envelope row") }
            return EnvelopeRecord(
                id: id,
                depositor: depositor,
                recipient: recipient,
                expires: try row.value("expires"),
                byteCount: try row.value("size")
            )
        }
    }
}
