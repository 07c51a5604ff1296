package import ParlanceRecords
package import ParlanceWire

/// What the rules read of a store: rows as they were written, with no decision made. Logs and conversations are named by
/// the numbers of their rows.
///
/// Each function throws what the device reports.
package protocol HistoryReading {
    /// The branches of a conversation, in the order in which they became known.
    func branches(conversationRow: Int64) throws -> ForkTree
    /// The events of a conversation that are not awaited any more.
    func givenUp(conversationRow: Int64) throws -> Set<EventID>
    /// The membership events of a group, in the order of arrival.
    func membership(conversationRow: Int64) throws -> [StoredEvent]
    /// The number of a log's row; `nil` if it has none.
    func logRow(of log: LogID, conversationRow: Int64) throws -> Int64?
    /// The logs of a conversation that hold events which are not applied, in the order of creation.
    func waitingLogs(conversationRow: Int64) throws -> [WaitingLog]

    /// The event at a position of a log.
    func event(log: Int64, sequence: UInt64) throws -> HeldEvent?
    /// The sequence of the first event in a range of a log whose header satisfies a condition.
    func firstEvent(log: Int64, after: UInt64, through: UInt64, where fits: (EventHeader) throws -> Bool) throws
        -> UInt64?

    /// The flags of a line; `nil` if there is no such line.
    func flags(of id: EventID, effective: UInt64, conversationRow: Int64) throws -> LineFlags?
    /// The edits of a message in the order shown, including void ones.
    func edits(of place: Place) throws -> [About]
    /// The last edit of a message in the order shown that counts and whose text is held.
    func lastEdit(of place: Place) throws -> About?
    /// The first deletion of a message in the order shown that counts.
    func deletion(of place: Place) throws -> About?
    /// The last reaction of each log and emoji that is not void.
    func reactions(to place: Place) throws -> [AboutReaction]
    /// The last text of a kind, in the order shown.
    func lastLabel(_ kind: EventKind, conversationRow: Int64) throws -> String?
    /// The last time that the owner of this store, or the others, said how long messages stay, in the order shown.
    func lastLifetime(isOwn: Bool, conversationRow: Int64) throws -> Lifetime?

    /// What withdrawals say of a message.
    func withdrawal(log: Int64, sequence: UInt64) throws -> Withdrawal?
}

/// An event as it is held.
package struct HeldEvent {
    package let event: StoredEvent
    /// When it counts in the order shown; `nil` until it is applied.
    package let effective: UInt64?

    package init(event: StoredEvent, effective: UInt64?) {
        (self.event, self.effective) = (event, effective)
    }
}

/// A log that holds events which are not applied.
package struct WaitingLog {
    package let row: Int64
    package let log: LogID
    package let through: UInt64
    package let applied: UInt64
    /// Through here the user has cleared the log.
    package let cleared: UInt64

    package init(row: Int64, log: LogID, through: UInt64, applied: UInt64, cleared: UInt64) {
        (self.row, self.log, self.through, self.applied, self.cleared) = (row, log, through, applied, cleared)
    }
}

/// What must be known of a line before its event is read.
package struct LineFlags: OptionSet, Hashable, Sendable {
    package let rawValue: Int64

    package init(rawValue: Int64) { self.rawValue = rawValue }

    /// Not a message, but a line that describes a change of the group.
    package static let note = LineFlags(rawValue: 1)
    /// A deleted message that is shown as a tombstone.
    package static let deleted = LineFlags(rawValue: 2)
    /// Something that is about it counts.
    package static let about = LineFlags(rawValue: 4)
    /// Its present text mentions the owner of this store.
    package static let mention = LineFlags(rawValue: 8)
    /// The line that shows a fork. Its ID is not the ID of the event at its position.
    package static let fork = LineFlags(rawValue: 16)
    /// It names files.
    package static let files = LineFlags(rawValue: 32)
}

/// An edit or a deletion, by its position.
package struct About: Sendable {
    /// The effect of an event on the message that it is about.
    package enum State: Int64, Sendable {
        case void = 0
        case valid = 1
        /// An edit that would count if its text were held.
        case lacking = 2
        /// A reaction that was removed.
        case removed = 3

        package init(_ verdict: Projector.Verdict) {
            self =
                switch verdict {
                case .edit, .delete: .valid
                case .reaction(_, let removed): removed ? .removed : .valid
                case .nothing: .lacking
                case .message, .note, .withdraw, .void: .void
                }
        }
    }

    package let log: Int64
    package let sequence: UInt64
    package let author: PeerID
    package let state: State

    package init(log: Int64, sequence: UInt64, author: PeerID, state: State) {
        (self.log, self.sequence, self.author, self.state) = (log, sequence, author, state)
    }
}

/// The last reaction that one log has with an emoji.
package struct AboutReaction {
    package let author: PeerID
    /// As UTF-8 bytes, since they are compared as bytes.
    package let emoji: [UInt8]
    package let effective: UInt64
    package let id: EventID
    package let isRemoved: Bool

    package init(author: PeerID, emoji: [UInt8], effective: UInt64, id: EventID, isRemoved: Bool) {
        (self.author, self.emoji, self.effective) = (author, emoji, effective)
        (self.id, self.isRemoved) = (id, isRemoved)
    }
}

/// What withdrawals say of a message.
package enum Withdrawal: Sendable {
    /// The message's text is no longer requested.
    case held
    /// The message is removed.
    case counts
}
