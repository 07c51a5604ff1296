import Foundation
import GRDB
import ParlanceCore
import ParlanceWire

/// The user's settings for conversations, where they differ from those of a new one.
enum PreferenceTable {
    static let create = """
        CREATE TABLE preference (
            conversation INTEGER PRIMARY KEY REFERENCES conversation (id),
            pinned INTEGER NOT NULL,
            muted INTEGER NOT NULL,
            muted_until INTEGER
        )
        """

    static func save(_ preference: Preference, conversationRow: Int64, _ db: Database) throws {
        guard preference != Preference() else {
            return try db.execute(sql: "DELETE FROM preference WHERE conversation = ?", arguments: [conversationRow])
        }
        var end: Int64?
        if case .until(let moment) = preference.mute { end = moment }
        try db.execute(
            sql: "INSERT OR REPLACE INTO preference VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            arguments: [
                conversationRow, preference.isPinned, preference.mute != nil, end, preference.retention,
                preference.quiet?.start, preference.quiet?.end, preference.agreement?.milliseconds,
                preference.agreement?.since, preference.unlisted?.rawValue,
            ]
        )
    }

    static func all(_ db: Database) throws -> [PreferenceRecord] {
        let sql = """
            SELECT conversation.name, pinned, muted, muted_until, retention, quiet_start, quiet_end, agreed,
                agreed_since, unlisted
            FROM preference JOIN conversation ON conversation.id = preference.conversation
            """
        let records = try Row.fetchAll(db, sql: sql).map { row in
            guard let conversation = ConversationID(try row.value("name") as Data) else {
                throw StoreError.damaged("preference row")
            }
            var preference = Preference()
            preference.isPinned = try row.value("pinned")
            if try row.value("muted") {
                let end: Int64? = try row.value("muted_until")
                preference.mute = end.map { .until($0) } ?? .always
            }
            if let retention: Int64 = try row.value("retention") {
                // A store that somebody has forged must not stop the node at each sweep.
                let possible = Limits.leastRetentionMilliseconds...Limits.retentionMilliseconds
                guard possible.contains(retention) else { throw StoreError.damaged("preference row") }
                preference.retention = retention
            }
            if let start: Int = try row.value("quiet_start"), let end: Int = try row.value("quiet_end") {
                preference.quiet = DayPart(start: start, end: end)
            }
            if let milliseconds: Int64 = try row.value("agreed"), let since: Int64 = try row.value("agreed_since") {
                preference.agreement = Preference.Agreement(milliseconds: milliseconds, since: since)
            }
            let unlisted: Int64? = try row.value("unlisted")
            preference.unlisted = unlisted.flatMap { Preference.Unlisted(rawValue: $0) }
            return PreferenceRecord(conversation: conversation, preference: preference)
        }
        return records.sorted { $0.conversation < $1.conversation }
    }
}
