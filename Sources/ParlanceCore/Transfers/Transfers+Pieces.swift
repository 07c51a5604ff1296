import FoundationEssentials
import ParlanceWire

// Asking for pieces, and putting chunks together (files.md, "Pieces", "Whom to ask").
extension Transfers {
    mutating func fillAll(_ links: Links, _ turn: inout Turn) {
        for link in linksInTurn { fill(link, links, &turn) }
    }

    /// Asks the peer of a link for as many pieces as its window and the rate allow; the oldest file comes first.
    mutating func fill(_ link: LinkID, _ links: Links, _ turn: inout Turn) {
        let now = turn.now.monotonic
        for file in active where fetches[file]?.stage == .fetching {
            while let room = room(on: link, links, at: now), room > 0 {
                let allowed = fetchablePieces(at: now)
                guard allowed > 0 else {
                    guard fetches[file]?.source(on: link)?.offers != nil else { break }
                    return turn.deadlines.advance(.fileRate, to: nextFetching(at: now))
                }
                let limit = min(room, Limits.piecesPerWant, allowed)
                if let pieces = change(file, { $0.nextPieces(on: link, limit: limit) }) ?? nil {
                    want(pieces, of: file, on: link, links, &turn)
                } else if let chunk = choose(file, link, &turn) {
                    change(file) { $0.begin(chunk, from: link) }
                } else {
                    break
                }
            }
        }
    }

    /// Pieces that the peer of a link may be asked for now: few while messages pass on it, so that they wait behind few.
    private func room(on link: LinkID, _ links: Links, at now: Int64) -> Int? {
        let isTalkative = links[link]?.isTalkative(at: now) == true
        return lines[link]?.room(atMost: isTalkative ? Limits.leastPieceWindow : Limits.pieceWindow)
    }

    private mutating func want(
        _ pieces: Range<UInt64>,
        of file: FileID,
        on link: LinkID,
        _ links: Links,
        _ turn: inout Turn
    ) {
        var want = WireFileWant()
        want.file = Data(file.bytes)
        want.first = pieces.lowerBound
        want.count = UInt32(pieces.count)
        change(link) { $0.asks(for: file, pieces, at: turn.now.monotonic) }
        let bytes = fetches[file]?.shape.bytes(ofPieces: pieces.lowerBound, count: UInt64(pieces.count)) ?? 0..<0
        noteFetching(bytes.upperBound - bytes.lowerBound, on: link)
        turn.deadlines.advance(.files, to: turn.now.monotonic + Limits.fileStallMilliseconds)
        links.send(.fileWant(want), on: link, &turn)
    }

    private mutating func choose(_ file: FileID, _ link: LinkID, _ turn: inout Turn) -> Int? {
        guard let fetch = fetches[file], fetch.source(on: link)?.offers != nil else { return nil }
        guard bytesInWork == 0 || bytesInWork + fetch.shape.chunkSize <= Limits.assemblyBytes else { return nil }
        let (own, now) = (turn.own.identity, turn.now.monotonic)
        let others = others(that: file)
        let tie = turn.random.next()
        let chosen = change(file) { $0.choose(for: link, own: own, others: others, tie: tie, at: now) } ?? nil
        if chosen == nil, let since = fetches[file]?.source(on: link)?.idleSince {
            turn.deadlines.advance(.files, to: since + Limits.filePatienceMilliseconds)
        }
        return chosen
    }

    /// Bytes of chunks that are being put together or verified.
    var bytesInWork: Int { active.reduce(0) { $0 + (fetches[$1]?.bytesInWork ?? 0) } }

    /// Those with a link who fetch a file too, in order.
    private func others(that file: FileID) -> [PeerID] {
        var others: Set<PeerID> = []
        for line in lines.values where line.served[file] != nil { others.insert(line.peer) }
        for source in fetches[file]?.sources.values.map({ $0 }) ?? [] {
            guard let offers = source.offers else { continue }
            if offers.isComplete { others.remove(source.peer) } else { others.insert(source.peer) }
        }
        return others.sorted()
    }

    mutating func pieceReceived(_ piece: WireFilePiece, on link: LinkID, _ links: Links, _ turn: inout Turn)
        throws(Breach)
    {
        guard let file = FileID(piece.file), piece.bytes.count <= Limits.pieceBytes else { throw .filePieceFields }
        let now = turn.now.monotonic
        guard change(link, { $0.received(file, piece.number, at: now) }) == true else { throw .filePieceUnasked }
        if let fetch = fetches[file], fetch.stage == .fetching {
            guard let bytes = fetch.shape.bytes(ofPieces: piece.number, count: 1),
                bytes.upperBound - bytes.lowerBound == UInt64(piece.bytes.count)
            else { throw .filePieceFields }
            if let (chunk, pieces) = change(file, { $0.received(piece.bytes, piece.number, on: link, at: now) }) ?? nil
            {
                turn.emit(.shelf(.keep(file, chunk: chunk, pieces: pieces)))
            }
        }
        // While a rate limits fetching, it can be the turn of another link.
        if isFetchingLimited { fillAll(links, &turn) } else { fill(link, links, &turn) }
    }

    /// The shelf has verified a chunk, or found it wrong.
    mutating func kept(_ file: FileID, _ chunk: Int, _ outcome: ChunkOutcome, _ peers: FilePeers, _ turn: inout Turn) {
        let now = turn.now.monotonic
        let found = change(file) { $0.kept(chunk, isWritten: outcome == .written, at: now) } ?? nil
        guard let link = found, let fetch = fetches[file] else { return }
        switch outcome {
        case .written:
            if var record = rows[file], record.tries > 0, record.state == .wanted {
                record.tries = 0
                save(record, &turn)
            }
            if fetch.stage == .fetching, fetch.held.isComplete { finish(file, &turn) }
            tell(file, peers, &turn)
            tellProgress(of: file, &turn)
            fillAll(peers.links, &turn)
        case .wrong: drop(link, of: file, until: .max, peers, &turn)
        // A chunk that comes to the disk after the file was paused, or left, has no place there.
        case .failed(let trouble) where fetch.stage == .fetching: shelfFailed(file, trouble, peers, &turn)
        case .failed: break
        }
    }

    mutating func finish(_ file: FileID, _ turn: inout Turn) {
        change(file) { $0.enter(.finishing, at: turn.now.monotonic) }
        turn.emit(.shelf(.finish(file)))
    }

    /// Tells people how far a file has come, at most once a second.
    mutating func tellProgress(of file: FileID, _ turn: inout Turn) {
        guard let record = rows[file], let fetch = fetches[file] else {
            return broken("progress is told only of files that may be fetched")
        }
        let now = turn.now.monotonic
        guard now - fetch.toldAt >= Limits.progressMilliseconds else {
            return turn.deadlines.advance(.files, to: fetch.toldAt + Limits.progressMilliseconds)
        }
        change(file) { $0.told(at: now) }
        tell(record, &turn)
    }
}
