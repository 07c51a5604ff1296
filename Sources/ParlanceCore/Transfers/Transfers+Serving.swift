import FoundationEssentials
import ParlanceWire

// Serving files to members who ask for them (files.md, "Asking").
extension Transfers {
    mutating func askReceived(_ ask: WireFileAsk, on link: LinkID, _ peers: FilePeers, _ turn: inout Turn)
        throws(Breach)
    {
        guard let conversation = ConversationID(ask.conversation), let file = FileID(ask.file),
            let peer = peers.links.peer(of: link)
        else { throw .fileAskFields }
        begin(FileLine(peer), on: link)
        guard let line = lines[link] else { return broken("a peer that asks for a file has a line") }
        guard line.served[file] != nil || line.served.count < Limits.filesAtOnce else { throw .fileAskCount }
        let isAllowed = peers.serves(conversation, link)
        if isAllowed, let before = line.served[file], before.conversation == conversation, before.stage != .open {
            // The answer is on its way.
            change(link) { _ = $0.change(file) { $0.askedAgain(wantsManifest: ask.manifest) } }
            return
        }
        let isBusy = turn.reads.count { $0.asksForMention(on: link) } >= Limits.filesAtOnce
        guard !isBusy, isAllowed else {
            endServing(file, on: link)
            sendStop(file, .notHeld, on: link, peers.links, &turn)
            return
        }
        let serving = Serving(turn.nextNumber(), in: conversation, wantsManifest: ask.manifest)
        change(link) { $0.serve(file, serving) }
        waitsNoMore(ReadTurns.Reader(link: link, file: file))
        change(file) { $0.othersChanged() }
        turn.readMention(of: file, in: conversation, for: .mention(link, file, serving.number))
    }

    /// The store says whether a message that is shown names the file.
    mutating func mentionRead(
        of file: FileID,
        serving number: UInt64,
        on link: LinkID,
        isNamed: Bool,
        _ peers: FilePeers,
        _ turn: inout Turn
    ) {
        // The peer may have asked again in between.
        guard let serving = lines[link]?.served[file], serving.number == number else { return }
        guard isNamed, peers.serves(serving.conversation, link) else {
            return refuse(file, on: link, peers.links, &turn)
        }
        let now = turn.now.monotonic
        guard change(link, { $0.change(file) { $0.named(at: now) } }) == true else {
            return goOn(with: file, on: link, peers, &turn)
        }
        turn.emit(.shelf(.look(file)))
        askAgain(for: file, of: link, peers.links, &turn)
    }

    /// Gives a peer what waited until the store had said again that a message names the file.
    private mutating func goOn(with file: FileID, on link: LinkID, _ peers: FilePeers, _ turn: inout Turn) {
        if lines[link]?.isWaiting(for: file) == true {
            wait(ReadTurns.Reader(link: link, file: file))
            // Others may have taken its place meanwhile.
            for reader in takeSurplusReaders() { refuse(reader.file, on: reader.link, peers.links, &turn) }
            readWaiting(peers, &turn)
        }
        tell(file, peers, &turn)
    }

    /// Whether the peer of a link may be given something of a file that it has asked for. If the store has not said
    /// lately that a message names the file, it is asked first, and what there is to give waits.
    mutating func mayGive(_ file: FileID, on link: LinkID, _ peers: FilePeers, _ turn: inout Turn) -> Bool {
        guard let serving = lines[link]?.served[file], peers.serves(serving.conversation, link) else { return false }
        guard serving.isUnchecked(at: turn.now.monotonic) else { return true }
        if change(link, { $0.change(file) { $0.checksAgain() } }) == true {
            turn.readMention(of: file, in: serving.conversation, for: .mention(link, file, serving.number))
        }
        return false
    }

    /// Messages that were shown are deleted, void or removed. Before a peer gets more of a file of these conversations, the
    /// store says again whether one names it.
    mutating func mentionsWereRemoved(in conversations: Set<ConversationID>) {
        guard !conversations.isEmpty else { return }
        for link in lines.keys { change(link) { $0.mentionsWereRemoved(in: conversations) } }
    }

