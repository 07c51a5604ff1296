package import ParlanceRecords
package import ParlanceWire

/// The rows that the rules write, besides those that they read. A store implements it over its transaction, the simulator
/// over memory. Functions only do what they are named for: whatever is decided, `History` decides.
package protocol HistoryTables: AnyObject, HistoryReading {
    // Conversations and logs.

    /// The number of a conversation's row, and whether it is a group.
    func conversation(_ id: ConversationID) throws -> (row: Int64, isGroup: Bool)?
    /// The row of a log.
    func progress(of key: LogKey, conversationRow: Int64, isOwn: Bool, group: GroupState?) throws -> LogProgress?
    func insertLog(_ key: LogKey, conversationRow: Int64, read: UInt64) throws
    func save(_ progress: LogProgress) throws
    func logKey(of row: Int64) throws -> LogKey?
    /// All logs, or those of one conversation, in the order of creation.
    func logs(conversationRow: Int64?) throws -> [LogKey]
    /// The replicas of an author that have logs in a conversation, including names of branches, in the order of their IDs.
    func replicas(of author: PeerID, conversationRow: Int64) throws -> [ReplicaID]
    func insertBranch(_ record: BranchRecord, log: Int64, conversationRow: Int64) throws
    /// Changes the parent of a branch.
    func moveBranch(log: Int64, to parent: LogID) throws
    func insertGivenUp(_ id: EventID, conversationRow: Int64) throws
    func save(_ watermark: WatermarkRecord, conversationRow: Int64) throws
    /// How far any replica of a member has read a log; 0 if unknown.
    func readThrough(_ log: LogID, member: PeerID, conversationRow: Int64) throws -> UInt64

    // Membership.

    func insertMembership(_ event: StoredEvent, conversationRow: Int64) throws
    func deleteMembership(_ id: EventID, conversationRow: Int64) throws
    /// The membership events that are applied in their logs or in branches of these.
    func appliedMembership(conversationRow: Int64) throws -> Set<EventID>

    // Events.

    func insert(_ event: StoredEvent, log: Int64, effective: UInt64?) throws
    func setEffective(_ effective: UInt64, log: Int64, sequence: UInt64) throws
    func setSignature(_ signature: [UInt8], log: Int64, sequence: UInt64) throws
    func setBody(_ body: [UInt8], log: Int64, sequence: UInt64) throws
    func dropBody(log: Int64, sequence: UInt64) throws
    /// Moves the events of a log after a sequence to another log, with their withheld texts.
    func moveEvents(from log: Int64, to other: Int64, after sequence: UInt64) throws
    /// Deletes everything that was derived from the events of a conversation, or of all.
    func deleteProjections(conversationRow: Int64?) throws

    // Texts that are kept although nothing shows them.

    /// Keeps the present text of an event.
    func keepWithheld(_ place: Place, since: Int64) throws
    /// Removes and returns a text; `nil` if none is kept.
    func takeWithheld(_ place: Place) throws -> [UInt8]?
    /// - Returns: whether a text was kept.
    func deleteWithheld(_ place: Place) throws -> Bool
    /// Deletes texts that have been kept since a moment or longer.
    ///
    /// - Returns: whether there were any.
    func expireWithheld(since moment: Int64) throws -> Bool
    /// The sequences in a log whose texts are kept, ascending.
    func withheld(log: Int64) throws -> [UInt64]
    func hasWithheld() throws -> Bool
    /// A text was dropped for good: no trace of it is to stay.
    func noteDroppedText()

    // Lines: everything that is shown, in order.

    func insertLine(_ id: EventID, effective: UInt64, entry: LogProgress, sequence: UInt64, flags: LineFlags) throws
    func setFlags(_ flags: LineFlags, of id: EventID, effective: UInt64, entry: LogProgress) throws
    func deleteLine(_ id: EventID, effective: UInt64, entry: LogProgress) throws
    /// The position of a line; `nil` if there is no such line.
    func linePlace(of id: EventID, effective: UInt64, conversationRow: Int64) throws -> Place?
    /// Everything shown of a conversation, in the order shown.
    func lines(conversationRow: Int64) throws -> [Line]
    /// The messages of a log beyond its read mark, and those among them that mention the owner.
    func unread(in entry: LogProgress) throws -> (count: Int, mentions: Int)

    // What lines say besides their text.

    /// Inserts or replaces the effect of an event of a log on a message.
    func saveAbout(_ row: AboutRow) throws
    /// A deletion by an author that counts; `nil` if there is none.
    func deletion(of place: Place, by author: PeerID) throws -> About?
    /// The positions of the last answers to a message, in the order shown.
    func answers(to place: Place, last count: Int) throws -> [Place]
    func holdWithdrawal(log: Int64, sequence: UInt64) throws
    func countWithdrawal(log: Int64, sequence: UInt64) throws
    func insertFiles(_ files: [FileMention], log: Int64, sequence: UInt64) throws
    func deleteFiles(log: Int64, sequence: UInt64) throws

    // What notes set.

    func saveLabel(_ text: String, _ event: StoredEvent, effective: UInt64, conversationRow: Int64) throws
    func deleteLabel(_ event: StoredEvent, effective: UInt64, conversationRow: Int64) throws
    func saveLifetime(_ seconds: UInt64, _ event: StoredEvent, effective: UInt64, _ entry: LogProgress) throws
    func deleteLifetime(_ event: StoredEvent, effective: UInt64, _ entry: LogProgress) throws

    // Missing texts.

    /// The sequences of missing texts in a log, ascending.
    func missing(log: Int64) throws -> [UInt64]
    func isMissing(log: Int64, sequence: UInt64) throws -> Bool
    /// - Parameter target: the message that an edit is about; `nil` for a message.
    func insertMissing(log: Int64, sequence: UInt64, target: EventID?, isExcused: Bool) throws
    func deleteMissing(log: Int64, sequence: UInt64) throws
    func setExcused(_ isExcused: Bool, log: Int64, sequence: UInt64) throws
    /// The edits without a text of a message.
    func missingEdits(of target: EventID) throws -> [MissingEdit]

    // Logs that wait for others.

    func insertWait(log: Int64, awaited: LogID, sequence: UInt64) throws
    func deleteWait(log: Int64) throws
    func waits() throws -> [Wait]

    // What is derived from lines elsewhere: the index for searching.

    /// A message may change within this transaction.
    func willChange(_ entry: LogProgress, _ sequence: UInt64) throws
    /// The messages of this transaction have their final form.
    func haveChanged() throws
    /// The logs of a conversation will be divided.
    func willDivide(_ conversation: ConversationID) throws
}

