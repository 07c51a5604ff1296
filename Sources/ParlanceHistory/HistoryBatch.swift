package import ParlanceRecords

/// What a batch says of conversations: all that the rules of the history read of it.
package protocol HistoryBatch {
    /// When the batch was closed, in milliseconds since 1970.
    var wall: Int64 { get }
    /// Logs of which texts were found to be damaged.
    var damaged: [LogKey] { get }
    /// Bodies that came for events held without a body.
    var bodies: [FoundBody] { get }
    /// Membership events that came ahead of their logs.
    var membership: [StoredEvent] { get }
    /// Branches of logs that turned out to be forked; they are written before `events`.
    var branches: [BranchRecord] { get }
    /// Logs whose events are to be applied without what has not come (events.md, "Given up").
    var givenUp: [GivenUp] { get }
    /// Consecutive in each log.
    var events: [StoredEvent] { get }
    /// The last sequence of each log that our events have named as a dependency.
    var named: [NamedLog] { get }
    var signatures: [HeadSignature] { get }
    var watermarks: [WatermarkRecord] { get }
    /// Logs of which old texts are to be removed.
    var retention: [RetainedLog] { get }
}
