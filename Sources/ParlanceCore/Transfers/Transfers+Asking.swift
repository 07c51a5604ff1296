import FoundationEssentials
import ParlanceWire

// Asking peers what they have of a file (files.md, "Asking").
extension Transfers {
    /// Works on files that wait and that somebody may have.
    mutating func activate(_ peers: FilePeers, _ turn: inout Turn) {
        guard active.count < Limits.filesAtOnce else { return }
        var isReachable: [ConversationID: Bool] = [:]
        for turned in queue {
            guard active.count < Limits.filesAtOnce else { break }
            guard let record = rows[turned.file], let fetch = fetches[turned.file] else {
                broken("only a file that may be fetched waits for its turn")
                continue
            }
            if fetch.stage != .unseen {
                guard record.state == .wanted, fetch.restsUntil <= turn.now.monotonic else { continue }
                let known = isReachable[record.conversation] ?? !peers.open(in: record.conversation).isEmpty
                isReachable[record.conversation] = known
                guard known else { continue }
            }
            activate(turned)
            change(turned.file) { $0.enter(.looking, at: turn.now.monotonic) }
            if record.state == .wanted {
                turn.readMention(of: turned.file, in: record.conversation, for: .wish(turned.file))
            } else {
                turn.emit(.shelf(.look(turned.file)))
            }
        }
    }

    /// The store says whether a message still names a file that is to be fetched.
    ///
    /// - Parameter isNamed: `nil` if the store could not be read.
    mutating func wishRead(_ file: FileID, isNamed: Bool?, _ links: Links, _ turn: inout Turn) {
        guard fetches[file]?.stage == .looking, var record = rows[file], record.state == .wanted else { return }
        switch isNamed {
        case true?: turn.emit(.shelf(.look(file)))
        case false?:
            // Everything that named it was deleted.
            record.state = .cancelled
            decide(record, links, &turn)
        case nil: rest(file, until: turn.now.monotonic + Limits.fileAskAgainMilliseconds, &turn)
        }
    }

    /// Asks everybody who exchanges the conversation and was not asked.
    mutating func ask(for file: FileID, _ peers: FilePeers, _ turn: inout Turn) {
        guard let record = rows[file], fetches[file]?.asks == true else { return }
        let links = peers.open(in: record.conversation)
        for link in links { ask(for: file, of: link, peers, &turn) }
        // Those who begin at the same time know of each other when they begin.
        if links.count > 1, fetches[file]?.settledAt == .min {
            let moment = turn.now.monotonic + Limits.fileSettleMilliseconds
            change(file) { $0.settles(at: moment) }
            turn.deadlines.advance(.files, to: moment)
        }
    }

    private mutating func ask(for file: FileID, of link: Link, _ peers: FilePeers, _ turn: inout Turn) {
        guard let fetch = fetches[file], let record = rows[file] else {
            return broken("peers are asked only for files that may be fetched")
        }
        if let source = fetch.sources[link.id] {
            guard let again = source.againAt, again <= turn.now.monotonic else { return }
        }
        begin(FileLine(link.peer), on: link.id)
        sendAsk(for: file, in: record.conversation, on: link.id, peers.links, &turn)
    }

    private mutating func sendAsk(
        for file: FileID,
        in conversation: ConversationID,
        on link: LinkID,
        _ links: Links,
        _ turn: inout Turn
    ) {
        guard let peer = lines[link]?.peer else { return broken("a peer that is asked for a file has a line") }
        var ask = WireFileAsk()
        ask.conversation = Data(conversation.bytes)
        ask.file = Data(file.bytes)
        ask.manifest = fetches[file]?.stage == .asking
        change(file) { $0.ask(peer, on: link) }
        links.send(.fileAsk(ask), on: link, &turn)
    }

    /// A conversation is exchanged with the peer of a link from now on.
    mutating func opened(_ conversation: ConversationID, _ peers: FilePeers, _ turn: inout Turn) {
        guard !fetches.isEmpty else { return }
        for file in active where rows[file]?.conversation == conversation {
            change(file) { $0.wake() }
            ask(for: file, peers, &turn)
        }
        for turned in queue where rows[turned.file]?.conversation == conversation {
            guard rows[turned.file]?.tries == 0 else { continue }
            change(turned.file) { $0.wake() }
        }
        turn.deadlines.advance(.files, to: turn.now.monotonic)
    }

    /// A peer that refused a file asks for it, or names it in a new message: it may have the file by now.
    mutating func askAgain(for file: FileID, of link: LinkID, _ links: Links, _ turn: inout Turn) {
        guard let fetch = fetches[file], let record = rows[file] else { return }
        if fetch.isLonely, record.state == .wanted {
            change(file) { $0.wake() }
            return turn.deadlines.advance(.files, to: turn.now.monotonic)
        }
        guard fetch.asks, case .refused = fetch.source(on: link)?.state else { return }
        sendAsk(for: file, in: record.conversation, on: link, links, &turn)
    }

    // What peers answer.

    mutating func heldReceived(_ held: WireFileHeld, on link: LinkID, _ peers: FilePeers, _ turn: inout Turn)
        throws(Breach)
    {
        guard let file = FileID(held.file), held.chunks.count <= (Limits.chunks + 7) / 8,
            held.manifest.count <= Limits.chunks * Bytes32.count
        else { throw .fileHeldFields }
        noteUpload(of: file, held, on: link, &turn)
        guard lines[link]?.isEnding(file) == false else { return }
        guard let fetch = fetches[file], fetch.asks, let source = fetch.sources[link], source.isUsed else { return }
        switch Result(catching: { () throws(FileFault) in try ChunkSet([UInt8](held.chunks), total: fetch.shape.count) }
        ) {
        // The message may have told a false size, so this is no breach: it has another file, or none.
        case .failure: drop(link, of: file, until: .max, peers, &turn)
        case .success(let set):
            take(set, held.manifest, source, of: file, on: link, peers, &turn)
        }
    }

