import ParlanceRecords
import ParlanceWire

// What the user decides, and what is fetched without being asked for.
extension Transfers {
    mutating func fetch(
        _ mention: FileMention,
        in conversation: ConversationID,
        _ id: CommandID,
        _ links: Links,
        _ turn: inout Turn
    ) {
        guard (try? FileShape(size: mention.size)) != nil else { return turn.refuse(id, .file(.unknown)) }
        guard hasRoom(for: mention.file) else { return turn.refuse(id, .file(.many(files: Limits.transfers))) }
        if let record = rows[mention.file], record.state == .wanted, record.size == mention.size,
            record.conversation == conversation
        {
            hurry(record, &turn)
        } else {
            want(mention.file, mention.size, in: conversation, isByHand: true, links, &turn)
        }
        turn.whenDurable(.answer(id, .done))
    }

    /// The user asks for what is wanted already: another try is made now, and what has come stays.
    private mutating func hurry(_ record: TransferRecord, _ turn: inout Turn) {
        var changed = record
        (changed.isByHand, changed.tries) = (true, 0)
        if changed != record { save(changed, &turn) }
        change(record.file) { $0.forgive() }
        turn.deadlines.advance(.files, to: turn.now.monotonic)
    }

    /// A message of somebody else names a file.
    mutating func offered(
        _ file: FileID,
        _ size: UInt64,
        in conversation: ConversationID,
        _ links: Links,
        _ turn: inout Turn
    ) {
        guard autoFetchBytes > 0, size <= autoFetchBytes, mayWant(file, size, in: conversation),
            takeBudget(size, at: turn.now.monotonic)
        else { return }
        want(file, size, in: conversation, isByHand: false, links, &turn)
    }

    /// Whether a file that is offered may be wanted without the user: it has no row, it was here and is gone, or its row is
    /// one that another message made and of which nothing has come. So a false name of it does not keep it away.
    private func mayWant(_ file: FileID, _ size: UInt64, in conversation: ConversationID) -> Bool {
        guard let record = rows[file], record.state != .removed else {
            return hasRoom(for: file) && rows.unaskedCount < Limits.autoTransfers
        }
        guard !record.isByHand, record.size != size || record.conversation != conversation else { return false }
        guard fetches[file]?.isUnproven == true else { return false }
        return record.state == .wanted || record.state == .failed(.peers)
    }

    private func hasRoom(for file: FileID) -> Bool {
        let isOpen = rows[file].map { !$0.state.isSettled } ?? false
        return isOpen || rows.openCount < Limits.transfers
    }

    private mutating func want(
        _ file: FileID,
        _ size: UInt64,
        in conversation: ConversationID,
        isByHand: Bool,
        _ links: Links,
        _ turn: inout Turn
    ) {
        guard let shape = try? FileShape(size: size) else { return }
        leave(file, because: .enough, links, &turn)
        if let before = rows[file] { dequeue(before) }
        let record = TransferRecord(
            file: file,
            conversation: conversation,
            size: size,
            isByHand: isByHand,
            since: turn.now.wall
        )
        set(file, Fetch(shape))
        enqueue(record)
        save(record, &turn)
        turn.deadlines.advance(.files, to: turn.now.monotonic)
    }

    mutating func pause(_ file: FileID, _ id: CommandID, _ links: Links, _ turn: inout Turn) {
        change(file, id, links, &turn) { record in
            switch record.state {
            case .wanted, .paused: record.state = .paused
            case .done, .removed, .cancelled, .failed: return false
            }
            return true
        }
    }

    mutating func resume(_ file: FileID, _ id: CommandID, _ links: Links, _ turn: inout Turn) {
        if rows[file]?.state == .paused { change(file) { $0.wake() } }
        change(file, id, links, &turn) { record in
            switch record.state {
            case .wanted, .paused: record.state = .wanted
            case .done, .removed, .cancelled, .failed: return false
            }
            return true
        }
    }

    mutating func cancel(_ file: FileID, _ id: CommandID, _ links: Links, _ turn: inout Turn) {
        change(file, id, links, &turn) { record in
            guard record.state != .done, record.state != .removed else { return false }
            record.state = .cancelled
            return true
        }
    }

    mutating func retry(_ file: FileID, _ id: CommandID, _ links: Links, _ turn: inout Turn) {
        change(file, id, links, &turn) { record in
            switch record.state {
            case .wanted, .failed: (record.state, record.tries) = (.wanted, 0)
            case .paused, .done, .removed, .cancelled: return false
            }
            return true
        }
        change(file) { $0.forgive() }
        turn.deadlines.advance(.files, to: turn.now.monotonic)
    }

    /// - Parameter body: changes the row; returns `false` if it cannot be changed so.
    private mutating func change(
        _ file: FileID,
        _ id: CommandID,
        _ links: Links,
        _ turn: inout Turn,
        _ body: (inout TransferRecord) -> Bool
    ) {
        guard var record = rows[file] else { return turn.refuse(id, .file(.unknown)) }
        let before = record
        guard body(&record) else { return turn.refuse(id, .file(.notFetched)) }
        if record != before { decide(record, links, &turn) }
        turn.whenDurable(.answer(id, .done))
    }

    /// Takes over another state of a row.
    mutating func decide(
        _ record: TransferRecord,
        because reason: WireFileStopReason = .enough,
        _ links: Links,
        _ turn: inout Turn
    ) {
        let file = record.file
        if record.state != .wanted {
            leave(file, because: reason, links, &turn)
            dequeue(record)
        } else if fetches[file]?.isActive != true {
            enqueue(record)
        }
        save(record, &turn)
        if record.state == .cancelled {
            set(file, Fetch?.none)
            turn.emit(.shelf(.drop(file)))
            unhold(file, links, &turn)
        }
        turn.deadlines.advance(.files, to: turn.now.monotonic)
    }
}
