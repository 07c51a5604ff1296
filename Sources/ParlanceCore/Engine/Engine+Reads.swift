import ParlanceWire

// Reads of the store that failed: what they were for goes on a little later.
extension Engine {
    /// How long a store that could not be read is left alone.
    private static var rereadMilliseconds: Int64 { 5_000 }

    /// Reads of one link that are tried again; what is dropped beyond them comes with the next link.
    private static var readsKept: Int { 64 }

    mutating func readFailed(_ read: ReadID) {
        guard let purpose = turn.reads.take(read) else { return }
        switch purpose {
        case .envelope(let peer): depositLater(for: peer)
        // Who wants them asks again with its next heartbeat.
        case .bodies(let id, let key, let sequence):
            links[id]?.endReading(Link.Place(key: key, sequence: sequence))
        case .push(let id, _), .preview(let id, _), .handOver(let id), .compare(let id, _, _), .split(let id, _, _),
            .claim(let id, _, _):
            guard let link = links[id], !link.closing else { return }
            guard link.failedReads.count < Self.readsKept else { return close(id, .unspecified) }
            links[id]?.failedReads.append(FailedRead(read: read, purpose: purpose))
            turn.deadlines.advance(.reread(id), to: turn.now.monotonic + Self.rereadMilliseconds)
        }
    }

    mutating func rereadDue(_ id: LinkID) {
        guard let link = links[id], !link.closing else { return }
        links[id]?.failedReads = []
        for failed in link.failedReads { tryAgain(failed, on: id) }
        push(on: id)
    }

    private mutating func tryAgain(_ failed: FailedRead, on id: LinkID) {
        switch failed.purpose {
        case .push(_, let key):
            links.change(key.conversation, on: id) { $0.ends(failed.read, of: key.log) }
        case .preview:
            links[id]?.requested = false
            askForContact(on: id)
        case .handOver:
            handOverNext(on: id, isAgain: true)
        case .compare(_, let key, let run): forkSuspected(run, of: key, on: id)
        case .split(_, _, let fork): forkReceived(fork, on: id)
        case .claim(_, let key, _):
            recordDelivered(of: key.conversation, on: id)
            takeWaitingMarks(of: key.conversation, on: id)
        case .bodies, .envelope: break
        }
    }

    mutating func depositLater(for peer: PeerID) {
        turn.deadlines.advance(.deposit(peer), to: turn.now.monotonic + Self.rereadMilliseconds)
    }
}
