import ParlanceRecords
import ParlanceWire

// Failed reads of the store. They are repeated a little later.
extension Engine {
    mutating func readFailed(_ read: ReadID) {
        guard let purpose = turn.reads.take(read) else { return }
        switch purpose {
        case .envelope(let peer): depositLater(for: peer)
        case .parcel(let packing): turn.refuse(packing.command, .notRead)
        case .receipt(let taking): turn.refuse(taking.command, .notRead)
        case .mention(let id, let file, let number):
            transfers.mentionRead(of: file, serving: number, on: id, isNamed: false, filePeers, &turn)
        case .wish(let file): transfers.wishRead(file, isNamed: nil, links, &turn)
        case .pieces(let read): transfers.piecesRead(read, nil, filePeers, &turn)
        case .bodies(let id, let key, let sequence): links.bodyNotRead(of: key, at: sequence, on: id)
        case .push(let id, _), .preview(let id, _), .handOver(let id), .compare(let id, _, _), .split(let id, _),
            .claim(let id, _, _):
            links.readFailed(FailedRead(read: read, purpose: purpose), on: id, &turn)
        }
    }

    mutating func rereadDue(_ id: LinkID) {
        guard links[id]?.closing == false else { return }
        for failed in links.takeFailedReads(on: id) { tryAgain(failed, on: id) }
        push(on: id)
    }

    private mutating func tryAgain(_ failed: FailedRead, on id: LinkID) {
        switch failed.purpose {
        case .push(_, let key):
            links.change(key.conversation, on: id) { $0.ends(failed.read, of: key.log) }
        case .preview:
            links.change(id) { $0.requestFailed() }
            askForContact(on: id)
        case .handOver:
            handOverNext(on: id, isAgain: true)
        case .compare(_, let key, let run):
            conversations[key.conversation]?.compareLater(run, in: key.log, on: id, &turn)
        case .split(_, let fork):
            enforcing(on: id) { engine throws(Breach) in try engine.forkReceived(fork, on: id) }
        case .claim(_, let key, _):
            recordDelivered(of: key.conversation, on: id)
            takeWaitingMarks(of: key.conversation, on: id)
        case .bodies, .envelope, .parcel, .receipt, .mention, .wish, .pieces: break
        }
    }

    mutating func depositLater(for peer: PeerID) {
        turn.deadlines.advance(.deposit(peer), to: turn.now.monotonic + Limits.rereadMilliseconds)
    }
}
