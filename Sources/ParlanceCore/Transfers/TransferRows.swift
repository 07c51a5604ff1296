import ParlanceWire

/// The rows of files that are kept in memory: all but those of files that are here, and the newest of those.
struct TransferRows: Equatable, Sendable {
    private var rows: [FileID: TransferRecord] = [:]
    /// The files that are here, by when it was decided to fetch them.
    private var done: SortedSet<Key> = []

    private struct Key: Hashable, Comparable, Sendable {
        var since: Int64
        var file: FileID

        init(_ record: TransferRecord) { (since, file) = (record.since, record.file) }

        static func < (a: Key, b: Key) -> Bool { (a.since, a.file) < (b.since, b.file) }
    }

    init(_ records: [TransferRecord]) {
        for record in records { set(record) }
    }

    subscript(file: FileID) -> TransferRecord? { rows[file] }

    var count: Int { rows.count }

    /// How many files are not here.
    var openCount: Int { rows.count - done.count }

    /// The newest first.
    var inOrder: [TransferRecord] {
        rows.values.sorted { ($0.since, $0.file) > ($1.since, $1.file) }
    }

    mutating func set(_ record: TransferRecord) {
        if let old = rows.updateValue(record, forKey: record.file) { done.remove(Key(old)) }
        guard record.state == .done else { return }
        done.insert(Key(record))
        guard done.count > Limits.finishedTransfers, let oldest = done.first else { return }
        done.remove(oldest)
        rows[oldest.file] = nil
    }
}
