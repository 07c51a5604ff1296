import ParlanceRecords
import ParlanceWire

/// The purpose of a read of the store.
enum ReadPurpose: Equatable, Sendable {
    case push(LinkID, LogKey)
    case preview(LinkID, LogKey)
    case bodies(LinkID, LogKey, UInt64)
    /// Events to seal for a peer that is away.
    case envelope(PeerID)
    /// An envelope to hand over to the peer of a link.
    case handOver(LinkID)
    /// The events held around a run, to find where it forks from its log.
    indirect case compare(LinkID, LogKey, ReceivedRun)
    /// The event at a position of our log that the peer claims to hold.
    case claim(LinkID, LogKey, UInt64)
    /// The events held here of a log, to find to which of the proven branches they belong.
    indirect case split(LinkID, ReceivedFork)

    /// Events or an envelope for a parcel.
    indirect case parcel(ParcelPacking)
    /// The event at the position at which the next run of a parcel ends, or that the next receipt names.
    indirect case receipt(ParcelTaking)

    /// Whether a message names the file that the peer of a link has asked for, in the serving of a number.
    case mention(LinkID, FileID, UInt64)
    /// Whether a message still names a file that is to be fetched.
    case wish(FileID)
    /// Pieces of a file that the peer of a link has asked for.
    indirect case pieces(PieceRead)

    /// The link that needs it; `nil` if none does.
    var link: LinkID? {
        switch self {
        case .push(let id, _), .preview(let id, _), .bodies(let id, _, _), .handOver(let id), .compare(let id, _, _),
            .claim(let id, _, _), .split(let id, _), .mention(let id, _, _):
            id
        case .pieces(let read): read.link
        case .envelope, .parcel, .receipt, .wish: nil
        }
    }

    func asksForMention(on link: LinkID) -> Bool {
        if case .mention(link, _, _) = self { true } else { false }
    }
}
