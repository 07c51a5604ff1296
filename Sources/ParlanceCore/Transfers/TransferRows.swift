import ParlanceRecords
import ParlanceWire

/// The rows of files that are kept in memory: all that are not settled, and the newest of the others.
struct TransferRows: Equatable, Sendable {
    private var rows: [FileID: TransferRecord] = [:]
    /// The settled ones, by when it was decided to fetch them.
    private var settled: SortedSet<Key> = []

    /// How many of the files that are not settled the user did not ask for.
    private(set) var unaskedCount = 0

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

    var files: some Sequence<FileID> { rows.keys }

    /// How many files are not settled.
    var openCount: Int { rows.count - settled.count }

    /// The newest first.
    var inOrder: [TransferRecord] {
        rows.values.sorted { ($0.since, $0.file) > ($1.since, $1.file) }
    }

    /// - Returns: the file whose row was dropped in favour of this one.
    @discardableResult
    mutating func set(_ record: TransferRecord) -> FileID? {
        if let old = rows.updateValue(record, forKey: record.file) {
            settled.remove(Key(old))
            if old.isUnasked { unaskedCount -= 1 }
        }
        if record.isUnasked { unaskedCount += 1 }
        guard record.state.isSettled else { return nil }
        settled.insert(Key(record))
        guard settled.count > Limits.finishedTransfers, let oldest = settled.first else { return nil }
        settled.remove(oldest)
        rows[oldest.file] = nil
        return oldest.file
    }
}

extension TransferRecord {
    /// Whether it may still be fetched and the user did not ask for it.
    fileprivate var isUnasked: Bool { isOpen && !isByHand }
}
