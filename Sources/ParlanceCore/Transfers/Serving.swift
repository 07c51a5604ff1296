import ParlanceWire

/// A file that the peer of a link has asked for, since it last did.
struct Serving: Equatable, Sendable {
    /// What is read for another serving of the file is not sent in this one.
    let number: UInt64
    /// The conversation in which a message names it.
    let conversation: ConversationID
    /// Whether the peer lacks the manifest.
    var wantsManifest: Bool
    private(set) var stage = Stage.checking
    /// When the store last said that a message names it.
    private(set) var checkedAt: Int64
    /// The number of pieces that the peer was promised.
    private(set) var owedPieces = 0
    /// The promised pieces that are not being read yet, in the order in which the peer asked for them.
    private var waiting: [Range<UInt64>] = []
    /// Whether the store was asked again.
    private(set) var isChecking = true

    enum Stage: Equatable, Sendable {
        /// The store is asked whether a message names it.
        case checking
        /// The shelf is asked what is there.
        case looking
        /// The peer was told what is here.
        case open
    }

    init(_ number: UInt64, in conversation: ConversationID, wantsManifest: Bool, at now: Int64) {
        self.number = number
        self.conversation = conversation
        self.wantsManifest = wantsManifest
        checkedAt = now
    }

    /// A message names it.
    ///
    /// - Returns: whether the shelf is to be asked.
    mutating func named(at now: Int64) -> Bool {
        checkedAt = now
        isChecking = false
        guard stage == .checking else { return false }
        stage = .looking
        return true
    }

    mutating func open() { stage = .open }

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

    /// - Returns: whether the store is to be asked again: the message may have been deleted.
    mutating func checksAgain(at now: Int64) -> Bool {
        guard !isChecking, now - checkedAt >= Limits.fileCheckMilliseconds else { return false }
        isChecking = true
        return true
    }
}
