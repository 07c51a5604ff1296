import ParlanceWire

// What the shelf reports of files that are fetched.
extension Transfers {
    mutating func shelved(_ news: ShelfNews, _ peers: FilePeers, _ turn: inout Turn) {
        switch news {
        case .looked(let file, let content):
            if fetches[file]?.stage == .looking { looked(file, content, peers, &turn) }
            answer(file, content, peers, &turn)
        case .begun(let file, let result):
            if fetches[file]?.stage == .beginning { begun(file, result, peers, &turn) }
        case .kept(let file, let chunk, let outcome): kept(file, chunk, outcome, peers, &turn)
        case .finished(let file, let trouble):
            guard fetches[file]?.stage == .finishing else { return }
            if let trouble { return shelfFailed(file, trouble, peers, &turn) }
            if let shape = fetches[file]?.shape { done(file, shape, peers, &turn) }
        case .read(let read, let bytes):
            guard case .pieces(let pieces) = turn.reads.take(read) else { return }
            piecesRead(pieces, bytes, peers, &turn)
        case .changed(let file, let content): changed(file, content, peers, &turn)
        }
    }

    private mutating func looked(_ file: FileID, _ content: ShelfContent, _ peers: FilePeers, _ turn: inout Turn) {
        guard let fetch = fetches[file], let record = rows[file] else {
            return broken("the shelf is searched only for files that may be fetched")
        }
        switch content {
        case .whole(let manifest): return done(file, manifest.shape, peers, &turn)
        case .part(let manifest, let set):
            guard manifest.shape == fetch.shape else {
                // The message told a false size.
                return tellsFalseSize(record, peers.links, &turn)
            }
            change(file) { $0.found(set) }
            guard mayGoOn(record, peers) || record.state == .wanted && set.isComplete else { break }
            begin(manifest, &turn)
            return ask(for: file, peers, &turn)
        case .nothing:
            change(file) { $0.found(ChunkSet(total: fetch.shape.count)) }
            guard record.state == .wanted else { break }
            if fetch.shape.count == 0 {
                guard let manifest = try? FileManifest([], of: file, fetch.shape) else {
                    return tellsFalseSize(record, peers.links, &turn)
                }
                return begin(manifest, &turn)
            }
            guard mayGoOn(record, peers) else { break }
            change(file) { $0.enter(.asking, at: turn.now.monotonic) }
            ask(for: file, peers, &turn)
            return restIfAlone(file, &turn)
        }
        rest(file, until: .min, &turn)
        tellProgress(of: file, &turn)
    }

    private func mayGoOn(_ record: TransferRecord, _ peers: FilePeers) -> Bool {
        record.state == .wanted && !peers.open(in: record.conversation).isEmpty
    }

    private mutating func tellsFalseSize(_ record: TransferRecord, _ links: Links, _ turn: inout Turn) {
        guard record.state == .wanted else { return rest(record.file, until: .min, &turn) }
        var record = record
        record.state = .failed(.peers)
        decide(record, links, &turn)
    }

    private mutating func begin(_ manifest: FileManifest, _ turn: inout Turn) {
        change(manifest.id) { $0.enter(.beginning, at: turn.now.monotonic) }
        turn.emit(.shelf(.begin(manifest)))
    }

    private mutating func begun(
        _ file: FileID,
        _ result: Result<ChunkSet, ShelfTrouble>,
        _ peers: FilePeers,
        _ turn: inout Turn
    ) {
        switch result {
        case .failure(let trouble): shelfFailed(file, trouble, peers, &turn)
        case .success(let set):
            change(file) {
                $0.found(set)
                $0.enter(.fetching, at: turn.now.monotonic)
            }
            if fetches[file]?.held.isComplete == true { return finish(file, &turn) }
            tell(file, peers, &turn)
            fillAll(peers.links, &turn)
            restIfAlone(file, &turn)
        }
    }

    /// The whole file is here, and durable. Those who were asked learn who has it now.
    ///
    /// - Parameter shape: that of the file, whatever size a message told.
    private mutating func done(_ file: FileID, _ shape: FileShape, _ peers: FilePeers, _ turn: inout Turn) {
        guard var record = rows[file], let fetch = fetches[file] else {
            return broken("only a file that was fetched is complete")
        }
        let asked = lines.keys.sorted().filter { fetch.source(on: $0)?.isUsed == true }
        var told: [LinkID] = []
        for link in lines.keys.sorted() {
            let isServed = lines[link]?.serves(file) == true && mayGive(file, on: link, peers, &turn)
            if isServed || isAsked(for: file, on: link, peers) { told.append(link) }
        }
        set(file, Fetch?.none)
        deactivate(file)
        dequeue(record)
        let all = ChunkSet(all: shape.count)
        for link in told { sendHeld(all, of: file, on: link, peers.links, &turn) }
        // What they were asked for and have not sent is over with their answer.
        for link in asked { endAsking(for: file, .enough, on: link, peers.links, &turn) }
        if lines.values.contains(where: { $0.served[file] != nil }) {
            set(file, Holding(shape: shape, set: all))
        }
        forgetTold(file)
        (record.state, record.tries, record.size) = (.done, 0, shape.size)
        save(record, &turn)
        turn.deadlines.advance(.files, to: turn.now.monotonic)
    }

    private mutating func changed(_ file: FileID, _ content: ShelfContent, _ peers: FilePeers, _ turn: inout Turn) {
        if case .whole(let manifest) = content {
            if let record = rows[file], record.state == .wanted { done(file, manifest.shape, peers, &turn) }
        } else if fetches[file]?.isActive != true {
            unhold(file, peers.links, &turn)
            if content == .nothing { change(file) { $0.found(ChunkSet(total: $0.shape.count)) } }
            guard var record = rows[file], record.state == .done else { return }
            record.state = .removed
            save(record, &turn)
        }
    }
}