/// A line, with the event that it is about.
package struct Line {
    package let id: EventID
    package let event: StoredEvent
    package let effective: UInt64
    package let flags: LineFlags
    package let log: Int64

    package init(id: EventID, event: StoredEvent, effective: UInt64, flags: LineFlags, log: Int64) {
        (self.id, self.event, self.effective, self.flags, self.log) = (id, event, effective, flags, log)
    }
}

/// The effect of an event on a message.
package struct AboutRow: Sendable {
    package let target: Place
    package let event: EventID
    package let effective: UInt64
    package let by: Place
    package let kind: EventKind
    package let state: About.State
    package let emoji: [UInt8]?
}

/// An edit that is held without a text.
package struct MissingEdit {
    package let log: Int64
    package let sequence: UInt64
    package let isExcused: Bool

    package init(log: Int64, sequence: UInt64, isExcused: Bool) {
        (self.log, self.sequence, self.isExcused) = (log, sequence, isExcused)
    }
}

/// A log that waits, with the position of another log that it waits for.
package struct Wait {
    package let waiter: LogKey
    package let awaited: LogID
    package let sequence: UInt64

    package init(waiter: LogKey, awaited: LogID, sequence: UInt64) {
        (self.waiter, self.awaited, self.sequence) = (waiter, awaited, sequence)
    }
}