    private mutating func take(
        _ set: ChunkSet,
        _ manifest: Data,
        _ source: FetchSource,
        of file: FileID,
        on link: LinkID,
        _ peers: FilePeers,
        _ turn: inout Turn
    ) {
        guard let fetch = fetches[file], let record = rows[file] else {
            return broken("a peer is heard only about a file that may be fetched")
        }
        guard fetch.stage == .asking, !set.isEmpty else {
            change(file) { $0.offered(set, on: link) }
            return fill(link, peers.links, &turn)
        }
        if manifest.isEmpty {
            // The first may be news that crossed the question: the answer is still to come.
            guard source.offers != nil else {
                change(file) { $0.offered(set, on: link) }
                return
            }
            // What it had told before had no leaves, since it had none. It has some now.
            return sendAsk(for: file, in: record.conversation, on: link, peers.links, &turn)
        }
        guard let found = try? FileManifest([UInt8](manifest), of: file, fetch.shape) else {
            return drop(link, of: file, until: .max, peers, &turn)
        }
        change(file) {
            $0.offered(set, on: link)
            $0.enter(.beginning, at: turn.now.monotonic)
        }
        turn.emit(.shelf(.begin(found)))
    }

    mutating func stopReceived(_ stop: WireFileStop, on link: LinkID, _ peers: FilePeers, _ turn: inout Turn)
        throws(Breach)
    {
        guard let file = FileID(stop.file) else { throw .fileStopFields }
        let isAnswer = lines[link]?.isEnding(file) == true
        switch stop.reason {
        case .enough, .noRoom:
            if let line = lines[link], line.served[file] != nil {
                endUpload(file, line.peer, stop.reason == .noRoom ? .noRoom : .stopped, &turn)
            }
            // So that the peer knows that nothing more comes.
            refuse(file, because: .unspecified, on: link, peers.links, &turn)
            return
        case .unspecified: change(link) { $0.endAnswered(file) }
        default: break
        }
        change(link) { $0.ends(file) }
        guard !isAnswer, fetches[file]?.source(on: link)?.isUsed == true else { return }
        let again = turn.now.monotonic + (fetches[file]?.askAgainPause ?? Limits.fileAskAgainMilliseconds)
        change(file) { $0.lose(link) { $0.refuses(until: again) } }
        turn.deadlines.advance(.files, to: again)
        restIfAlone(file, &turn)
        fillAll(peers.links, &turn)
    }

    func sendStop(_ file: FileID, _ reason: WireFileStopReason, on link: LinkID, _ links: Links, _ turn: inout Turn) {
        var stop = WireFileStop()
        stop.file = Data(file.bytes)
        stop.reason = reason
        links.send(.fileStop(stop), on: link, &turn)
    }

    // The end of asking.

    /// Fetches nothing more of a file for now, and says so to those who were asked.
    mutating func leave(
        _ file: FileID,
        because reason: WireFileStopReason,
        until moment: Int64 = .min,
        _ links: Links,
        _ turn: inout Turn
    ) {
        guard let fetch = fetches[file] else { return }
        for (link, source) in fetch.sources.sorted(by: { $0.key < $1.key }) where source.isUsed {
            endAsking(for: file, reason, on: link, links, &turn)
        }
        rest(file, until: moment, &turn)
    }

    /// Tells a peer that was asked that no more of a file is wanted.
    mutating func endAsking(
        for file: FileID,
        _ reason: WireFileStopReason,
        on link: LinkID,
        _ links: Links,
        _ turn: inout Turn
    ) {
        change(link) { $0.endsAsking(file) }
        sendStop(file, reason, on: link, links, &turn)
    }

    /// Does nothing more about a file until then, or until somebody comes who may have it.
    mutating func rest(_ file: FileID, until moment: Int64, isSourceless: Bool = false, _ turn: inout Turn) {
        guard let fetch = fetches[file] else { return broken("a file that rests may be fetched later") }
        if fetch.stage == .fetching || fetch.stage == .beginning { turn.emit(.shelf(.rest(file))) }
        change(file) {
            if isSourceless { $0.nobodyHasIt() }
            $0.rest(until: moment)
        }
        if fetch.isUnderWay, let record = rows[file], record.state == .wanted {
            tell(record, &turn)
        }
        deactivate(file)
        forgetTold(file)
        if let record = rows[file], record.state == .wanted { enqueue(record) }
        if moment > .min { turn.deadlines.advance(.files, to: moment) }
        turn.deadlines.advance(.files, to: turn.now.monotonic)
    }

    /// Lets a file rest if nobody is left who was asked.
    mutating func restIfAlone(_ file: FileID, _ turn: inout Turn) {
        guard let fetch = fetches[file], fetch.asks, !fetch.sources.values.contains(where: \.isUsed) else { return }
        guard !fetch.sources.isEmpty else { return rest(file, until: .min, &turn) }
        let again = fetch.sources.values.compactMap(\.againAt).filter { $0 < .max }.min()
        rest(file, until: again ?? turn.now.monotonic + fetch.askAgainPause, isSourceless: true, &turn)
    }

    /// The peers of a file that was fetched need not be told any more what is here.
    mutating func forgetTold(_ file: FileID) {
        for link in lines.keys where lines[link]?.served[file] == nil { change(link) { $0.forgetTold(file) } }
    }
}
