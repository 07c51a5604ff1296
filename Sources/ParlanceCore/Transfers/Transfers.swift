import ParlanceWire

/// Which files are wanted, and how they are fetched from others and served to them (files.md, "Asking").
struct Transfers: Equatable, Sendable {
    private var rows: TransferRows
    /// The largest file that is fetched without being asked for; 0 if none is.
    private var autoFetchBytes: UInt64

    init(_ stored: TransferRows, autoFetchBytes: UInt64) {
        rows = stored
        self.autoFetchBytes = autoFetchBytes
    }

    // What was decided.

    /// The newest first.
    var records: [TransferRecord] { rows.inOrder }

    /// How far each file has come, the newest first.
    var views: [TransferView] { records.map { view(of: $0) } }

    var uploads: [UploadView] { [] }

    private func view(of record: TransferRecord) -> TransferView {
        TransferView(record, bytes: record.state == .done ? record.size : 0)
    }

    mutating func setAutoFetch(_ bytes: UInt64) { autoFetchBytes = bytes }

    /// Returns to the rows on disk after a batch failed.
    mutating func takeBack(_ durable: TransferRows) {
        rows = durable
    }

    private mutating func save(_ record: TransferRecord, _ turn: inout Turn) {
        rows.set(record)
        turn.batch.rows.transfers.append(record)
        turn.whenDurable(.effect(.notify(.transfer(view(of: record)))))
    }
}

// Commands of the user.
extension Transfers {
    mutating func fetch(_ mention: FileMention, in conversation: ConversationID, _ id: CommandID, _ turn: inout Turn) {
        guard (try? FileShape(size: mention.size)) != nil else { return turn.refuse(id, .file(.unknown)) }
        if rows[mention.file].map({ $0.state == .done }) ?? true, rows.openCount >= Limits.transfers {
            return turn.refuse(id, .file(.many(files: Limits.transfers)))
        }
        let record = TransferRecord(
            file: mention.file,
            conversation: conversation,
            size: mention.size,
            isByHand: true,
            since: turn.now.wall
        )
        save(record, &turn)
        turn.whenDurable(.answer(id, .done))
    }

    mutating func pause(_ file: FileID, _ id: CommandID, _ turn: inout Turn) {
        change(file, id, &turn) { record in
            switch record.state {
            case .wanted, .paused: record.state = .paused
            case .done, .cancelled, .failed: return false
            }
            return true
        }
    }

    mutating func resume(_ file: FileID, _ id: CommandID, _ turn: inout Turn) {
        change(file, id, &turn) { record in
            switch record.state {
            case .wanted, .paused: record.state = .wanted
            case .done, .cancelled, .failed: return false
            }
            return true
        }
    }

    mutating func cancel(_ file: FileID, _ id: CommandID, _ turn: inout Turn) {
        change(file, id, &turn) { record in
            guard record.state != .done else { return false }
            record.state = .cancelled
            return true
        }
    }

    mutating func retry(_ file: FileID, _ id: CommandID, _ turn: inout Turn) {
        change(file, id, &turn) { record in
            switch record.state {
            case .wanted, .failed: (record.state, record.tries) = (.wanted, 0)
            case .paused, .done, .cancelled: return false
            }
            return true
        }
    }

    /// - Parameter body: changes the row; returns `false` if it cannot be changed so.
    private mutating func change(
        _ file: FileID,
        _ id: CommandID,
        _ turn: inout Turn,
        _ body: (inout TransferRecord) -> Bool
    ) {
        guard var record = rows[file] else { return turn.refuse(id, .file(.unknown)) }
        let before = record
        guard body(&record) else { return turn.refuse(id, .file(.notFetched)) }
        if record != before { save(record, &turn) }
        turn.whenDurable(.answer(id, .done))
    }
}
