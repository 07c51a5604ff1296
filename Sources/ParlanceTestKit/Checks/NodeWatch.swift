import ParlanceCore
import ParlanceRecords
import ParlanceWire

extension Checker {
    /// What the checker knows about one node.
    struct NodeWatch {
        // What it showed its user.

        /// How many texts its user has written.
        var numbers = 0
        /// The last message that it was told of, in each conversation.
        var lastShown: [ConversationID: ShownMessage] = [:]
        /// What a screen shows that keeps all conversations open.
        var screens: [ConversationID: [EventID: ShownMessage]] = [:]
        /// How far it has shown its logs as delivered and read, since its last start.
        var statuses: [StatusKey: (delivered: UInt64, read: UInt64)] = [:]
        /// What its engine was told about links, and what it shows about others.
        var links = LinkWatch()
        var shown = Shown()
        /// What it was told about its user.
        var desks = Desk()
        /// When a person last gave it a command, in the life of its process.
        var actedAt: Int64 = 0

        // What it holds.

        /// The events that it has ever held with all earlier events and all bodies: others may learn of it late, when its
        /// store has been rolled back.
        var everComplete: Set<EventID> = []
        /// Up to where that is noted, for each log of its present store.
        var completeNoted: [LogKey: UInt64] = [:]
        /// The events whose bodies its store has been given.
        var bodiesHeld: Set<EventID> = []
        /// Since when logs wait for something.
        var waitsSince: [LogKey: Int64] = [:]
        /// What it has removed because of its age.
        var floors = Floors()
        /// The bytes that it has taken of hostile authors since their day began.
        var taken: [TakenPlace: Int] = [:]

        // What it thinks of others.

        /// How far it trusts others, by its disk, and since when.
        var trusts: [Int: Trust] = [:]
        var opinionSince: [Int: Int64] = [:]
        /// How far it trusted the peers that it now blocks, when it last accepted a peer, and when it declined one, by its
        /// own clock.
        var blockedFrom: [Int: Trust] = [:]
        var acceptedAt: [Int: Int64] = [:]
        var declined: [Int: Int64] = [:]
        /// The names that it has pinned.
        var pinned: [Int: String] = [:]
        /// All names that it has ever had itself.
        var namesBorne: Set<String> = []
        /// When the addresses were signed that it holds of others.
        var addressTimes: [Int: UInt64] = [:]

        // Clocks and disks.

        /// How far its clock is off, and since when.
        var clockSince: (skew: Int64, time: Int64) = (0, 0)
        /// Since when nothing has been slow or has failed.
        var calmSince: Int64 = 0
        /// When a read last failed, or returned nothing.
        var badRead: Int64 = 0

        // Receipts and references.

        /// Receipts that its disk holds, what it has ever read, and the receipts that it owes.
        var marks: [WatermarkRecord.Key: Mark] = [:]
        var readEver: Set<EventID> = []
        var owed: [LogKey: Mark] = [:]
        /// How many receipts it brought another node about a third.
        var handed: [[Int]: Int] = [:]
        /// What its engine knows to be applied, and what its user had seen when they wrote.
        var heads: [ConversationID: [LogID: EventID]] = [:]
        var namings: [ConversationID: Naming] = [:]
        /// When it last wrote in each conversation.
        var wrote: [ConversationID: Int64] = [:]

        // Groups.

        /// Since when it knows a group as it is, and its members.
        var groupSince: [ConversationID: Int64] = [:]
        var membersKnown: [ConversationID: Set<PeerID>] = [:]
        /// The membership events that count for it, since its last start.
        var evaluated: [ConversationID: Set<EventID>] = [:]
        /// Since when it has known, durably, about each former member of a group.
        var goneSince: [ConversationID: [Int: Int64]] = [:]

        // Couriers, sticks and files.

        /// The one-time keys with which it has sealed.
        var keysUsed: [[UInt8]: UsedKey] = [:]
        /// Envelopes that it was given and whose keys it holds, with the one-time key if there is one.
        var openable: [EnvelopeID: PrekeyID?] = [:]
        /// The envelopes that it keeps for others, and those whose recipients have said to have taken them.
        var kept: [EnvelopeID: Kept] = [:]
        var handedOver: Set<EnvelopeID> = []
        /// The authors and recipients of the envelopes that it has ever kept.
        var everCarried: Set<[PeerID]> = []
        /// The files of sticks that it has taken whole, with its present store.
        var parcelsTaken: Set<Bytes32> = []
        /// Which file it has asked which peer for: it tells that peer how far it is.
        var filesAsked: Set<FileKey> = []
        /// About which files its store was asked.
        var mentionsAsked: [ReadID: FileID] = [:]
        /// When its store last knew a message that names a file, and the receiver as a member there.
        var filesNamed: [FileID: Int64] = [:]
        var filesShared: [FileKey: Int64] = [:]
    }
}
