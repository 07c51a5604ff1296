package import ParlanceCore
package import ParlanceRecords
package import ParlanceWire

/// A real store behind a simulated disk: it gets the same batches, and must give the same answers.
/// `ParlanceTestKit` imports no store; the program that runs the simulator provides it.
package protocol RealDisk: AnyObject {
    func persist(_ batch: PersistBatch) throws -> PersistReceipt
    func read(_ request: ReadRequest) throws -> [StoredEvent]
    func beginEpoch() throws -> UInt64
    func snapshot() throws -> EngineSnapshot
    func history(of conversation: ConversationID) throws -> [ShownMessage]
    /// The messages of waiting logs that are shown before they are applied.
    func waiting(of logs: Set<LogID>, in conversation: ConversationID) throws -> [ShownMessage]
    /// How many messages of others are unread, and how many of these mention the owner.
    func unread(in conversation: ConversationID) throws -> (unread: Int, mentions: Int)
    /// All conversations as they are listed.
    func conversations() throws -> [ConversationID]
    /// The messages of a local log that may wait for a recipient.
    func own(in log: LogID, of conversation: ConversationID) throws -> [ShownMessage]
    /// All texts of a message, the oldest first.
    func versions(of message: EventReference, in conversation: ConversationID) throws -> [String?]
    /// Makes the projections again from the events.
    func rebuild() throws
    /// The process dies. The contents of `torn` were being written: a part of them has reached the disk, but not all.
    func crash(tearing torn: PersistBatch?) throws
    /// Keeps a copy of the folder as it is, or the copy that the store makes for a backup file.
    func backUp(asFile: Bool) throws
    /// Puts the copy back, or an empty folder if there is none, under a new replica.
    func restore(as replica: ReplicaID) throws
    /// Puts the copy back, and keeps the previous folder as the copy.
    func swapCopies(as replica: ReplicaID) throws
    /// Removes the folder.
    func remove()
}
