import Foundation
import GRDB
import ParlanceCore
import ParlanceSodium
import ParlanceWire

/// The workspace of this node, by its keys; empty if it is in none.
enum WorkspaceTable {
    static let create = """
        CREATE TABLE workspace_key (
            hash BLOB PRIMARY KEY NOT NULL,
            secret BLOB NOT NULL,
            number INTEGER NOT NULL,
            superseded INTEGER,
            name TEXT NOT NULL
        ) WITHOUT ROWID
        """
    static let createRemoved = "CREATE TABLE workspace_removed (peer BLOB PRIMARY KEY NOT NULL) WITHOUT ROWID"

    static func save(_ change: WorkspaceChange, _ db: Database) throws {
        try db.execute(sql: "DELETE FROM workspace_key")
        try db.execute(sql: "DELETE FROM workspace_removed")
        guard case .set(let workspace) = change else { return try CharterTable.delete(db) }
        for key in workspace.keys {
            try db.execute(
                sql: "INSERT INTO workspace_key VALUES (?, ?, ?, ?, ?)",
                arguments: [
                    Data(key.hash.bytes), key.secret.withBytes { Data($0) }, Int64(clamping: key.number),
                    key.superseded, workspace.name,
                ]
            )
        }
        for peer in workspace.removed.sorted() {
            try db.execute(sql: "INSERT INTO workspace_removed VALUES (?)", arguments: [peer.data])
        }
        try CharterTable.save(workspace, db)
    }

    static func read(_ db: Database) throws -> Workspace? {
        let sql = "SELECT secret, number, superseded, name FROM workspace_key ORDER BY number DESC, hash DESC"
        var name = ""
        let keys = try db.prepared(sql).map { row in
            let secret = row.bytes(0)
            guard secret.count == 32 else { throw StoreError.damaged("workspace row") }
            name = row.text(3)
            return WorkspaceKey(
                secret: SecretBytes(copying: secret),
                number: row.bits(1),
                superseded: row.isNull(2) ? nil : row.integer(2)
            )
        }
        guard !keys.isEmpty else { return nil }
        var workspace = Workspace(name: name, keys: keys)
        try db.prepared("SELECT peer FROM workspace_removed").each { row in
            guard let peer = PeerID(row.view(0)) else { throw StoreError.damaged("workspace row") }
            workspace.removed.insert(peer)
        }
        try CharterTable.read(into: &workspace, db)
        return workspace
    }
}
