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
    /// Pieces that the peer was promised and that are being read.
    private(set) var owedPieces = 0
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

    mutating func owes(_ pieces: Int) { owedPieces += pieces }
    mutating func paid(_ pieces: Int) { owedPieces = max(0, owedPieces - pieces) }

    /// - Returns: whether the store is to be asked again: the message may have been deleted.
    mutating func checksAgain(at now: Int64) -> Bool {
        guard !isChecking, now - checkedAt >= Limits.fileCheckMilliseconds else { return false }
        isChecking = true
        return true
    }
}
