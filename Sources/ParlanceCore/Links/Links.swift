import FoundationEssentials
import ParlanceRecords
import ParlanceWire

/// All links that are open or being closed.
///
/// It owns each link with the state of every conversation on it. The engine reports opened and closed links and
/// received frames. Other rooms read it.
struct Links: Equatable, Sendable {
    private var links: [LinkID: Link] = [:]
    /// The links of each peer, in the order in which they were opened.
    private var byPeer: [PeerID: [LinkID]] = [:]
    /// Links that wait for the first frame of the peer, which dialled them (`leavesAside`).
    private var aside: [LinkID: LeftAside] = [:]
    private var breaches = BreachTally()

    /// A link that waits for the first frame of the peer.
    struct LeftAside: Equatable, Sendable {
        let opened: LinkOpened
        /// When it was opened.
        let since: Instant
    }

    subscript(id: LinkID) -> Link? { links[id] }

    /// Changes a link, if it exists.
    @discardableResult
    mutating func change<T>(_ id: LinkID, _ body: (inout Link) -> T) -> T? {
        guard let place = links.index(forKey: id) else { return nil }
        return body(&links.values[place])
    }

    /// The state of a conversation on a link; `nil` if it has no session there.
    func session(of conversation: ConversationID, on id: LinkID) -> ConversationSession? {
        links[id]?.sessions[conversation]
    }

    /// The watermarks that wait in a session, in order.
    func waitingMarks(of conversation: ConversationID, on id: LinkID) -> [WatermarkRecord] {
        session(of: conversation, on: id)?.marksInOrder ?? []
    }

    func peer(of id: LinkID) -> PeerID? { links[id]?.peer }

    var count: Int { links.count }

    /// What the links of a peer hold.
    func cost(of peer: PeerID) -> PeerCost { all(with: peer).reduce(.nothing) { $0 + $1.cost } }

    /// All links, in unspecified order.
    var values: some Collection<Link> { links.values }

    /// The IDs of all links, in unspecified order.
    var keys: some Collection<LinkID> { links.keys }

    /// The IDs of all links, in order.
    var ids: [LinkID] { links.keys.sorted() }

    /// All links, in the order of their IDs.
    var inOrder: [Link] { links.values.sorted { $0.id < $1.id } }

    /// The links that are not being closed, in the order of their IDs.
    var open: [Link] { links.values.filter { !$0.closing }.sorted { $0.id < $1.id } }

    /// The links that are not being closed and on which a conversation is open, in the order of their IDs.
    func open(in conversation: ConversationID) -> [Link] {
        links.values.filter { $0.isOpen(in: conversation) }.sorted { $0.id < $1.id }
    }

    /// The peer that comes first by a rank among those with which a conversation is open, and the first link of that
    /// peer on which it is. It gives what `open(in:)` would, and examines few links.
    func first(openIn conversation: ConversationID, by rank: (PeerID) -> (Int, PeerID)) -> (link: LinkID, peer: PeerID)?
    {
        var best: (rank: (Int, PeerID), link: LinkID, peer: PeerID)?
        for (peer, ids) in byPeer {
            let rank = rank(peer)
            if let best, !(rank < best.rank) { continue }
            let link = ids.filter { links[$0]?.isOpen(in: conversation) == true }.min()
            if let link { best = (rank, link, peer) }
        }
        return best.map { ($0.link, $0.peer) }
    }

    /// Whether a conversation is open on any link that is not being closed.
    func areOpen(in conversation: ConversationID) -> Bool {
        links.values.contains { $0.isOpen(in: conversation) }
    }

    /// The links with a peer that are not being closed, in the order of their IDs.
    func open(with peer: PeerID) -> [Link] { all(with: peer).filter { !$0.closing } }

    /// The links with a peer, in the order of their IDs.
    func all(with peer: PeerID) -> [Link] { (byPeer[peer] ?? []).sorted().compactMap { links[$0] } }

    /// The main link of a peer, if there is one. Each copy of an identity has its own link; the newest is the main
    /// link.
    func main(of peer: PeerID) -> Link? { mainID(of: peer).flatMap { links[$0] } }

    /// Whether there is a link with a peer on which no `Bye` was sent or received, and whose other end answers. Links that
    /// only exchange keys count.
    func lead(to peer: PeerID) -> Bool {
        byPeer[peer]?.contains { links[$0].map { $0.stage != .closing && !$0.isStalled } == true } == true
    }

    /// Whether a link with a peer is being closed that has not lasted. Its end counts as a failure, which decides when the
    /// peer is dialled again.
    func fail(with peer: PeerID, at now: Instant) -> Bool {
        byPeer[peer]?.contains { links[$0].map { $0.isFailing(at: now) } == true } == true
    }

    /// The peers with a link that is not being closed, in unspecified order.
    var openPeers: [PeerID] {
        byPeer.keys.filter { byPeer[$0]?.contains { links[$0]?.closing == false } == true }
    }

