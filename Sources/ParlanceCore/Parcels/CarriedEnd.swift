import ParlanceRecords
import ParlanceWire

/// The end of a carried run of which nothing was taken. Whether the run is held has to be read: only the last
/// events of a log are known without the disk.
struct CarriedEnd: Equatable, Sendable {
    let conversation: ConversationID
    let author: PeerID
    let position: LogPosition
    /// The author's signature as it came; not verified.
    let signature: [UInt8]
    /// The log or branches that may have the event and were not read yet, the next one last; at least one.
    var places: [LogID]

    /// Whether the author signed the event. If it is held nowhere, the log has another branch.
    var isSigned: Bool { HeadSeal.verify(signature, of: position.head, by: author) }
}
