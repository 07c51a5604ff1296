/// A position in a log, by the number of the log's row.
struct Place: Hashable {
    let log: Int64
    let sequence: UInt64
}
