import ParlanceRecords
import ParlanceWire

/// The base at which a log forks, and the branches (events.md, "Forks").
struct Split: Equatable, Sendable {
    let log: LogID
    /// The last event that the branches share.
    let base: LogPosition
    let branches: [BranchRecord]
    /// The branch that contains the events held beyond the base; `nil` if none are held.
    let own: BranchRecord?
}
