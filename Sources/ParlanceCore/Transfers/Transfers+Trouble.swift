import ParlanceWire

// Sources that lie or stop sending, and a disk that is full (files.md, "Whom to ask").
extension Transfers {
    /// `EIO`, for bytes that the disk gave and that are not those that were written.
    private static let inputOutputError: Int32 = 5

    /// Asks a peer for nothing more of a file until then: `.max` for one that lies, until its link ends.
    mutating func drop(
        _ link: LinkID,
        of file: FileID,
        until moment: Int64,
        _ peers: FilePeers,
        _ turn: inout Turn
    ) {
        guard fetches[file]?.source(on: link)?.isUsed == true else { return }
        change(file) { $0.lose(link) { $0.drop(until: moment) } }
        endAsking(for: file, .enough, on: link, peers.links, &turn)
        if moment < .max { turn.deadlines.advance(.files, to: moment) }
        if fetches[file]?.sources.values.contains(where: \.isUsed) == false {
            tryFailed(file, peers.links, &turn)
        }
        fillAll(peers.links, &turn)
    }

    /// Everybody who has the file lied or stopped sending.
    private mutating func tryFailed(_ file: FileID, _ links: Links, _ turn: inout Turn) {
        guard var record = rows[file], record.state == .wanted else {
            return broken("a file that peers give is wanted")
        }
        record.tries += 1
        guard record.tries < Limits.fileTries else {
            record.state = .failed(.peers)
            return decide(record, links, &turn)
        }
        let pause = record.tries == 1 ? Limits.fileFirstPauseMilliseconds : Limits.fileSecondPauseMilliseconds
        rest(file, until: turn.now.monotonic + pause, &turn)
        save(record, &turn)
    }

    /// Drops those who have sent nothing for long.
    mutating func dropStalled(_ peers: FilePeers, _ turn: inout Turn) {
        let now = turn.now.monotonic
        for link in lines.keys.sorted() {
            for file in active {
                guard let source = fetches[file]?.source(on: link), source.offers != nil,
                    let askedAt = lines[link]?.requests.oldest(of: file),
                    now - max(askedAt, source.lastPiece ?? askedAt) >= Limits.fileStallMilliseconds
                else { continue }
                drop(link, of: file, until: now + Limits.fileStalledMilliseconds, peers, &turn)
            }
        }
    }

    /// The shelf could not do something for a file.
    mutating func shelfFailed(_ file: FileID, _ trouble: ShelfTrouble, _ peers: FilePeers, _ turn: inout Turn) {
        guard var record = rows[file], record.state == .wanted else {
            return broken("a file that is written is wanted")
        }
        switch trouble {
        case .full(let needed, let free):
            record.state = .failed(.full(needed: needed, free: free))
            decide(record, because: .noRoom, peers.links, &turn)
        case .failed(let code):
            record.state = .failed(.disk(code))
            decide(record, peers.links, &turn)
        case .damaged, .missing:
            // What was there in part is of no use: the next try begins anew.
            turn.emit(.shelf(.drop(file)))
            change(file) { $0.found(ChunkSet(total: $0.shape.count)) }
            record.tries += 1
            if record.tries >= Limits.fileTries {
                record.state = .failed(.disk(Self.inputOutputError))
                return decide(record, peers.links, &turn)
            }
            leave(
                file,
                because: .enough,
                until: turn.now.monotonic + Limits.fileFirstPauseMilliseconds,
                peers.links,
                &turn
            )
            save(record, &turn)
        }
    }
}
