import FoundationEssentials
import ParlanceWire

/// A file that is wanted and not here: what is there of it, who has it, and what was asked of whom.
struct Fetch: Equatable, Sendable {
    let shape: FileShape
    private(set) var stage = Stage.unseen
    /// The chunks that are verified and written.
    private(set) var held: ChunkSet
    private(set) var sources: [LinkID: FetchSource] = [:]
    private(set) var rarity: ChunkRarity
    /// Those that are held, being put together or being written.
    private var taken: ChunkSet
    private var assemblies: [Int: ChunkAssembly] = [:]
    /// The chunks that the shelf is verifying, and from whom they came.
    private var keeping: [Int: LinkID] = [:]
    /// Bytes of the chunks that are being put together or verified.
    private(set) var bytesInWork = 0
    /// When it last came further, or was begun.
    private(set) var progressAt: Int64 = 0
    /// Nobody is asked until then, for one of several reasons.
    private(set) var restsUntil = Int64.min
    /// How often it has rested because nobody had it, in a row.
    private var sourcelessRetries = 0
    /// From then on those who have the whole file are asked: those who begin at the same time know of each other by then.
    private(set) var settledAt = Int64.min
    private(set) var meter = RateMeter()
    /// When people were last told how far it has come.
    private(set) var toldAt = Int64.min / 2
    /// The chunks that this node fetches from those who have the whole file, and with whom it shares them.
    private var share: Share?

    enum Stage: Equatable, Sendable {
        /// What the shelf has of it is not known.
        case unseen
        /// What the shelf has is known, and nothing is done.
        case idle
        case looking
        /// Peers are asked; the manifest is not here.
        case asking
        case beginning
        case fetching
        case finishing
    }

    private struct Share: Equatable {
        var others: [PeerID]
        var chunks: ChunkSet
    }

    init(_ shape: FileShape) {
        self.shape = shape
        held = ChunkSet(total: shape.count)
        taken = held
        rarity = ChunkRarity(total: shape.count)
    }

    var bytes: UInt64 { shape.bytes(in: held) }

    /// When anything of it last came, or it was begun.
    var lastSignAt: Int64 { sources.values.reduce(progressAt) { max($0, $1.lastPiece ?? $0) } }

    /// Whether it is being worked on.
    var isActive: Bool { stage != .unseen && stage != .idle }

    /// Whether it comes, or peers are asked who have not all said yet that they lack it.
    var isUnderWay: Bool {
        switch stage {
        case .beginning, .fetching, .finishing: true
        case .looking, .asking: sourcelessRetries == 0
        case .unseen, .idle: false
        }
    }

    /// Whether nothing shows that somebody has a file of this ID and size.
    var isUnproven: Bool { (stage == .idle || stage == .asking) && held.isEmpty && keeping.isEmpty }

    /// Whether the peers of its sources are asked now.
    var asks: Bool {
        switch stage {
        case .asking, .beginning, .fetching: true
        case .unseen, .idle, .looking, .finishing: false
        }
    }

