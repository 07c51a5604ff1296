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

    /// Which pictures there are, in the order of the peers. Reads each, to find those that are damaged.
    static func marks(_ db: Database) throws -> [PictureMark] {
        let rows = try Row.fetchCursor(db, sql: "SELECT * FROM picture ORDER BY peer")
        var marks: [PictureMark] = []
        while let row = try rows.next() {
            guard let peer = (try? row.value("peer") as Data).flatMap({ PeerID($0) }), let picture = intact(row, peer)
            else { continue }
            marks.append(PictureMark(peer: peer, id: picture.id, made: picture.made))
        }
        return marks
    }

    static func picture(of peer: PeerID, _ db: Database) throws -> SignedPicture? {
        let sql = "SELECT * FROM picture WHERE peer = ?"
        return try Row.fetchOne(db, sql: sql, arguments: [peer.data]).flatMap { intact($0, peer) }
    }

    /// The picture of a row; `nil` if it is not the one that its person signed (store.md, "Damage").
    private static func intact(_ row: Row, _ peer: PeerID) -> SignedPicture? {
        guard let content = try? row.value("content") as Data, let made = try? row.value("made") as Int64,
            let signature = try? row.value("signature") as Data, let id = try? row.value("id") as Data
        else { return nil }
        let picture = SignedPicture(
            content: [UInt8](content),
            made: UInt64(clamping: made),
            signature: [UInt8](signature)
        )
        return picture.id == PictureID(id) && picture.isSigned(by: peer) ? picture : nil
    }
}
