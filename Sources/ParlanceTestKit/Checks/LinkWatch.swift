import ParlanceCore
import ParlanceWire

/// The links of one node as its engine was told of them, and since when.
struct LinkWatch {
    struct Open {
        let peer: Int
        let opened: Int64
        var heard: Int64
        /// When the peer's hello arrived.
        var hello: Int64?
        /// What was last told over it about the user.
        var said: Activity?
        /// The workspace key with which it was opened.
        let tag: UInt32?
        /// That key no longer serves, or the peer was excluded: only keys and the charter go over the link.
        var isForKeys: Bool
        /// The engine has closed it.
        var isClosing = false
    }

    private(set) var links: [LinkID: Open] = [:]
    /// When a link was last closed.
    private(set) var lastClosed: Int64 = 0
    /// When pictures came from each peer, and went to it.
    private(set) var picturesCame: [Int: [Int64]] = [:]
    var picturesGiven: [Int: [Int64]] = [:]
    /// When the last link to a peer went.
    private(set) var left: [Int: Int64] = [:]
    /// When something last came from a peer on links that went.
    private(set) var heard: [Int: Int64] = [:]
    /// When each peer last sent this node away, unless a summary came from it since (discovery.md, "Back-off").
    private(set) var sentAway: [Int: Int64] = [:]
    /// When the user last forgot a peer.
    private(set) var forgotten: [Int: Int64] = [:]

    mutating func open(_ link: LinkID, _ peer: Int, tag: UInt32?, isForKeys: Bool, at now: Int64) {
        links[link] = Open(peer: peer, opened: now, heard: now, tag: tag, isForKeys: isForKeys)
    }

    mutating func hear(_ frame: WireFrame, on link: LinkID, at now: Int64) {
        links[link]?.heard = now
        guard let peer = links[link]?.peer else { return }
        switch frame.kind {
        case .hello where links[link]?.hello == nil: links[link]?.hello = now
        case .picture: picturesCame[peer, default: []].append(now)
        case .bye(let bye) where [.limit, .blocked].contains(bye.reason): sentAway[peer] = now
        case .refuse(let refuse) where refuse.code == .blocked: sentAway[peer] = now
        case .summary: sentAway[peer] = nil
        default: break
        }
    }

    mutating func say(_ activity: Activity, on link: LinkID) {
        links[link]?.said = activity
    }

    /// The peer of the link was excluded and is told so.
    mutating func serveKeys(_ link: LinkID) { links[link]?.isForKeys = true }

    mutating func shut(_ link: LinkID, at now: Int64) {
        links[link]?.isClosing = true
        lastClosed = now
    }

    mutating func close(_ link: LinkID, at now: Int64) {
        guard let gone = links.removeValue(forKey: link) else { return }
        lastClosed = now
        heard[gone.peer] = max(heard[gone.peer] ?? 0, gone.heard)
        if !links.values.contains(where: { $0.peer == gone.peer }) { left[gone.peer] = now }
    }

    mutating func forget(_ peer: Int, at now: Int64) { forgotten[peer] = now }

    func all(to peer: Int) -> [Open] { links.values.filter { $0.peer == peer } }

    /// Whether a peer has been linked without a break since a given time.
    func isSteady(_ peer: Int, since moment: Int64) -> Bool {
        links.values.contains {
            $0.peer == peer && !$0.isClosing && !$0.isForKeys && $0.hello.map { $0 <= moment } ?? false
        }
    }

    func isLinked(_ peer: Int) -> Bool {
        links.values.contains { $0.peer == peer && !$0.isClosing && !$0.isForKeys }
    }
}