    /// Those from whom it comes, in the order of the links.
    var givers: [PeerID] {
        let links = Set(assemblies.values.map(\.link)).sorted()
        return links.compactMap { sources[$0]?.peer }.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    // The course.

    mutating func enter(_ stage: Stage, at now: Int64) {
        self.stage = stage
        if stage == .looking || stage == .asking || stage == .fetching { progressAt = now }
    }

    /// The shelf has told what is there.
    mutating func found(_ set: ChunkSet) {
        held = set.total == shape.count ? set : ChunkSet(total: shape.count)
        rebuildTaken()
    }

    mutating func settles(at moment: Int64) { settledAt = moment }

    /// Nothing is done for now. What is being written is awaited.
    mutating func rest(until moment: Int64) {
        stage = stage == .unseen ? .unseen : .idle
        restsUntil = moment
        // Who lied or stopped sending is remembered.
        sources = sources.filter { $0.value.isDropped }
        rarity = ChunkRarity(total: shape.count)
        assemblies = [:]
        share = nil
        rebuildTaken()
        check()
    }

    mutating func wake() { (restsUntil, sourcelessRetries) = (.min, 0) }

    /// Whether it rests because nobody had it.
    var isLonely: Bool { !isActive && sourcelessRetries > 0 }

    /// After which a peer that has nothing of it is asked again.
    var askAgainPause: Int64 {
        min(Limits.fileAskAgainMilliseconds << min(sourcelessRetries, 16), Limits.fileAskRarelyMilliseconds)
    }

    /// Nobody has it: it rests longer each time.
    mutating func nobodyHasIt() { sourcelessRetries += 1 }

    /// The user wants another try now: those who stopped sending are asked again.
    mutating func forgive() {
        wake()
        for (link, source) in sources where source.againAt.map({ $0 < .max }) == true { sources[link] = nil }
    }

    private mutating func rebuildTaken() {
        taken = held
        for chunk in assemblies.keys { taken.insert(chunk) }
        for chunk in keeping.keys { taken.insert(chunk) }
        bytesInWork = assemblies.keys.reduce(0) { $0 + shape.length(of: $1) }
        bytesInWork += keeping.keys.reduce(0) { $0 + shape.length(of: $1) }
    }

    // Sources.

    func source(on link: LinkID) -> FetchSource? { sources[link] }

    mutating func ask(_ peer: PeerID, on link: LinkID) {
        if let before = sources[link]?.offers { rarity.remove(before) }
        sources[link, default: FetchSource(peer)].ask()
    }

    /// A peer that was asked tells what it has.
    mutating func offered(_ set: ChunkSet, on link: LinkID) {
        guard let source = sources[link], source.isUsed else { return }
        if let before = source.offers { rarity.remove(before) }
        rarity.add(set)
        sources[link]?.offers(set)
        share = nil
    }

    /// A peer has nothing for this node, or is not believed.
    ///
    /// - Parameter change: says how it ends.
    mutating func lose(_ link: LinkID, _ change: (inout FetchSource) -> Void) {
        release(link)
        if var source = sources[link] {
            if let before = source.offers { rarity.remove(before) }
            change(&source)
            sources[link] = source
        }
        share = nil
    }

    mutating func remove(_ link: LinkID) {
        lose(link) { $0.refuses(until: .max) }
        sources[link] = nil
    }

    /// Somebody else begins or ceases to fetch it.
    mutating func othersChanged() { share = nil }

    private func check() {
        invariants {
            invariant(
                Set(assemblies.keys).isDisjoint(with: keeping.keys),
                "a chunk that is put together is not being written"
            )
            for chunk in assemblies.keys {
                invariant(taken.contains(chunk) && !held.contains(chunk), "a chunk is fetched once")
            }
            invariant(
                keeping.keys.allSatisfy { taken.contains($0) },
                "a chunk that is being written is not fetched again"
            )
            invariant(held.subtracting(taken).isEmpty, "a chunk that is held is not fetched again")
            let work = Array(assemblies.keys) + Array(keeping.keys)
            invariant(
                bytesInWork == work.reduce(0) { $0 + shape.length(of: $1) },
                "the bytes in work are those of its chunks"
            )
        }
    }

    private mutating func release(_ link: LinkID) {
        defer { check() }
        let left = assemblies.filter { $0.value.link == link }
        for chunk in left.keys {
            assemblies[chunk] = nil
            taken.remove(chunk)
            bytesInWork -= shape.length(of: chunk)
        }
    }

    // Chunks.

    /// The pieces to ask for next on a link, of chunks that it was chosen for; `nil` if there are none.
    mutating func nextPieces(on link: LinkID, limit: Int) -> Range<UInt64>? {
        let open = assemblies.filter { $0.value.link == link && !$0.value.hasAskedForAll }.keys.min()
        guard let chunk = open else { return nil }
        return assemblies[chunk]?.takeNext(limit)
    }

    mutating func begin(_ chunk: Int, from link: LinkID) {
        defer { check() }
        invariant(assemblies[chunk] == nil && keeping[chunk] == nil, "a chunk comes from one source at a time")
        assemblies[chunk] = ChunkAssembly(shape.pieces(of: chunk), from: link)
        taken.insert(chunk)
        bytesInWork += shape.length(of: chunk)
    }

    /// - Returns: the chunk and its pieces if it is complete now.
    mutating func received(_ piece: Data, _ number: UInt64, on link: LinkID, at now: Int64) -> (Int, [Data])? {
        sources[link]?.received(at: now)
        guard let chunk = shape.chunk(ofPiece: number), assemblies[chunk]?.link == link else { return nil }
        assemblies[chunk]?.put(piece, number)
        guard let whole = assemblies[chunk], whole.isComplete else { return nil }
        assemblies[chunk] = nil
        keeping[chunk] = link
        return (chunk, whole.bytes)
    }

    /// The shelf has verified a chunk and written it, or has not.
    ///
    /// - Returns: the link from which it came; `nil` if it is not awaited.
    mutating func kept(_ chunk: Int, isWritten: Bool, at now: Int64) -> LinkID? {
        guard let link = keeping.removeValue(forKey: chunk) else { return nil }
        defer { check() }
        bytesInWork -= shape.length(of: chunk)
        if isWritten {
            meter.note(bytes, at: now)
            held.insert(chunk)
            (progressAt, sourcelessRetries) = (now, 0)
        } else {
            taken.remove(chunk)
        }
        return link
    }

    mutating func told(at now: Int64) { toldAt = now }

    /// Chooses the chunk to ask a source for (files.md, "Whom to ask").
    ///
    /// - Parameters:
    ///   - others: those who fetch it too, in order.
    ///   - tie: a random number.
    /// - Returns: `nil` if there is none now.
    mutating func choose(for link: LinkID, own: PeerID, others: [PeerID], tie: UInt64, at now: Int64) -> Int? {
        guard let offers = sources[link]?.offers else { return nil }
        let wanted = offers.subtracting(taken)
        guard !wanted.isEmpty else {
            sources[link]?.busy()
            return nil
        }
        var due = wanted
        for other in sources.values {
            if let set = other.offers, set.count < offers.count { due = due.subtracting(set) }
        }
        if offers.isComplete {
            guard now >= settledAt else { return nil }
            if !others.isEmpty { due = due.intersection(ownShare(own, others)) }
        }
        if let chunk = rarity.rarest(of: due, tie: tie) {
            sources[link]?.busy()
            return chunk
        }
        return sources[link]?.idle(at: now) == true ? rarity.rarest(of: wanted, tie: tie) : nil
    }

    private mutating func ownShare(_ own: PeerID, _ others: [PeerID]) -> ChunkSet {
        if let share, share.others == others { return share.chunks }
        let chunks = FileShare(of: own, among: others).chunks(of: shape.count)
        share = Share(others: others, chunks: chunks)
        return chunks
    }
}
