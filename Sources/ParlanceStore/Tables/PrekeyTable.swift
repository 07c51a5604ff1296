import Foundation
import GRDB
import ParlanceCore
import ParlanceSodium
import ParlanceWire

/// The prekeys of this node.
enum PrekeyTable {
    static let create = """
        CREATE TABLE prekey (
            id BLOB PRIMARY KEY NOT NULL,
            secret BLOB NOT NULL,
            made INTEGER NOT NULL,
            peer BLOB
        ) WITHOUT ROWID
        """

    /// How long the node had run when the key was made. Added in version 18; older keys are as old as the count.
    static let addBorn = "ALTER TABLE prekey ADD COLUMN born INTEGER NOT NULL DEFAULT 0"

    static func add(_ key: OwnPrekey, _ db: Database) throws {
        try db.execute(
            sql: "INSERT OR REPLACE INTO prekey (id, secret, made, peer, born) VALUES (?, ?, ?, ?, ?)",
            arguments: [Data(key.id.bytes), key.secret.withBytes { Data($0) }, key.made, key.peer?.data, key.born]
        )
    }

    /// Deletes a prekey. SQLite overwrites the secret (`secure_delete`).
    static func erase(_ id: PrekeyID, _ db: Database) throws {
        try db.execute(sql: "DELETE FROM prekey WHERE id = ?", arguments: [Data(id.bytes)])
    }

    static func all(_ db: Database) throws -> [OwnPrekey] {
        try Row.fetchAll(db, sql: "SELECT secret, made, peer, born FROM prekey ORDER BY id").map { row in
            let secret = SecretBytes(copying: try row.bytes("secret") ?? [], placement: .pooled)
            return try OwnPrekey(
                secret: secret,
                made: row.value("made"),
                born: row.value("born"),
                peer: row.bytes("peer").flatMap { PeerID($0) }
            )
        }
    }
}
