import ParlanceWire

/// A file that the peer of a link has asked for, since it last did.
struct Serving: Equatable, Sendable {
    /// What is read for another serving of the file is not sent in this one.
    let number: UInt64
    /// The conversation in which a message names it.
    let conversation: ConversationID
    /// Whether the peer lacks the manifest.
    private(set) var wantsManifest: Bool
    private(set) var stage = Stage.checking
    /// When the store last said that a message names it.
    private var checkedAt = Int64.min / 2
    /// The number of pieces that the peer was promised.
    private var owedPieces = 0
    /// The promised pieces that are not being read yet, in the order in which the peer asked for them.
    private var waiting: [Range<UInt64>] = []
    /// What the peer asked for before it was answered: it knew of those chunks from before it asked for the file.
    private var early: [WireFileWant] = []
    /// Whether the store is asked whether a message names it.
    private var isChecking = true
    /// Whether messages were removed since the store was asked.
    private var isOutdated = false

    enum Stage: Equatable, Sendable {
        /// The store is asked whether a message names it.
        case checking
        /// The shelf is asked what is there.
        case looking
        /// The peer was told what is here.
        case open
    }

    init(_ number: UInt64, in conversation: ConversationID, wantsManifest: Bool) {
        self.number = number
        self.conversation = conversation
        self.wantsManifest = wantsManifest
    }

    /// A message names it.
    ///
    /// - Returns: whether the shelf is to be asked.
    mutating func named(at now: Int64) -> Bool {
        if !isOutdated { checkedAt = now }
        (isChecking, isOutdated) = (false, false)
        guard stage != .open else { return false }
        stage = .looking
        return true
    }

    /// The peer is told what is here.
    ///
    /// - Returns: what it has asked for already.
    mutating func open() -> [WireFileWant] {
        stage = .open
        defer { early = [] }
        return early
    }

    /// The peer asks for the file again, and is not answered yet. It does not wait for pieces that it asked for before.
    mutating func askedAgain(wantsManifest: Bool) {
        self.wantsManifest = wantsManifest
        early = []
    }

    mutating func keep(_ want: WireFileWant) { early.append(want) }

    /// Pieces that the peer waits for.
    var awaitedPieces: Int { early.reduce(owedPieces) { $0 + Int($1.count) } }

    var isWaiting: Bool { !waiting.isEmpty }
    var waitingPieces: Int { waiting.reduce(0) { $0 + $1.count } }

    mutating func owes(_ pieces: Range<UInt64>) {
        owedPieces += pieces.count
        waiting.append(pieces)
    }

    /// Takes the next pieces to read, at most `limit` and all of one `FileWant`; `nil` if none wait.
    mutating func takeWaiting(_ limit: Int) -> Range<UInt64>? {
        guard let first = waiting.first else { return nil }
        let taken = first.prefix(max(0, limit))
        waiting[0] = first.dropFirst(taken.count)
        if waiting[0].isEmpty { waiting.removeFirst() }
        return taken
    }

    mutating func paid(_ pieces: Int) { owedPieces = max(0, owedPieces - pieces) }

    /// Whether nothing more is given before the store says again that a message names it: it may have been deleted.
    func isUnchecked(at now: Int64) -> Bool { now - checkedAt >= Limits.fileCheckMilliseconds }

    /// - Returns: whether the store is to be asked; `false` if it was asked and has not answered.
    mutating func checksAgain() -> Bool {
        guard !isChecking else { return false }
        isChecking = true
        return true
    }

    /// Messages were removed: what the store has said until now does not count any more.
    mutating func mentionsWereRemoved() {
        checkedAt = .min / 2
        isOutdated = isChecking
    }
}
