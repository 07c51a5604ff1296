// Texts that are removed by age, by agreement, or because the user clears them (events.md).
extension Limits {
    /// The least and the greatest age at which a user can have texts removed.
    package static let leastRetentionMilliseconds: Int64 = 3_600_000
    package static let retentionMilliseconds: Int64 = 315_360_000_000
    /// For how long messages may stay where members have agreed that they disappear: as with the user's own setting.
    package static let leastLifetimeSeconds: UInt64 = 3_600
    package static let lifetimeSeconds: UInt64 = 315_360_000
    /// Events that a batch looks at to remove old texts. More wait for the next batch, so that people do not.
    package static let retentionPerBatch = 1_000
    /// Bytes of old texts that a batch removes, besides the last of them: the database writes what it removes to its log
    /// first, and on a full disk there is only the reserve for that.
    package static let retentionBytesPerBatch = 262_144
    /// Between two such batches.
    package static let retentionPauseMilliseconds: Int64 = 200
    /// After a start, before old texts are removed: the node may not run for an hour.
    package static let retentionDelayMilliseconds: Int64 = 60_000
}
