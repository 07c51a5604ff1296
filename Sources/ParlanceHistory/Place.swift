/// A position in a log, by the number of the log's row.
package struct Place: Hashable, Sendable {
    package let log: Int64
    package let sequence: UInt64

    package init(log: Int64, sequence: UInt64) { (self.log, self.sequence) = (log, sequence) }
}
