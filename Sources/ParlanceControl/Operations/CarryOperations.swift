// A stick between nodes (protocol/carry.md). The caller reads and writes the files, and the node all that is in them.

/// `carry.files`: the names of the files between this node and a peer.
package struct CarryFilesOperation: ControlOperation {
    package typealias Reply = CarryFilesReply
    package static let method = "carry.files"

    /// A peer, by its name, alias or ID (see WHO in protocol/control.md).
    package var who: String

    package init(who: String) {
        self.who = who
    }
}

package struct CarryFilesReply: Codable, Equatable, Sendable {
    package var peer: Person
    /// The files from this node to the peer, by slot.
    package var outgoing: [String]
    /// The files from the peer to this node, by slot.
    package var incoming: [String]
    /// The most bytes that a file may have.
    package var bytes: Int
    /// The sealed files from this node to the peer, by slot.
    package var sealed: [String]

    package init(peer: Person, outgoing: [String], incoming: [String], bytes: Int, sealed: [String]) {
        (self.peer, self.outgoing, self.incoming, self.bytes) = (peer, outgoing, incoming, bytes)
        self.sealed = sealed
    }
}

/// `carry.pack`: what belongs into one slot for a peer.
package struct CarryPackOperation: ControlOperation {
    package typealias Reply = CarryPackReply
    package static let method = "carry.pack"

    /// A peer, by its name, alias or ID (see WHO in protocol/control.md).
    package var who: String
    package var slot: Int
    /// `next` of the reply for the slot before; absent for the first one.
    package var after: String?
    /// The bytes of the file in the slot, in hexadecimal digits; absent if there is none.
    package var existing: String?
    /// The files that lie sealed on the stick for the peer, each with its slot.
    package var files: [SealedFileInfo]?

    package init(
        who: String,
        slot: Int,
        after: String? = nil,
        existing: String? = nil,
        files: [SealedFileInfo]? = nil
    ) {
        (self.who, self.slot, self.after, self.existing) = (who, slot, after, existing)
        self.files = files
    }
}

package struct CarryPackReply: Codable, Equatable, Sendable {
    package var action: Action
    /// The bytes to write, in hexadecimal digits.
    package var file: String?
    /// `after` for the next slot: `end` if everything is packed, absent if the first parcel is still to be packed.
    package var next: String?
    /// Messages in the parcel.
    package var messages: Int
    /// Whether the keys of the peer are here.
    package var sealed: Bool

    package enum Action: String, Codable, JSONWord, Sendable {
        /// Write `file` into the slot.
        case write
        /// The file in the slot holds the same already.
        case keep
        /// The file in the slot is of an earlier copy of this node and still of use; go on with the next slot.
        case leave
        /// Remove the file in the slot.
        case remove
        /// There is nothing to do.
        case none
    }

    package init(action: Action, file: String? = nil, next: String?, messages: Int, sealed: Bool) {
        (self.action, self.file, self.next, self.messages, self.sealed) = (action, file, next, messages, sealed)
    }

    /// `next` when everything is packed.
    package static let end = "end"
}

/// `carry.take`: takes a file that a peer packed for this node.
package struct CarryTakeOperation: ControlOperation {
    package typealias Reply = CarryTakeReply
    package static let method = "carry.take"

    /// A peer, by its name, alias or ID (see WHO in protocol/control.md).
    package var who: String
    package var slot: Int
    /// The bytes of the file, in hexadecimal digits.
    package var file: String

    package init(who: String, slot: Int, file: String) {
        (self.who, self.slot, self.file) = (who, slot, file)
    }
}

package struct CarryTakeReply: Codable, Equatable, Sendable {
    package var outcome: Outcome
    /// Messages, other events, and receipts that are new here.
    package var messages: Int
    package var changes: Int
    package var receipts: Int
    /// Why part of it was not taken.
    package var problems: [Problem]
    /// The files that lie sealed on the stick, that messages here name, and that are not here.
    package var files: [SealedFileInfo]?

    package enum Outcome: String, Codable, JSONWord, Sendable { case taken, keysOnly, damaged, unreadable }

    package enum Problem: String, Codable, JSONWord, Sendable { case gap, forked, uninvited, refused }

    package init(
        outcome: Outcome,
        messages: Int = 0,
        changes: Int = 0,
        receipts: Int = 0,
        problems: [Problem] = [],
        files: [SealedFileInfo]? = nil
    ) {
        (self.outcome, self.messages, self.changes, self.receipts) = (outcome, messages, changes, receipts)
        (self.problems, self.files) = (problems, files)
    }
}