    /// Serves a file no more on a link, and says so.
    mutating func refuse(
        _ file: FileID,
        because reason: WireFileStopReason = .notHeld,
        on link: LinkID,
        _ links: Links,
        _ turn: inout Turn
    ) {
        endServing(file, on: link)
        sendStop(file, reason, on: link, links, &turn)
    }

    mutating func endServing(_ file: FileID, on link: LinkID) {
        change(link) { $0.serve(file, nil) }
        waitsNoMore(ReadTurns.Reader(link: link, file: file))
        change(file) { $0.othersChanged() }
        if !lines.values.contains(where: { $0.served[file] != nil }) { set(file, Holding?.none) }
    }

    /// What is here of a file.
    func holding(_ file: FileID) -> Holding? {
        if let fetch = fetches[file], fetch.stage != .unseen, fetch.isActive || !fetch.held.isEmpty {
            return Holding(shape: fetch.shape, set: fetch.held)
        }
        return holdings[file]
    }

    /// The shelf has told what is there of a file that peers have asked for.
    mutating func answer(_ file: FileID, _ content: ShelfContent, _ peers: FilePeers, _ turn: inout Turn) {
        let waiting = lines.keys.sorted().filter { lines[$0]?.served[file].map { $0.stage == .looking } ?? false }
        guard !waiting.isEmpty else { return }
        if let found = Holding(content) { set(file, found) }
        for link in waiting {
            guard let held = holding(file), let serving = lines[link]?.served[file],
                peers.serves(serving.conversation, link)
            else {
                refuse(file, on: link, peers.links, &turn)
                continue
            }
            guard mayGive(file, on: link, peers, &turn) else { continue }
            let manifest = serving.wantsManifest ? content.manifest : nil
            let early = change(link) { $0.change(file) { $0.open() } ?? [] } ?? []
            sendHeld(held.set, manifest, of: file, on: link, peers.links, &turn)
            // What is here may have become less since the peer was told of it, so this is no breach of its.
            for want in early where lines[link]?.serves(file) == true {
                do throws(Breach) { try wantReceived(want, on: link, peers, &turn) } catch {
                    refuse(file, on: link, peers.links, &turn)
                }
            }
        }
    }

    mutating func sendHeld(
        _ set: ChunkSet,
        _ manifest: FileManifest? = nil,
        of file: FileID,
        on link: LinkID,
        _ links: Links,
        _ turn: inout Turn
    ) {
        var held = WireFileHeld()
        held.file = Data(file.bytes)
        held.chunks = Data(set.bytes)
        held.manifest = Data(manifest?.bytes ?? [])
        change(link) { $0.tells(file, set, at: turn.now.monotonic) }
        links.send(.fileHeld(held), on: link, &turn)
    }

    /// Tells those who have asked for a file, and those who were asked, what is here of it.
    mutating func tell(_ file: FileID, _ peers: FilePeers, _ turn: inout Turn) {
        // That the whole file is here is told once it is durable.
        guard let held = holding(file), fetches[file]?.held.isComplete != true else { return }
        let now = turn.now.monotonic
        for link in lines.keys.sorted() {
            let isAsked = isAsked(for: file, on: link, peers) && !held.set.isEmpty
            guard isAsked || lines[link]?.serves(file) == true else { continue }
            guard let moment = lines[link]?.tellsAt(file, held.set, now: now) else { continue }
            guard moment <= now else {
                turn.deadlines.advance(.files, to: moment)
                continue
            }
            guard isAsked || mayGive(file, on: link, peers, &turn) else { continue }
            sendHeld(held.set, of: file, on: link, peers.links, &turn)
        }
    }

    /// Whether this node has asked the peer of a link for a file, and may still do so: the peer hears what is here.
    func isAsked(for file: FileID, on link: LinkID, _ peers: FilePeers) -> Bool {
        guard fetches[file]?.source(on: link)?.isUsed == true, let record = rows[file] else { return false }
        return peers.serves(record.conversation, link)
    }

    /// A peer that fetches a file from here tells how far it is.
    mutating func noteUpload(of file: FileID, _ held: WireFileHeld, on link: LinkID, _ turn: inout Turn) {
        guard let line = lines[link], line.serves(file), let here = holding(file) else { return }
        let told = try? ChunkSet([UInt8](held.chunks), total: here.shape.count)
        guard let set = told, set.count > 0 || set.isComplete else { return }
        let bytes = here.shape.bytes(in: set)
        let view = UploadView(file: file, peer: line.peer, bytes: bytes)
        noteUpload(view, isEnd: set.isComplete, &turn)
        if set.isComplete { endServing(file, on: link) }
    }

