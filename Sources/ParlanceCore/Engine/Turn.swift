import ParlanceRecords
import ParlanceWire

/// The context in which a room handles one input: the time, random numbers, deadlines, the collecting batch and
/// the effects. It is passed `inout`. Rooms do not store it.
struct Turn: Equatable, Sendable {
    var own: OwnNode
    var now: Instant
    var random: SeededGenerator
    var deadlines = Deadlines()
    /// The batch that collects for the next transaction.
    var batch = PendingBatch()
    /// The batch that the store is writing.
    private(set) var writing: PendingBatch?
    /// The reads that the store is performing.
    var reads = PendingReads()
    /// What the input has changed of the directory.
    var changed = Directory.Changes()
    private var effects: [Effect] = []
    private var lastNumber: UInt64 = 0

    init(_ own: OwnNode, seed: UInt64, at now: Instant) {
        self.own = own
        random = SeededGenerator(seed: seed)
        self.now = now
    }

    /// A number that is unique among the effects of this engine.
    mutating func nextNumber() -> UInt64 {
        lastNumber += 1
        return lastNumber
    }

    mutating func emit(_ effect: Effect) {
        effects.append(effect)
    }

    /// Refuses a command, which has changed nothing.
    mutating func refuse(_ id: CommandID, _ refusal: Refusal) {
        emit(.answer(id, .failure(refusal)))
    }

    /// Removes and returns the effects so far, in order.
    mutating func takeEffects() -> [Effect] {
        defer { effects = [] }
        return effects
    }

    // Reading.

    @discardableResult
    mutating func read(_ request: ReadRequest, for purpose: ReadPurpose) -> ReadID {
        let read = ReadID(nextNumber())
        reads.add(read, for: purpose)
        emit(.read(read, request))
        return read
    }

    /// Reads a stored envelope.
    mutating func read(_ envelope: EnvelopeID, for purpose: ReadPurpose) {
        let read = ReadID(nextNumber())
        reads.add(read, for: purpose)
        emit(.readEnvelope(read, envelope))
    }

    /// Asks the store whether a message that is shown in the conversation names the file.
    mutating func readMention(of file: FileID, in conversation: ConversationID, for purpose: ReadPurpose) {
        let read = ReadID(nextNumber())
        reads.add(read, for: purpose)
        emit(.readMention(read, conversation, file))
    }

    /// Reads pieces that a peer has asked for from the shelf.
    mutating func readPieces(_ pieces: PieceRead, _ bytes: Range<UInt64>) {
        let read = ReadID(nextNumber())
        reads.add(read, for: .pieces(pieces))
        emit(.shelf(.read(read, pieces.file, bytes)))
    }

    // Writing.

    /// Our logs begin anew: all of each is for everybody, and they name nothing yet, whatever the batch names that is being
    /// written. The store sets the recipients of that batch to 0 with the batch that collects.
    mutating func beginLogs() {
        batch.named = [:]
        writing?.named = [:]
        for index in batch.rows.recipients.indices { batch.rows.recipients[index].after = 0 }
        guard let written = writing?.rows.recipients.indices else { return }
        for index in written { writing?.rows.recipients[index].after = 0 }
    }

    /// Hands the collecting batch to the store, and begins another one.
    ///
    /// - Parameter peers: the present rows of its peers.
    mutating func write(peers: [PeerRecord]) {
        invariant(writing == nil, "one batch is written at a time")
        invariant(batch.unsigned.isEmpty, "a batch is written with its heads signed")
        let id = BatchID(nextNumber())
        var closed = takeBatch()
        closed.close(id, peers: peers, at: now)
        closed.check(own)
        writing = closed
        emit(.persist(closed.rows))
    }

    /// Ends the write of a batch, whether it succeeded or failed.
    ///
    /// - Returns: the batch; `nil` if a different one is being written, or none.
    mutating func takeWritten(_ id: BatchID) -> PendingBatch? {
        guard writing?.rows.id == id else { return nil }
        defer { writing = nil }
        return writing
    }

    /// Removes and returns the collecting batch.
    mutating func takeBatch() -> PendingBatch {
        defer { batch = PendingBatch() }
        return batch
    }

    /// Adds a received body to the batch.
    mutating func hold(_ body: FoundBody) {
        batch.rows.bodies.append(body)
        batch.byteCount += body.body.count
        batch.isUrgent = true
    }

    mutating func whenDurable(_ followup: PendingBatch.Followup) {
        batch.after.append(followup)
        batch.isUrgent = true
    }

    /// Handles the proof of a fork again once the present write has ended.
    mutating func takeLater(_ fork: ReceivedFork, from link: LinkID) {
        // A log may fork at several places, and the branches of one place may come in several frames.
        let waiting = batch.after.filter { followup in
            guard case .takeFork(link, let other) = followup else { return false }
            return other.conversation == fork.conversation && other.log == fork.log
        }
        guard !waiting.contains(.takeFork(link, fork)), waiting.count < Limits.branchesPerLog else { return }
        whenDurable(.takeFork(link, fork))
    }

    /// Adds a peer's row to the batch.
    mutating func save(_ peer: PeerID, lazily: Bool = false) {
        batch.peers.insert(peer)
        if lazily { saveLazily() } else { batch.isUrgent = true }
    }

    /// Signs the last of our unsigned events in a conversation, which makes it a head.
    mutating func signHead(of conversation: ConversationID) {
        guard let unsigned = batch.unsigned.removeValue(forKey: conversation) else { return }
        invariant(batch.rows.events[unsigned.last].log == own.log, "only own events are signed")
        invariant(batch.rows.events[unsigned.last].signature == nil, "a head is signed once")
        let signature = HeadSeal.sign(batch.rows.events[unsigned.last].id, with: own.signer)
        batch.rows.events[unsigned.last].signature = signature
        batch.byteCount += signature.count
    }

    /// Signs the last of our unsigned events in each conversation.
    mutating func signHeads() {
        for conversation in batch.unsigned.keys.sorted() { signHead(of: conversation) }
    }

    /// Writes rows that only save work after a restart with the next batch, at the latest after `Limits.lazyMilliseconds`.
    mutating func saveLazily() {
        deadlines.advance(.lazyRows, to: now.monotonic + Limits.lazyMilliseconds)
    }
}
