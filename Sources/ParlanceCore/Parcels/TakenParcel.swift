import ParlanceRecords
import ParlanceWire

/// The effect of a parcel, once it is durable here.
package struct TakenParcel: Equatable, Sendable {
    package var outcome = Outcome.taken
    /// Messages that are new here.
    package var messages = 0
    /// Other events that are new here: edits, reactions, withdrawals, changes of groups.
    package var changes = 0
    /// Receipts that are new here.
    package var receipts = 0
    /// Why part of it was not taken, each once, in order.
    package var problems: [Problem] = []
    /// The files that lie sealed on the same stick, as the author says.
    package var files: [CarriedFile] = []

    package enum Outcome: String, Equatable, Sendable {
        /// Everything in it is here now, apart from `problems`.
        case taken
        /// It is no parcel from that person to this one for this slot, or it was changed.
        case damaged
        /// It carries only prekeys.
        case keysOnly
        /// It cannot be opened: it has expired, or this node no longer has the key.
        case unreadable
    }

    package enum Problem: String, Equatable, Comparable, Sendable {
        /// Events before those in the parcel are not here.
        case gap
        /// It continues another branch of a log. A link settles which.
        case forked
        /// The rest of the invitation to a group is missing.
        case uninvited
        /// It breaks a rule, or is about something that the two do not share.
        case refused

        package static func < (a: Problem, b: Problem) -> Bool { a.rawValue < b.rawValue }
    }

    /// Whether anything in it was new here.
    package var isNew: Bool { messages + changes + receipts > 0 }

    mutating func note(_ problem: Problem) {
        if !problems.contains(problem) { problems = (problems + [problem]).sorted() }
    }

    mutating func count(_ events: [StoredEvent]) {
        let messages = events.count { $0.header.kind == .message }
        self.messages += messages
        changes += events.count - messages
    }
}
