import ParlanceWire

// What happens at its time, and what follows for files when links and conversations end.
extension Transfers {
    /// Does everything that is due.
    mutating func due(_ peers: FilePeers, _ turn: inout Turn) {
        dropStalled(peers, &turn)
        makeRoom(peers.links, &turn)
        activate(peers, &turn)
        for file in active {
            ask(for: file, peers, &turn)
            tell(file, peers, &turn)
            if let fetch = fetches[file], fetch.progressAt > fetch.toldAt { tellProgress(of: file, &turn) }
        }
        fillAll(peers.links, &turn)
        turn.deadlines[.files] = nextMoment(at: turn.now.monotonic).map { max($0, turn.now.monotonic + 1) }
    }

    /// Others take the place of files that do not come further, so that nobody can hold up all files.
    private mutating func makeRoom(_ links: Links, _ turn: inout Turn) {
        guard active.count >= Limits.filesAtOnce, !queue.isEmpty else { return }
        let now = turn.now.monotonic
        for file in active {
            guard let fetch = fetches[file], fetch.asks, now - fetch.lastSignAt >= Limits.fileAskAgainMilliseconds
            else {
                continue
            }
            leave(file, because: .enough, until: now + Limits.fileAskAgainMilliseconds, links, &turn)
        }
    }

    private func nextMoment(at now: Int64) -> Int64? {
        var moments: [Int64] = []
        for file in active { moments += fetches[file].map { self.moments(of: file, $0, at: now) } ?? [] }
        // Whether pieces still come is looked at each second.
        if lines.values.contains(where: { $0.requests.count > 0 }) { moments.append(now + Limits.progressMilliseconds) }
        for turned in queue where rows[turned.file]?.state == .wanted {
            if let rests = fetches[turned.file]?.restsUntil, rests > now { moments.append(rests) }
        }
        return moments.min()
    }

    private func moments(of file: FileID, _ fetch: Fetch, at now: Int64) -> [Int64] {
        var moments: [Int64] = []
        for (link, source) in fetch.sources {
            if let again = source.againAt { moments.append(again) }
            if let since = source.idleSince, !source.isEager { moments.append(since + Limits.filePatienceMilliseconds) }
            if let line = lines[link], let told = line.tellsAt(file, fetch.held, now: now) { moments.append(told) }
        }
        for line in lines.values where line.serves(file) {
            if let told = line.tellsAt(file, fetch.held, now: now) { moments.append(told) }
        }
        moments.append(fetch.settledAt)
        if fetch.progressAt > fetch.toldAt { moments.append(fetch.toldAt + Limits.progressMilliseconds) }
        if active.count >= Limits.filesAtOnce, !queue.isEmpty {
            moments.append(fetch.lastSignAt + Limits.fileAskAgainMilliseconds)
        }
        return moments.filter { $0 > now && $0 < .max }
    }

    /// A link has ended.
    mutating func linkClosed(_ link: LinkID, _ links: Links, _ turn: inout Turn) {
        let served = lines[link]?.served.keys.sorted() ?? []
        drop(link)
        for file in served { endServing(file, on: link) }
        for file in fetches.keys.sorted() where fetches[file]?.source(on: link) != nil {
            change(file) { $0.remove(link) }
            restIfAlone(file, &turn)
        }
        fillAll(links, &turn)
    }

    /// A conversation is not exchanged on a link any more: somebody has left it, or was removed.
    mutating func closed(_ conversation: ConversationID, on link: LinkID, _ links: Links, _ turn: inout Turn) {
        let served = lines[link]?.served.filter { $0.value.conversation == conversation } ?? [:]
        for file in served.keys.sorted() { refuse(file, on: link, links, &turn) }
        for file in fetches.keys.sorted() where rows[file]?.conversation == conversation {
            guard let source = fetches[file]?.source(on: link) else { continue }
            if source.isUsed { endAsking(for: file, .enough, on: link, links, &turn) }
            change(file) { $0.remove(link) }
            restIfAlone(file, &turn)
        }
    }
}
