import Foundation
import GRDB
import ParlanceCore
import ParlanceWire

/// The pictures of people, this user's among them, as they were signed.
enum PictureTable {
    static let create = """
        CREATE TABLE picture (
            peer BLOB PRIMARY KEY NOT NULL,
            id BLOB NOT NULL,
            made INTEGER NOT NULL,
            signature BLOB NOT NULL,
            content BLOB NOT NULL
        )
        """

    static func save(_ record: PictureRecord, _ db: Database) throws {
        guard let picture = record.picture else {
            return try db.execute(sql: "DELETE FROM picture WHERE peer = ?", arguments: [record.peer.data])
        }
        try db.execute(
            sql: "INSERT OR REPLACE INTO picture VALUES (?, ?, ?, ?, ?)",
            arguments: [
                record.peer.data, Data(picture.id.bytes), Int64(clamping: picture.made), Data(picture.signature),
                Data(picture.content),
            ]
        )
    }

    /// Which pictures there are, in the order of the peers.
    static func marks(_ db: Database) throws -> [PictureMark] {
        try Row.fetchAll(db, sql: "SELECT peer, id, made FROM picture ORDER BY peer").map { row in
            guard let peer = PeerID(try row.value("peer") as Data), let id = PictureID(try row.value("id") as Data)
            else { throw StoreError.damaged("picture row") }
            return PictureMark(peer: peer, id: id, made: UInt64(clamping: try row.value("made") as Int64))
        }
    }

    static func picture(of peer: PeerID, _ db: Database) throws -> SignedPicture? {
        let sql = "SELECT made, signature, content FROM picture WHERE peer = ?"
        return try Row.fetchOne(db, sql: sql, arguments: [peer.data]).map { row in
            SignedPicture(
                content: [UInt8](try row.value("content") as Data),
                made: UInt64(clamping: try row.value("made") as Int64),
                signature: [UInt8](try row.value("signature") as Data)
            )
        }
    }
}
