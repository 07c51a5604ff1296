import ParlanceHistory
package import ParlanceRecords
package import ParlanceWire

// What people see of the rows.
extension SimulatedDisk {
    /// Reads rows of a conversation; `nil` if it is not here.
    func read<Value>(_ conversation: ConversationID, _ body: (MemoryTables, Int64) throws -> Value?) -> Value? {
        let tables = MemoryTables(allRows)
        guard let row = try? tables.conversation(conversation)?.row else { return nil }
        return try? body(tables, row)
    }

    /// The lines that people see of a conversation, in the order shown.
    package func history(of conversation: ConversationID) -> [ShownMessage] {
        let lines = read(conversation) { tables, row in
            let reader = try MessageReader(tables, conversation: row)
            return try tables.lines(conversationRow: row).map { line in
                try reader.line(
                    line.event,
                    id: line.id,
                    flags: line.flags,
                    effective: line.effective,
                    log: line.log
                )
            }
        }
        return lines ?? []
    }

    /// The same by their IDs.
    func lines(of conversation: ConversationID) -> [EventID: ShownMessage] {
        Dictionary(history(of: conversation).map { ($0.id, $0) }) { first, _ in first }
    }

    /// A line by its ID; `nil` if it is not shown.
    package func shows(_ id: EventID) -> ShownMessage? {
        for (row, lines) in allRows.lines where lines[id] != nil { return line(id, in: conversations[Int(row) - 1].id) }
        return nil
    }

    /// A line of a conversation; `nil` if it is not shown.
    func line(_ id: EventID, in conversation: ConversationID) -> ShownMessage? {
        read(conversation) { tables, row in
            guard let line = allRows.lines[row]?[id],
                let event = try tables.event(log: line.place.log, sequence: line.place.sequence)?.event
            else { return nil }
            return try MessageReader(tables, conversation: row)
                .line(event, id: id, flags: line.flags, effective: line.effective, log: line.place.log)
        }
    }

    /// The last message of every conversation, as it is shown.
    package func latestShown() -> [ConversationID: ShownMessage] {
        var found: [ConversationID: ShownMessage] = [:]
        for record in conversations { found[record.id] = history(of: record.id).last { $0.note != .forked } }
        return found
    }

    /// The title of a group; empty if no applied event gives it.
    func label(of group: ConversationID) -> GroupLabel {
        read(group) { try $0.label(of: group, $1) } ?? GroupLabel(conversation: group, title: "", topic: "")
    }

    /// What was said of how long messages stay, where anything was.
    package var lifetimes: [ConversationID: LifetimeTerms] {
        var found: [ConversationID: LifetimeTerms] = [:]
        for record in conversations {
            guard let terms = read(record.id, { try $0.lifetime(of: record.id, $1) }),
                terms != LifetimeTerms(conversation: record.id)
            else { continue }
            found[record.id] = terms
        }
        return found
    }
}
