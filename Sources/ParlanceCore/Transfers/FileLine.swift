import ParlanceWire

/// What one link carries of files, in both directions.
struct FileLine: Equatable, Sendable {
    let peer: PeerID
    /// How much the peer may be asked for.
    private(set) var window = PieceWindow()
    private(set) var requests = PieceRequests()
    /// What the peer has asked for.
    private(set) var served: [FileID: Serving] = [:]
    /// The number of pieces that wait for the rate or that the shelf reads, also for servings that have ended.
    private(set) var owedPieces = 0
    private var told: [FileID: Told] = [:]
    /// How often the peer was told that no more of a file is wanted, and has not answered.
    private var endings: [FileID: Int] = [:]

    private struct Told: Equatable {
        var set: ChunkSet
        var moment: Int64
    }

    init(_ peer: PeerID) {
        self.peer = peer
    }

    /// Pieces that the peer may be asked for now, if at most so many may be on their way.
    func room(atMost limit: Int) -> Int { min(window.size, limit) - requests.count }

    var toldCount: Int { told.count }

    /// What it holds. Pieces that are being read for the peer count as reads too.
    var cost: PeerCost { PeerCost(entries: requests.count + served.count + told.count + endings.count + owedPieces) }

    /// Whether the peer waits for pieces of a file that are not being read yet.
    func isWaiting(for file: FileID) -> Bool { served[file]?.isWaiting == true }

    /// Whether the peer was told what is here of a file, and may ask for its pieces.
    func serves(_ file: FileID) -> Bool { served[file]?.stage == .open }

    // As the one that fetches.

    mutating func asks(for file: FileID, _ pieces: Range<UInt64>, at now: Int64) {
        requests.add(file, pieces, at: now)
    }

    /// - Returns: whether the piece was asked for.
    mutating func received(_ file: FileID, _ number: UInt64, at now: Int64) -> Bool {
        guard let askedAt = requests.take(file, number) else { return false }
        window.received(askedAt: askedAt, at: now)
        return true
    }

    /// The peer is told that no more of a file is wanted. What it tells of the file before it answers is old.
    mutating func endsAsking(_ file: FileID) { endings[file, default: 0] += 1 }

    func isEnding(_ file: FileID) -> Bool { endings[file] != nil }

    /// The peer has answered that.
    mutating func endAnswered(_ file: FileID) {
        guard let count = endings[file] else { return }
        endings[file] = count > 1 ? count - 1 : nil
    }

    /// The peer sends nothing more of a file.
    mutating func ends(_ file: FileID) { requests.drop(file) }

    // As the one that is asked.

    mutating func serve(_ file: FileID, _ serving: Serving?) {
        // The pieces of the old serving that are not being read yet are not owed any more.
        owedPieces = max(0, owedPieces - (served[file]?.waitingPieces ?? 0))
        served[file] = serving
        if serving == nil { told[file] = nil }
    }

    mutating func change<T>(_ file: FileID, _ body: (inout Serving) -> T) -> T? {
        guard let place = served.index(forKey: file) else { return nil }
        return body(&served.values[place])
    }

    /// Messages of conversations were removed: the store says again whether one names what is served.
    mutating func mentionsWereRemoved(in conversations: Set<ConversationID>) {
        for (file, serving) in served where conversations.contains(serving.conversation) {
            _ = change(file) { $0.mentionsWereRemoved() }
        }
    }

    /// Pieces that the peer waits for.
    var awaitedPieces: Int { served.values.reduce(0) { $0 + $1.awaitedPieces } }

    mutating func owes(_ file: FileID, _ pieces: Range<UInt64>) {
        owedPieces += pieces.count
        _ = change(file) { $0.owes(pieces) }
    }

    /// The shelf has read pieces.
    ///
    /// - Returns: whether the peer still waits for them.
    mutating func paid(_ read: PieceRead) -> Bool {
        owedPieces = max(0, owedPieces - read.count)
        guard served[read.file]?.number == read.serving else { return false }
        return change(read.file) {
            $0.paid(read.count)
            return $0.stage == .open
        } ?? false
    }

    /// The chunks that the peer was told of.
    func toldChunks(of file: FileID) -> ChunkSet? { told[file]?.set }

    /// When the peer may be told of a set; `nil` if it knows it.
    func tellsAt(_ file: FileID, _ set: ChunkSet, now: Int64) -> Int64? {
        guard let last = told[file] else { return now }
        guard last.set != set else { return nil }
        return set.isComplete ? now : last.moment + Limits.fileNewsMilliseconds
    }

    mutating func tells(_ file: FileID, _ set: ChunkSet, at now: Int64) { told[file] = Told(set: set, moment: now) }

    mutating func forgetTold(_ file: FileID) { told[file] = nil }
}
