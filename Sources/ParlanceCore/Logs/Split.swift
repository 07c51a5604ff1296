import ParlanceWire

/// Where a log turns out to part, and into which branches (events.md, "Forks").
struct Split: Equatable, Sendable {
    let log: LogID
    /// The last event that the branches have in common.
    let base: LogPosition
    let branches: [BranchRecord]
    /// The branch that what is held beyond the base belongs to; `nil` if nothing is.
    let own: BranchRecord?
}
