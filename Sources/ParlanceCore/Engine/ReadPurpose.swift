import ParlanceWire

/// What a read of the store is for.
enum ReadPurpose: Equatable, Sendable {
    case push(LinkID, LogKey)
    case preview(LinkID, LogKey)
    case bodies(LinkID, LogKey, UInt64)
    /// What is to be sealed for somebody who is away.
    case envelope(PeerID)
    /// An envelope for the peer of a link.
    case handOver(LinkID)
    /// Where a run that does not continue a log parts from it.
    indirect case compare(LinkID, LogKey, ReceivedRun)
    /// What stands at a place of an own log of which the peer says that it has it.
    case claim(LinkID, LogKey, UInt64)
    /// With which of the proven branches the own events of a log go.
    indirect case split(LinkID, ReceivedFork)

    /// The link that it is for; `nil` if it is for none.
    var link: LinkID? {
        switch self {
        case .push(let id, _), .preview(let id, _), .bodies(let id, _, _), .handOver(let id), .compare(let id, _, _),
            .claim(let id, _, _), .split(let id, _):
            id
        case .envelope: nil
        }
    }
}