    /// Whether a peer has a main link.
    func serve(_ peer: PeerID) -> Bool { mainID(of: peer) != nil }

    /// Whether a conversation is open on the main link of a peer.
    func main(of peer: PeerID, hasOpen conversation: ConversationID) -> Bool {
        mainID(of: peer).flatMap { session(of: conversation, on: $0) }?.isOpen == true
    }

    private func mainID(of peer: PeerID) -> LinkID? {
        var newest: (openedAt: Int64, id: LinkID)?
        for id in byPeer[peer] ?? [] where links[id]?.closing == false {
            let candidate = (links[id]?.openedAt ?? 0, id)
            if newest.map({ $0 < candidate }) ?? true { newest = candidate }
        }
        return newest?.id
    }

    /// The links that are not being closed and use one of these addresses of this machine, in the order of their IDs.
    func using(_ addresses: Set<NumericAddress>) -> [Link] {
        addresses.isEmpty ? [] : inOrder.filter { $0.stage != .closing && $0.local.map(addresses.contains) == true }
    }

    /// The links that are left aside, in the order of their IDs.
    var leftAside: [LinkOpened] { aside.values.map(\.opened).sorted { $0.link < $1.link } }

    mutating func putAside(_ opened: LinkOpened, _ now: Instant) {
        invariant(links[opened.link] == nil, "a link that is left aside is none of the others")
        invariant(
            !leftAside.contains { $0.peer == opened.peer && $0.replica == opened.replica },
            "one link of a copy is left aside"
        )
        invariant(opened.dial == nil, "only a link that the peer dialled is left aside")
        aside[opened.link] = LeftAside(opened: opened, since: now)
    }

    /// Removes and returns a link that was left aside.
    mutating func takeAside(_ id: LinkID) -> LeftAside? { aside.removeValue(forKey: id) }

    mutating func insert(_ link: Link) {
        invariant(links[link.id] == nil && aside[link.id] == nil, "a link opens once")
        links[link.id] = link
        byPeer[link.peer, default: []].append(link.id)
    }

    mutating func remove(_ id: LinkID) -> Link? {
        guard let link = links.removeValue(forKey: id) else { return nil }
        invariant(byPeer[link.peer]?.contains(id) == true, "a link is listed under its peer")
        let rest = (byPeer[link.peer] ?? []).filter { $0 != id }
        byPeer[link.peer] = rest.isEmpty ? nil : rest
        return link
    }

    // Sessions.

    /// Changes the session of a conversation on a link; creates it if there is none.
    @discardableResult
    mutating func begin<T>(
        _ conversation: ConversationID,
        on id: LinkID,
        _ body: (inout ConversationSession) -> T
    ) -> T? {
        change(id) { $0.begin(conversation, body) }
    }

    /// Changes the session of a conversation on a link, if there is one.
    @discardableResult
    mutating func change<T>(
        _ conversation: ConversationID,
        on id: LinkID,
        _ body: (inout ConversationSession) -> T
    ) -> T? {
        change(id) { $0.change(conversation, body) } ?? nil
    }

    /// Ends the session of a conversation on a link.
    ///
    /// - Returns: the bytes of the link's window that are free again.
    mutating func end(_ conversation: ConversationID, on id: LinkID) -> Int {
        change(id) { $0.end(conversation) } ?? 0
    }

    /// Drops what is on its way of a log that turned out to be forked, on all links.
    mutating func forget(_ log: LogID, in conversation: ConversationID) {
        for id in links.keys { change(conversation, on: id) { $0.forget(log) } }
    }

    // Frames.

    /// Sends a frame, unless the link is being closed.
    func send(_ kind: WireFrame.OneOf_Kind, on id: LinkID, _ turn: inout Turn) {
        guard let link = links[id], !link.closing || link.stage == .handingKeys && kind.isForKeys else { return }
        var frame = WireFrame()
        frame.kind = kind
        turn.emit(.send(id, frame))
    }

    /// Tells the peers that exchange a conversation that the user is typing in it.
    mutating func sendTyping(in conversation: ConversationID, _ turn: inout Turn) {
        var typing = WireTyping()
        typing.conversation = Data(conversation.bytes)
        let now = turn.now.monotonic
        for id in ids where session(of: conversation, on: id)?.isListed == true {
            if change(id, { $0.tellsTyping(at: now) }) == true { send(.typing(typing), on: id, &turn) }
        }
    }

    /// Reports a broken rule to the log, at most once a minute for each peer.
    mutating func report(_ rule: Breach, by peer: PeerID, _ turn: inout Turn) {
        guard let times = breaches.add(peer, at: turn.now.monotonic) else { return }
        turn.emit(.report(peer, .breach(rule, times: times)))
    }
}

extension WireFrame.OneOf_Kind {
    /// Whether it is sent on a link that serves only for the exchange of keys.
    fileprivate var isForKeys: Bool {
        switch self {
        case .charterEvents, .workspaceKey, .refuse: true
        default: false
        }
    }
}
