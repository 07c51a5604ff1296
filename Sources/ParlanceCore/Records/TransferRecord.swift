package import ParlanceWire

/// The row of a file that somebody else sent, or that the user has sent and lost: what was decided about it. A file of
/// somebody else without a row was only offered.
package struct TransferRecord: Equatable, Sendable {
    package var file: FileID
    /// A conversation in which a message names it.
    package var conversation: ConversationID
    /// Bytes.
    package var size: UInt64
    package var state: State
    /// How often fetching it has failed since the user last asked for it.
    package var tries: UInt8
    /// Whether the user asked for it; otherwise `auto-fetch` did.
    package var isByHand: Bool
    /// When it was decided to fetch it, in milliseconds since 1970.
    package var since: Int64

    package enum State: Equatable, Sendable {
        /// It is being fetched, or waits for somebody who has it.
        case wanted
        case paused
        /// It is here as a whole.
        case done
        /// It was here, and was removed to make room, or a backup did not have it: fetched again by hand, or if somebody
        /// sends it anew.
        case removed
        /// The user does not want it.
        case cancelled
        /// It is fetched again only by hand.
        case failed(Trouble)

        /// Whether nothing more is done about it by itself. Of such rows only the newest are kept in memory.
        package var isSettled: Bool {
            switch self {
            case .done, .removed, .cancelled: true
            case .wanted, .paused, .failed: false
            }
        }
    }

    /// Why a file could not be fetched.
    package enum Trouble: Equatable, Sendable {
        /// The disk has no room: so many bytes are needed, and so many were free.
        case full(needed: UInt64, free: UInt64)
        /// A call of the system failed with this `errno`.
        case disk(Int32)
        /// Those who have it sent wrong bytes, or stopped sending.
        case peers
    }

    package init(
        file: FileID,
        conversation: ConversationID,
        size: UInt64,
        state: State = .wanted,
        tries: UInt8 = 0,
        isByHand: Bool,
        since: Int64
    ) {
        self.file = file
        self.conversation = conversation
        self.size = size
        self.state = state
        self.tries = tries
        self.isByHand = isByHand
        self.since = since
    }
}
