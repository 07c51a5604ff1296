import ParlanceWire

/// What a room works with while it decides about one input: the moment, chance, the table of deadlines, what will be written
/// and what the shell is to do. It is passed `inout`; no room keeps it.
struct Turn: Equatable, Sendable {
    var own: OwnNode
    var now: Instant
    var random: SeededGenerator
    var deadlines = Deadlines()
    /// What will be the next transaction.
    var batch = PendingBatch()
    /// What the store is writing.
    private(set) var writing: PendingBatch?
    /// What the store is reading.
    var reads = PendingReads()
    private var effects: [Effect] = []
    private var lastNumber: UInt64 = 0

    init(_ own: OwnNode, seed: UInt64, at now: Instant) {
        self.own = own
        random = SeededGenerator(seed: seed)
        self.now = now
    }

    /// A number that no effect of this engine has had.
    mutating func nextNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }

    mutating func emit(_ effect: Effect) {
        effects.append(effect)
    }

    /// Answers a command with why it is not carried out; nothing was changed.
    mutating func refuse(_ id: CommandID, _ refusal: Refusal) {
        emit(.answer(id, .failure(refusal)))
    }

    /// What was to be done so far, in order.
    mutating func takeEffects() -> [Effect] {
        defer { effects = [] }
        return effects
    }

    // What is read.

    /// Reads consecutive events of one log.
    @discardableResult
    mutating func read(_ request: ReadRequest, for purpose: ReadPurpose) -> ReadID {
        let read = ReadID(nextNumber())
        reads.add(read, for: purpose)
        emit(.read(read, request))
        return read
    }

    /// Reads an envelope that is kept for somebody.
    mutating func read(_ envelope: EnvelopeID, for purpose: ReadPurpose) {
        let read = ReadID(nextNumber())
        reads.add(read, for: purpose)
        emit(.readEnvelope(read, envelope))
    }

    // What will be written.

    /// The batch that collects goes to the store, and another one begins.
    ///
    /// - Parameter peers: the rows of its peers, as they are now.
    mutating func write(peers: [PeerRecord]) {
        let id = BatchID(nextNumber())
        var closed = takeBatch()
        closed.close(id, peers: peers, at: now)
        writing = closed
        emit(.persist(closed.rows))
    }

    /// The store has written a batch, or could not.
    ///
    /// - Returns: the batch; `nil` if it is not the one that is being written.
    mutating func takeWritten(_ id: BatchID) -> PendingBatch? {
        guard writing?.rows.id == id else { return nil }
        defer { writing = nil }
        return writing
    }

    /// Nothing of the batch that collects will be written.
    mutating func takeBatch() -> PendingBatch {
        defer { batch = PendingBatch() }
        return batch
    }

    /// Takes a body that came into the batch.
    mutating func hold(_ body: FoundBody) {
        batch.rows.bodies.append(body)
        batch.byteCount += body.body.count
        batch.isUrgent = true
    }

    mutating func whenDurable(_ followup: PendingBatch.Followup) {
        batch.after.append(followup)
        batch.isUrgent = true
    }

    /// The proof of a fork is looked at again once what is being written is on disk.
    mutating func takeLater(_ fork: ReceivedFork, from link: LinkID) {
        let isWaiting = batch.after.contains { followup in
            guard case .takeFork(link, let other) = followup else { return false }
            return other.conversation == fork.conversation && other.log == fork.log
        }
        if !isWaiting { whenDurable(.takeFork(link, fork)) }
    }

    /// Marks a peer's row to be written.
    mutating func save(_ peer: PeerID, lazily: Bool = false) {
        batch.peers.insert(peer)
        if lazily { saveLazily() } else { batch.isUrgent = true }
    }

    /// Signs the last own event that collects in a conversation: it becomes a head.
    mutating func signHead(of conversation: ConversationID) {
        guard let unsigned = batch.unsigned.removeValue(forKey: conversation) else { return }
        let signature = HeadSeal.sign(batch.rows.events[unsigned.last].id, with: own.signer)
        batch.rows.events[unsigned.last].signature = signature
        batch.byteCount += signature.count
    }

    /// Signs the last own event of each conversation.
    mutating func signHeads() {
        for conversation in batch.unsigned.keys.sorted() { signHead(of: conversation) }
    }

    /// Rows that only save work after a restart wait up to this long for a batch that goes anyway.
    mutating func saveLazily() {
        deadlines.advance(.lazyRows, to: now.monotonic + Self.lazyMilliseconds)
    }

    private static var lazyMilliseconds: Int64 { 20 }
}
