import ParlanceWire

// The limits of sending and of fetching, each over all links (files.md, "The rate").
extension Transfers {
    /// Another rate holds from now on.
    ///
    /// - Parameter bytes: bytes a second; `nil`: no limit.
    mutating func setRate(_ bytes: UInt64?, _ peers: FilePeers, _ turn: inout Turn) {
        limit(bytes, at: turn.now.monotonic)
        for reader in takeSurplusReaders() { refuse(reader.file, on: reader.link, peers.links, &turn) }
        rateDue(peers, &turn)
    }

    /// The rate allows more pieces.
    mutating func rateDue(_ peers: FilePeers, _ turn: inout Turn) {
        fillAll(peers.links, &turn)
        readWaiting(peers, &turn)
    }

    /// Reads the pieces that peers wait for, as far as the rate allows.
    mutating func readWaiting(_ peers: FilePeers, _ turn: inout Turn) {
        let now = turn.now.monotonic
        while hasReaders {
            let limit = min(sendablePieces(at: now), piecesInTurn)
            guard limit > 0 else { return turn.deadlines.advance(.fileRate, to: nextSending(at: now)) }
            guard let reader = takeReader() else { return broken("a waiting reader gets a turn") }
            read(limit, for: reader, peers, &turn)
        }
    }

    private mutating func read(_ limit: Int, for reader: ReadTurns.Reader, _ peers: FilePeers, _ turn: inout Turn) {
        let (link, file) = (reader.link, reader.file)
        guard let serving = lines[link]?.served[file] else {
            return broken("a reader that gets a turn is being served")
        }
        // The peer can have lost the right to the file while it waited, and the file can be gone.
        guard peers.serves(serving.conversation, link), let shape = holding(file)?.shape else {
            return refuse(file, on: link, peers.links, &turn)
        }
        guard mayGive(file, on: link, peers, &turn) else { return }
        guard let pieces = change(link, { $0.change(file) { $0.takeWaiting(limit) } ?? nil }) ?? nil else {
            return broken("a reader whose turn it is has asked for pieces")
        }
        guard let bytes = shape.bytes(ofPieces: pieces.lowerBound, count: UInt64(pieces.count)) else {
            return refuse(file, on: link, peers.links, &turn)
        }
        let read = PieceRead(
            link: link,
            file: file,
            serving: serving.number,
            first: pieces.lowerBound,
            count: pieces.count,
            bytes: Int(bytes.upperBound - bytes.lowerBound)
        )
        noteSending(bytes.upperBound - bytes.lowerBound)
        turn.readPieces(read, bytes)
        if lines[link]?.isWaiting(for: file) == true { wait(reader) }
    }
}
