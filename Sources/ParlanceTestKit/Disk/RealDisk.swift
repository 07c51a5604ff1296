package import ParlanceCore
package import ParlanceWire

/// A real store that stands behind a simulated disk: it gets the same batches, and must give the same answers.
///
/// `ParlanceTestKit` knows no store; the program that runs the simulator brings it.
package protocol RealDisk: AnyObject {
    func persist(_ batch: PersistBatch) throws -> PersistReceipt
    func read(_ request: ReadRequest) throws -> [StoredEvent]
    func beginEpoch() throws -> UInt64
    func snapshot() throws -> EngineSnapshot
    func history(of conversation: ConversationID) throws -> [ShownMessage]
    /// Messages of logs that wait, and are shown all the same.
    func waiting(of logs: Set<LogID>, in conversation: ConversationID) throws -> [ShownMessage]
    /// How many messages of others have not been read, and how many of these mention the owner.
    func unread(in conversation: ConversationID) throws -> (unread: Int, mentions: Int)
    /// All conversations as a list shows them.
    func conversations() throws -> [ConversationID]
    /// Messages of an own log that may wait for somebody.
    func own(in log: LogID, of conversation: ConversationID) throws -> [ShownMessage]
    /// The texts that a message has had, the oldest first.
    func versions(of message: EventReference, in conversation: ConversationID) throws -> [String?]
    /// Makes the projections anew from the events.
    func rebuild() throws
    /// The process dies. What `torn` holds was being written: a part of it has reached the disk, but not all.
    func crash(tearing torn: PersistBatch?) throws
    /// Keeps a copy of the folder as it is.
    func backUp() throws
    /// Puts the copy back, or an empty folder if there is none, under a new replica.
    func restore(as replica: ReplicaID) throws
    /// Puts the copy back, and keeps what was there as the copy.
    func swapCopies(as replica: ReplicaID) throws
    /// Takes the folder away.
    func remove()
}