    mutating func wantReceived(_ want: WireFileWant, on link: LinkID, _ peers: FilePeers, _ turn: inout Turn)
        throws(Breach)
    {
        guard let file = FileID(want.file), (1...UInt32(Limits.piecesPerWant)).contains(want.count) else {
            throw .fileWantFields
        }
        guard let line = lines[link], let serving = line.served[file] else {
            sendStop(file, .notHeld, on: link, peers.links, &turn)
            return
        }
        guard line.awaitedPieces + Int(want.count) <= Limits.piecesOwed else { throw .fileWantCount }
        if serving.stage != .open {
            change(link) { _ = $0.change(file) { $0.keep(want) } }
            return
        }
        guard let here = holding(file), let told = line.toldChunks(of: file) else {
            refuse(file, on: link, peers.links, &turn)
            return
        }
        guard peers.serves(serving.conversation, link) else {
            refuse(file, on: link, peers.links, &turn)
            return
        }
        let count = UInt64(want.count)
        guard here.shape.bytes(ofPieces: want.first, count: count) != nil else { throw .fileWantFields }
        for number in want.first..<(want.first + count) {
            guard let chunk = here.shape.chunk(ofPiece: number), told.contains(chunk) else { throw .fileWantFields }
        }
        guard line.owedPieces + Int(count) <= Limits.piecesOwed else {
            // The peer cannot know that pieces which it does not want any more are still being read.
            refuse(file, on: link, peers.links, &turn)
            return
        }
        guard serving.isWaiting || hasTurn else {
            // The peer would wait so long that it dropped this node as stalled. It asks again later.
            refuse(file, on: link, peers.links, &turn)
            return
        }
        change(link) { $0.owes(file, want.first..<(want.first + count)) }
        wait(ReadTurns.Reader(link: link, file: file))
        readWaiting(peers, &turn)
    }

    /// The shelf has read pieces that a peer asked for.
    mutating func piecesRead(_ read: PieceRead, _ bytes: [UInt8]?, _ peers: FilePeers, _ turn: inout Turn) {
        guard change(read.link, { $0.paid(read) }) == true, let serving = lines[read.link]?.served[read.file] else {
            return
        }
        // The peer can have lost the right to the file meanwhile.
        guard peers.serves(serving.conversation, read.link) else {
            return refuse(read.file, on: read.link, peers.links, &turn)
        }
        guard mayGive(read.file, on: read.link, peers, &turn) else {
            // They are read again if a message still names the file.
            change(read.link) { $0.owes(read.file, read.first..<(read.first + UInt64(read.count))) }
            return
        }
        guard let bytes, bytes.count == read.bytes else {
            return refuse(read.file, because: .damaged, on: read.link, peers.links, &turn)
        }
        var piece = WireFilePiece()
        piece.file = Data(read.file.bytes)
        for place in 0..<read.count {
            piece.number = read.first + UInt64(place)
            piece.bytes = Data(bytes.dropFirst(place * Limits.pieceBytes).prefix(Limits.pieceBytes))
            peers.links.send(.filePiece(piece), on: read.link, &turn)
        }
    }

    /// A file that was here in part is not here any more.
    mutating func unhold(_ file: FileID, _ links: Links, _ turn: inout Turn) {
        set(file, Holding?.none)
        for link in lines.keys.sorted() where lines[link]?.served[file] != nil {
            refuse(file, on: link, links, &turn)
        }
    }
}

extension Transfers.Holding {
    init?(_ content: ShelfContent) {
        switch content {
        case .nothing: return nil
        case .part(let manifest, let set): self.init(shape: manifest.shape, set: set)
        case .whole(let manifest): self.init(shape: manifest.shape, set: ChunkSet(all: manifest.shape.count))
        }
    }
}

extension ShelfContent {
    var manifest: FileManifest? {
        switch self {
        case .nothing: nil
        case .part(let manifest, _), .whole(let manifest): manifest
        }
    }
}
