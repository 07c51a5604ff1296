import ParlanceWire

/// A link on which a peer was asked for a file.
struct FetchSource: Equatable, Sendable {
    let peer: PeerID
    private(set) var state: State
    /// When a piece of the file last came.
    private(set) var lastPiece: Int64?
    /// Since when there is room for more and nothing to ask this source for, though it has what is lacking.
    private(set) var idleSince: Int64?
    /// It is asked for whatever is lacking, and not only for what nobody else can give.
    private(set) var isEager = false

    enum State: Equatable, Sendable {
        case asked
        case offering(ChunkSet)
        /// It has nothing for this node; it is asked again then.
        case refused(until: Int64)
        /// It sent wrong bytes or stopped sending; it is asked again then.
        case dropped(until: Int64)
    }

    init(_ peer: PeerID) {
        self.peer = peer
        state = .asked
    }

    var offers: ChunkSet? {
        guard case .offering(let set) = state else { return nil }
        return set
    }

    /// Whether it was asked and has not refused.
    var isUsed: Bool {
        switch state {
        case .asked, .offering: true
        case .refused, .dropped: false
        }
    }

    var isDropped: Bool { if case .dropped = state { true } else { false } }

    /// When it is asked again.
    var againAt: Int64? {
        switch state {
        case .asked, .offering: nil
        case .refused(let moment), .dropped(let moment): moment
        }
    }

    mutating func ask() {
        state = .asked
        busy()
    }

    mutating func offers(_ set: ChunkSet) { state = .offering(set) }

    mutating func refuses(until moment: Int64) { state = .refused(until: moment) }

    mutating func drop(until moment: Int64) { state = .dropped(until: moment) }

    mutating func received(at now: Int64) { lastPiece = now }

    /// There is something to ask it for, or nothing that it has is lacking.
    mutating func busy() {
        idleSince = nil
        isEager = false
    }

    /// There is nothing to ask it for that others cannot give.
    ///
    /// - Returns: whether to ask it nevertheless, since the others take too long.
    mutating func idle(at now: Int64) -> Bool {
        let since = idleSince ?? now
        idleSince = since
        if now - since >= Limits.filePatienceMilliseconds { isEager = true }
        return isEager
    }
}
