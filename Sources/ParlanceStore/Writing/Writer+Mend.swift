import GRDB
import ParlanceHistory
import ParlanceRecords
import ParlanceWire

// Restoring rows that the disk has changed (`EventRow`). It is done when one is read, for all rows of its conversation.
extension Writer {
    /// - Returns: what was damaged; empty if nothing is any more.
    func mend(_ damage: DamagedEvent, _ db: Database) throws -> [MendedEvent] {
        var found: [MendedEvent] = []
        if let id = damage.conversation { found = try mend(in: id, db) }
        return found.isEmpty ? try mend(in: nil, db) : found
    }

    private func mend(in conversation: ConversationID?, _ db: Database) throws -> [MendedEvent] {
        try transaction(db) { outcome in
            var found = try mendMembership(db)
            var lost: [Place] = []
            for (place, row, finding) in try damagedRows(in: conversation, db) {
                let isLost: Bool
                let right: EventRow
                switch finding {
                case .whole: continue
                case .restored(let row): (right, isLost) = (row, false)
                case .textLost(let row): (right, isLost) = (row, true)
                case .beyondRepair: throw StoreError.damaged("event \(place.sequence): \(row.id.count) bytes of ID")
                }
                try save(right, at: place, db)
                if isLost { lost.append(place) }
                guard let header = try? EventHeader(decoding: right.header) else {
                    broken("a mended row has a readable header")
                    continue
                }
                found.append(
                    MendedEvent(
                        conversation: header.conversation,
                        log: try LogTable.key(of: place.log, db)?.log ?? header.log,
                        sequence: place.sequence,
                        isTextLost: isLost
                    )
                )
            }
            // All rows are right by now, so those that these are about can be read.
            for place in lost { try history.lose(place, &outcome) }
            _ = try history.settle(&outcome)
            return found
        }
    }

    private func damagedRows(
        in conversation: ConversationID?,
        _ db: Database
    ) throws -> [(Place, EventRow, EventRow.Finding)] {
        let all = "SELECT log, sequence, id, header, body, signature FROM event"
        let inOne = """
            \(all) WHERE log IN (
                SELECT log.id FROM log JOIN conversation ON conversation.id = log.conversation WHERE conversation.name = ?
            )
            """
        let rows = try conversation.map { try db.prepared(inOne, $0) } ?? db.prepared(all)
        var found: [(Place, EventRow, EventRow.Finding)] = []
        try rows.each { columns in
            let row = EventRow(columns, from: 2)
            let finding = row.examined()
            let place = Place(log: columns.integer(0), sequence: columns.bits(1))
            if finding != .whole { found.append((place, row, finding)) }
        }
        return found
    }

    private func save(_ row: EventRow, at place: Place, _ db: Database) throws {
        let sql = "UPDATE event SET id = ?, header = ?, body = ?, signature = ? WHERE log = ? AND sequence = ?"
        try db.prepared(sql, row.id, row.header, row.body, row.signature, place.log, place.sequence).run()
    }

    /// Membership events that came by themselves.
    private func mendMembership(_ db: Database) throws -> [MendedEvent] {
        let sql = "SELECT place, id, header, body, signature FROM membership"
        var damaged: [(Int64, EventRow)] = []
        try db.prepared(sql).each { columns in
            switch EventRow(columns, from: 1).examined() {
            case .whole: break
            // These are passed on one by one, so each needs its signature.
            case .restored(let row) where row.signature != nil: damaged.append((columns.integer(0), row))
            case .restored, .textLost, .beyondRepair: throw StoreError.damaged("membership row")
            }
        }
        var found: [MendedEvent] = []
        for (place, row) in damaged {
            let change = "UPDATE membership SET id = ?, header = ?, body = ?, signature = ? WHERE place = ?"
            try db.prepared(change, row.id, row.header, row.body, row.signature, place).run()
            guard let header = try? EventHeader(decoding: row.header) else {
                broken("a mended row has a readable header")
                continue
            }
            found.append(
                MendedEvent(
                    conversation: header.conversation,
                    log: header.log,
                    sequence: header.sequence,
                    isTextLost: false
                )
            )
        }
        return found
    }
}
