import ParlanceWire

/// What peers have sent and the node has not handled: a lane for each peer, served in deficit round-robin (M. Shreedhar,
/// G. Varghese: Efficient Fair Queueing Using Deficit Round Robin, 1995).
///
/// In a round each peer with something waiting may cause `quantum` of work, and what it has not used for its next frame
/// is kept for the next round. So what one peer sends delays what others send by a round and a frame, however much it is.
struct FairQueue<Element> {
    /// The work of a round for each peer: about a millisecond, and more than most frames.
    static var quantum: Int { 48 * 1_024 }
    /// The work that is handed out at once, if as much waits and few peers have sent it: some milliseconds, after which
    /// the sockets of all peers are read again.
    private static var portion: Int { 4 * quantum }

    /// What may wait of one peer before its links are not read any more: some rounds' worth.
    private static var laneFrames: Int { 256 }
    private static var laneBytes: Int { 1_024 * 1_024 }

    private struct Entry {
        let element: Element
        let cost: Int
        let bytes: Int
    }

    private struct Lane {
        var waiting: [Entry] = []
        var credit = 0
        var bytes = 0
        /// Since when something has waited without a break, or when that was told.
        var since: Int64?
    }

    private var lanes: [PeerID: Lane] = [:]
    /// The peers with something waiting, in the order in which they are served.
    private var turns: [PeerID] = []
    private(set) var count = 0
    private(set) var bytes = 0

    var isEmpty: Bool { turns.isEmpty }

    func isFull(_ peer: PeerID) -> Bool {
        lanes[peer].map { $0.waiting.count >= Self.laneFrames || $0.bytes >= Self.laneBytes } ?? false
    }

    /// Whether something of a peer waits.
    func holds(_ peer: PeerID) -> Bool { lanes[peer] != nil }

    /// - Parameters:
    ///   - cost: how much work it is (`WireFrame.cost`).
    ///   - size: its size on the wire.
    mutating func add(_ element: Element, cost: Int = 0, bytes size: Int = 0, of peer: PeerID) {
        if lanes[peer] == nil { turns.append(peer) }
        lanes[peer, default: Lane()].waiting.append(Entry(element: element, cost: cost, bytes: size))
        lanes[peer]?.bytes += size
        count += 1
        bytes += size
    }

    /// Removes and returns what the peers may cause in one round, or in as many as it takes until there is some work.
    ///
    /// - Parameter now: monotonic milliseconds.
    /// - Returns: that, and the peers of whom something has waited for `Limits.behindMilliseconds` without a break, once in
    ///   that time.
    mutating func take(at now: Int64) -> (taken: [Element], behind: [PeerID]) {
        var taken: [Entry] = []
        var work = 0
        while work < Self.portion, !turns.isEmpty {
            for peer in turns { work += serve(peer, &taken) }
            turns.removeAll { lanes[$0] == nil }
        }
        count -= taken.count
        bytes -= taken.reduce(0) { $0 + $1.bytes }
        return (taken.map(\.element), turns.filter { isBehind(with: $0, at: now) })
    }

    private mutating func isBehind(with peer: PeerID, at now: Int64) -> Bool {
        let since = lanes[peer]?.since ?? now
        let isBehind = now - since >= Limits.behindMilliseconds
        lanes[peer]?.since = isBehind ? now : since
        return isBehind
    }

    /// - Returns: how much work it was.
    private mutating func serve(_ peer: PeerID, _ taken: inout [Entry]) -> Int {
        guard var lane = lanes.removeValue(forKey: peer) else { return 0 }
        lane.credit += Self.quantum
        let before = lane.credit
        var served = 0
        while served < lane.waiting.count, lane.waiting[served].cost <= lane.credit {
            lane.credit -= lane.waiting[served].cost
            lane.bytes -= lane.waiting[served].bytes
            served += 1
        }
        taken += lane.waiting[..<served]
        lane.waiting.removeFirst(served)
        // A peer that has nothing waiting saves nothing up.
        if !lane.waiting.isEmpty { lanes[peer] = lane }
        return before - lane.credit
    }
}
