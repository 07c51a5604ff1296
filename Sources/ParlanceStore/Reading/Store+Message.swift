import GRDB
import ParlanceCore
import ParlanceHistory
package import ParlanceRecords
package import ParlanceWire

/// One of the texts that a message had.
package struct MessageVersion: Equatable, Sendable {
    /// In the first version the message's ID, in the others the edit's ID.
    package var id: EventID
    /// `nil` if the text was dropped or has not arrived.
    package var text: String?
    /// When it was written, by its author's clock.
    package var time: WrittenTime

    package init(id: EventID, text: String?, time: WrittenTime) {
        self.id = id
        self.text = text
        self.time = time
    }
}

extension Store {
    /// A message or note by reference; `nil` if it is not shown.
    package func message(
        _ reference: EventReference,
        in conversation: ConversationID
    ) throws(StoreError) -> ShownMessage? {
        try read { db in
            guard let row = try ConversationTable.row(of: conversation, db) else { return nil }
            let reader = try MessageReader(ReaderTables(db), conversation: row)
            guard let found = try reader.find(reference, notes: true), let flags = found.flags else { return nil }
            return try reader.line(
                found.event,
                id: reference.id,
                flags: flags,
                effective: found.effective,
                log: found.log
            )
        }
    }

    /// The texts that a message had, in the order shown; empty if the message is not shown.
    package func versions(
        of reference: EventReference,
        in conversation: ConversationID
    ) throws(StoreError) -> [MessageVersion] {
        try read { db in
            guard let row = try ConversationTable.row(of: conversation, db),
                let found = try MessageReader(ReaderTables(db), conversation: row).find(reference), found.flags != nil
            else { return [] }
            var first = MessageVersion(id: found.event.id, text: nil, time: found.event.writtenTime)
            if case .message(let own) = Projector.judge(found.event, after: nil) { first.text = own.text }
            var versions = [first]
            for edit in try AnnotationTable.edits(of: Place(log: found.log, sequence: reference.sequence), db)
            where edit.state != .void {
                guard let event = try EventTable.find(log: edit.log, sequence: edit.sequence, db)?.event else {
                    continue
                }
                let text = try MessageReader.text(of: edit, ReaderTables(db))?.text
                versions.append(MessageVersion(id: event.id, text: text, time: event.writtenTime))
            }
            return versions
        }
    }
}
