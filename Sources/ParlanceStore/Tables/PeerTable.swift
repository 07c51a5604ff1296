import Foundation
import GRDB
import ParlanceCore
import ParlanceWire

/// What is known of other identities. Columns that no query searches (epochs, addresses, deposits) are JSON.
enum PeerTable {
    static let create = """
        CREATE TABLE peer (
            id BLOB PRIMARY KEY,
            trust TEXT NOT NULL,
            announced_name TEXT NOT NULL,
            pinned_name TEXT,
            alias TEXT,
            last_seen INTEGER,
            epochs TEXT NOT NULL,
            addresses TEXT NOT NULL,
            request_preview TEXT,
            request_time INTEGER,
            request_host TEXT,
            answer_received BLOB,
            answer_given BLOB,
            refused_through INTEGER
        ) WITHOUT ROWID
        """

    static let addHours = "ALTER TABLE peer ADD COLUMN hours BLOB"

    /// An address in JSON.
    private struct Address: Codable {
        var host: String
        var port: UInt16
    }

    static func save(_ peer: PeerRecord, _ db: Database) throws {
        let epochs = peer.epochs.map { (Base32.encode($0.key.bytes), $0.value) }
        let addresses = peer.addresses.map { Address(host: $0.host, port: $0.port) }
        try db.cachedStatement(
            sql: "INSERT OR REPLACE INTO peer VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        ).execute(arguments: [
            peer.id.data, peer.trust.rawValue, peer.announcedName, peer.pinnedName, peer.alias, peer.lastSeen,
            try json(Dictionary(uniqueKeysWithValues: epochs)), try json(addresses), peer.request?.preview,
            peer.request?.time, peer.request?.host, peer.answerReceived.map { Data($0) },
            peer.answerGiven.map { Data($0) }, peer.refusedThrough.map { Int64(bitPattern: $0) },
            peer.declined, peer.trustBefore?.rawValue, peer.isCourier, peer.prekeys.map { Data($0) },
            peer.deposits.isEmpty ? nil : try json(peer.deposits), peer.signedAddresses.map { Data($0) },
            peer.hours.encoded.map { Data($0) },
        ])
    }

    static func all(_ db: Database) throws -> [PeerRecord] {
        let rows = try Row.fetchCursor(try db.cachedStatement(sql: "SELECT * FROM peer ORDER BY id"))
        var found: [PeerRecord] = []
        while let row = try rows.next() { found.append(try record(row)) }
        return found
    }

    private static func record(_ row: Row) throws -> PeerRecord {
        guard let id = PeerID(try row.value("id") as Data), let trust = Trust(rawValue: try row.value("trust")) else {
            throw StoreError.damaged("peer row")
        }
        var peer = PeerRecord(id: id)
        peer.trust = trust
        peer.announcedName = try row.value("announced_name")
        peer.pinnedName = try row.value("pinned_name")
        peer.alias = try row.value("alias")
        peer.lastSeen = try row.value("last_seen")
        for (text, epoch) in try parse([String: UInt64].self, try row.value("epochs")) {
            guard let replica = Base32.decode(text).flatMap({ ReplicaID($0) }) else {
                throw StoreError.damaged("peer row")
            }
            peer.epochs[replica] = epoch
        }
        peer.addresses = try parse([Address].self, try row.value("addresses")).map {
            Endpoint(host: $0.host, port: $0.port)
        }
        if let preview: String = try row.value("request_preview") {
            peer.request = try RequestRecord(
                preview: preview,
                time: row.value("request_time"),
                host: row.value("request_host")
            )
        }
        peer.answerReceived = try row.bytes("answer_received")
        peer.answerGiven = try row.bytes("answer_given")
        let refusedThrough: Int64? = try row.value("refused_through")
        peer.refusedThrough = refusedThrough.map { UInt64(bitPattern: $0) }
        peer.declined = try row.value("declined")
        peer.signedAddresses = try row.bytes("signed_addresses")
        if let bytes = try row.bytes("hours") {
            guard let hours = SeenHours(encoded: bytes) else { throw StoreError.damaged("peer row") }
            peer.hours = hours
        }
        if let before: String = try row.value("trust_before") {
            guard let trust = Trust(rawValue: before) else { throw StoreError.damaged("peer row") }
            peer.trustBefore = trust
        }
        peer.isCourier = try row.value("courier")
        peer.prekeys = try row.bytes("prekeys")
        let deposits: String? = try row.value("deposits")
        peer.deposits = try deposits.map { try parse([DepositRecord].self, $0) } ?? []
        return peer
    }

    private static func json(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    private static func parse<Value: Decodable>(_ type: Value.Type, _ text: String) throws -> Value {
        try JSONDecoder().decode(type, from: Data(text.utf8))
    }
}
