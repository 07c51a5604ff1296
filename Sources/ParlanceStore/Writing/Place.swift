/// A place in a log, by the log's number.
struct Place: Hashable {
    let log: Int64
    let sequence: UInt64
}
