import ParlanceWire

/// Decides which peers to dial, at which addresses, and when (discovery.md).
///
/// - It owns the targets, the back-off of each, and why the last link with each peer ended.
/// - It takes what discovery sees, static addresses and addresses that worked, how attempts and links end, and reasons
///   to try a peer again at once.
/// - It returns these facts: `waysChanged` and `lostSight`.
///
/// A target waits until `nextTry`. Then an attempt starts, if a link by that target is wanted (`Dialing+Wanted.swift`).
/// If the attempt fails, the target waits longer than before; if a peer answers, the target keeps the peer's ID.
struct Dialing: Equatable, Sendable {
    enum Key: Hashable, Comparable, Sendable {
        /// A static address.
        case fixed(Endpoint)
        /// An instance that discovery sees.
        case instance(String)
        /// The addresses that worked for a peer, or that it has signed.
        case remembered(PeerID)
    }

    /// A place where a peer may answer.
    struct Target: Equatable, Sendable {
        let key: Key
        /// The number of the target, in the order of creation.
        let order: UInt64
        var endpoints: [Endpoint]
        /// Index of the endpoint to try next, modulo their number.
        var turn = 0
        /// The first characters of the peer ID that discovery announced.
        var prefix: String?
        /// Tags of the workspaces it is in, as discovery announced them.
        var workspaceTags: [UInt32] = []
        /// The peer that answered there, or whose addresses these are.
        var peer: PeerID?
        var attempt: DialID?
        var failures = 0
        var nextTry: Int64
        /// Why the last attempt failed, and since when no attempt has succeeded.
        var failed: LinkTrouble?
        /// When the last attempt failed, in milliseconds since 1970.
        var failedAt: Int64 = 0
        /// The endpoint of the last attempt.
        var lastTried: Endpoint?

        var endpoint: Endpoint? { endpoints.isEmpty ? nil : endpoints[turn % endpoints.count] }

        var isSighted: Bool { if case .instance = key { true } else { false } }

        /// What tells one node in sight from another: what it announces of its peer ID, or its instance.
        var announcedName: String {
            guard prefix == nil, case .instance(let instance) = key else { return prefix ?? "" }
            return instance
        }

        /// Whether the trouble at the address that worked last is known, and this is an older one: what answers there, or
        /// does not, says little of the peer.
        func knowsMore(than place: Endpoint) -> Bool {
            guard case .remembered = key, place != endpoints.first, case .failed(_, let known) = failed?.cause else {
                return false
            }
            return known == endpoints.first
        }
    }

    private var targets = Targets()
    /// Why the last link with each peer ended. Kept until a link has lasted.
    private var ended: [PeerID: LinkTrouble] = [:]
    /// The number of attempts started in the present second, and when that second began.
    private var startedInSecond = 0
    private var second: Int64 = 0

    var count: Int { targets.count }

    /// Unordered.
    var all: [Target] { targets.values }

    /// The targets with their indexes.
    var places: Targets { targets }

    var sorted: [Target] { targets.values.sorted { $0.order < $1.order } }

    /// Peers whose addresses are targets, in the order of their IDs.
    var remembered: [PeerID] {
        targets.keys.compactMap { if case .remembered(let peer) = $0 { peer } else { nil } }
    }

    /// The targets that lead to a peer.
    func targets(of peer: PeerID) -> [Target] {
        targets.leading(to: peer).sorted { $0.order < $1.order }
    }

    /// The peer whose addresses an attempt tries; `nil` if it tries another kind of target.
    func remembered(of dial: DialID) -> PeerID? {
        guard case .remembered(let peer) = target(of: dial)?.key else { return nil }
        return peer
    }

    private func target(of dial: DialID) -> Target? { targets.target(of: dial) }

    // Places.

    mutating func add(fixed endpoints: [Endpoint], _ turn: inout Turn) {
        for endpoint in endpoints { add(.fixed(endpoint), [endpoint], peer: nil, &turn) }
    }

    /// Makes these the only static addresses. One that stays keeps its state.
    mutating func replace(fixed endpoints: [Endpoint], _ turn: inout Turn) {
        for target in sorted {
            if case .fixed(let endpoint) = target.key, !endpoints.contains(endpoint) { targets[target.key] = nil }
        }
        add(fixed: endpoints.filter { targets[.fixed($0)] == nil }, &turn)
    }

    /// Sets the addresses of a peer as a target of its own; removes it if there are none.
    mutating func remember(_ peer: PeerID, at endpoints: [Endpoint], _ turn: inout Turn) {
        let key = Key.remembered(peer)
        if endpoints.isEmpty {
            targets[key] = nil
        } else if targets[key] == nil {
            add(key, endpoints, peer: peer, &turn)
        } else {
            targets[key]?.endpoints = endpoints
        }
    }

    mutating func dropAddresses(of peer: PeerID) {
        targets[.remembered(peer)] = nil
    }

    /// Forgets why the last link with the peer ended.
    mutating func forget(_ peer: PeerID) {
        ended[peer] = nil
    }

    private mutating func add(_ key: Key, _ endpoints: [Endpoint], peer: PeerID?, _ turn: inout Turn) {
        targets[key] = Target(
            key: key,
            order: turn.nextNumber(),
            endpoints: endpoints,
            peer: peer,
            nextTry: turn.now.monotonic
        )
    }

    mutating func sighted(
        _ sighting: Sighting,
        _ links: Links,
        _ people: People,
        _ turn: inout Turn
    ) -> [Fact] {
        let key = Key.instance(sighting.instance)
        guard !sighting.endpoints.isEmpty else { return [] }
        if targets[key] == nil {
            guard targets.values.count(where: \.isSighted) < Limits.sightings else { return [] }
            add(key, sighting.endpoints, peer: nil, &turn)
        }
        guard var target = targets[key] else { return [] }
        target.endpoints = sighting.endpoints
        target.prefix = sighting.peerPrefix
        target.workspaceTags = sighting.workspaceTags
        targets[key] = target
        let peers = target.dialCandidates(people)
        for peer in peers { startOver(peer, turn.now) }
        startOver(key, turn.now)
        schedule(links, people, &turn)
        return peers.map { .waysChanged($0) }
    }

    mutating func sightLost(_ instance: String, _ people: People) -> [Fact] {
        let key = Key.instance(instance)
        guard let target = targets[key] else { return [] }
        targets[key] = nil
        return target.dialCandidates(people).map { .lostSight($0) }
    }

    // Reasons to try again.

    /// Resets the back-off of all targets: an attempt that failed before may succeed now.
    mutating func networkChanged(_ links: Links, _ people: People, _ turn: inout Turn) {
        for key in targets.keys { startOver(key, turn.now) }
        schedule(links, people, &turn)
    }

    /// Nodes that did not accept this one may do so now, and the reverse.
    mutating func workspaceChanged(_ links: Links, _ people: People, _ turn: inout Turn) {
        for key in targets.keys { targets[key]?.nextTry = turn.now.monotonic }
        schedule(links, people, &turn)
    }

    /// Tries peers at once because of a new command.
    mutating func startOver(_ peers: [PeerID], _ links: Links, _ people: People, _ turn: inout Turn) {
        guard !peers.isEmpty else { return }
        for peer in peers { startOver(peer, turn.now) }
        schedule(links, people, &turn)
    }

    /// Tries at once to reach a peer whose link does not answer, first at other addresses than that of the link.
    mutating func tryBeside(_ link: Link, _ links: Links, _ people: People, _ turn: inout Turn) {
        for target in targets(of: link.peer) where target.endpoint?.isAt(link.remote.host) == true {
            targets[target.key]?.turn += 1
        }
        startOver(link.peer, turn.now)
        let same = targets(of: link.peer).filter { $0.endpoint?.isAt(link.remote.host) == true }
        if same.count < targets(of: link.peer).count {
            for target in same { targets[target.key]?.nextTry = turn.now.monotonic + Limits.backoffFirstMilliseconds }
        }
        schedule(links, people, &turn)
    }

    private mutating func startOver(_ peer: PeerID, _ now: Instant) {
        for target in targets(of: peer) { startOver(target.key, now) }
    }

    private mutating func startOver(_ key: Key, _ now: Instant) {
        guard var target = targets[key] else { return broken("only a target is tried at once") }
        target.failures = 0
        target.nextTry = now.monotonic
        targets[key] = target
    }

    // Back-off.

    /// Sets the wait after a failure: 1 s, doubled with each failure up to the longest, of which a random half to whole
    /// is taken.
    private mutating func backOff(_ key: Key, longest: Int64, _ turn: inout Turn) {
        guard var target = targets[key] else { return broken("only a target is tried later") }
        let doubled = Limits.backoffFirstMilliseconds << min(Int64(target.failures), 20)
        let wait = min(doubled, longest)
        target.failures += 1
        target.nextTry = turn.now.monotonic + wait / 2 + turn.random.below(wait / 2 + 1)
        targets[key] = target
    }

    /// Waits longer for a peer that said that it takes no link from this node.
    mutating func backOffRefused(_ peer: PeerID, _ links: Links, _ people: People, _ turn: inout Turn) {
        for target in targets(of: peer) {
            targets[target.key]?.nextTry = turn.now.monotonic + Limits.backoffRefusedMilliseconds
        }
        schedule(links, people, &turn)
    }

    // Attempts.

    /// Sets the deadline of the next attempt.
    mutating func schedule(_ links: Links, _ people: People, _ turn: inout Turn) {
        let next = wanted(links, people, at: turn.now) { _ in true }.map(\.nextTry).min()
        turn.deadlines[.dial] = next.map { max($0, turn.now.monotonic) }
    }

    mutating func due(_ links: Links, _ people: People, _ turn: inout Turn) {
        if turn.now.monotonic - second >= 1_000 {
            second = turn.now.monotonic
            startedInSecond = 0
        }
        let due = wanted(links, people, at: turn.now) { $0.nextTry <= turn.now.monotonic }.sorted {
            $0.order < $1.order
        }
        // Known peers first: any number of strangers must not delay them.
        let friendly = due.filter { $0.isFriendly(people) }
        for target in friendly + due.filter({ !$0.isFriendly(people) }) {
            guard startedInSecond < Limits.dialsPerSecond else {
                turn.deadlines[.dial] = second + 1_000
                return
            }
            startedInSecond += 1
            start(target, &turn)
        }
        schedule(links, people, &turn)
    }

    private mutating func start(_ target: Target, _ turn: inout Turn) {
        guard let endpoint = target.endpoint else { return }
        let dial = DialID(turn.nextNumber())
        targets[target.key]?.attempt = dial
        targets[target.key]?.lastTried = endpoint
        var expected: PeerID?
        if case .remembered(let peer) = target.key { expected = peer }
        turn.emit(.dial(dial, endpoint, expecting: expected))
    }

    mutating func succeeded(
        _ dial: DialID,
        peer: PeerID,
        _ links: Links,
        _ people: People,
        _ turn: inout Turn
    ) {
        guard var target = target(of: dial) else { return }
        target.attempt = nil
        target.peer = peer
        target.failed = nil
        targets[target.key] = target
        schedule(links, people, &turn)
    }

    /// - Parameter isPressing: whether somebody waits for this peer: a person with a message, or a neighbour in sight.
    mutating func failed(
        _ dial: DialID,
        _ failure: DialFailure,
        isPressing: Bool,
        _ links: Links,
        _ people: People,
        _ turn: inout Turn
    ) -> [Fact] {
        guard var target = target(of: dial) else { return [] }
        target.attempt = nil
        target.turn += 1
        if let place = target.lastTried {
            // The trouble continues: keep its beginning.
            let since = target.failed?.since ?? turn.now.wall
            if !target.knowsMore(than: place) { target.failed = LinkTrouble(.failed(failure, place), since: since) }
            target.failedAt = turn.now.wall
        }
        targets[target.key] = target
        let longest = isPressing ? Limits.backoffLongestMilliseconds : Limits.backoffRefusedMilliseconds
        backOff(target.key, longest: longest, &turn)
        schedule(links, people, &turn)
        return target.dialCandidates(people).map { .waysChanged($0) }
    }

    // Links.

    /// Handles the unwanted end of the last link with a peer: both sides try again after a short random wait. A link
    /// that did not last counts as a failure, so that two nodes that cannot agree do not dial each other endlessly.
    mutating func linkLost(
        _ link: Link,
        _ end: LinkEnd,
        _ links: Links,
        _ people: People,
        _ turn: inout Turn
    ) {
        noteEnd(of: link, end, turn.now)
        tryLater(after: link, links, people, &turn)
    }

    /// Waits before the next dial of a peer whose link is gone.
    mutating func tryLater(after link: Link, _ links: Links, _ people: People, _ turn: inout Turn) {
        let hasServed = !link.wasForKeys && link.hasLasted(at: turn.now)
        // The peer was reached, so what failed before does not go on.
        if hasServed { for target in targets(of: link.peer) { targets[target.key]?.failed = nil } }
        for target in targets(of: link.peer) where target.nextTry <= turn.now.monotonic {
            guard hasServed else {
                backOff(target.key, longest: Limits.backoffLongestMilliseconds, &turn)
                continue
            }
            targets[target.key]?.failures = 0
            targets[target.key]?.nextTry = turn.now.monotonic + turn.random.below(Limits.backoffFirstMilliseconds)
        }
        schedule(links, people, &turn)
    }

    private mutating func noteEnd(of link: Link, _ end: LinkEnd, _ now: Instant) {
        let cause = link.ending ?? (link.closing ? nil : LinkTrouble.Cause(end))
        guard let cause else {
            if link.hasLasted(at: now) { ended[link.peer] = nil }
            return
        }
        // The trouble continues: keep its beginning.
        guard link.hasLasted(at: now) || ended[link.peer]?.cause != cause else { return }
        var trouble = LinkTrouble(cause, since: now.wall)
        trouble.workspaceTag = link.workspaceTag
        ended[link.peer] = trouble
    }

    /// Once a link has lasted, clears why the previous one ended.
    mutating func linkServes(_ link: Link, _ now: Instant) -> [Fact] {
        guard ended[link.peer] != nil, link.hasLasted(at: now) else { return [] }
        ended[link.peer] = nil
        return [.waysChanged(link.peer)]
    }

    /// The peer takes links: clears `blocked`, and ends every wait for its targets. They are dialled once no link is up.
    mutating func refusalEnded(by peer: PeerID, at now: Instant) {
        if ended[peer]?.cause == .blocked { ended[peer] = nil }
        for target in targets(of: peer) where target.nextTry > now.monotonic {
            targets[target.key]?.nextTry = now.monotonic
        }
    }

    /// Why a peer is not linked, or why its links do not last, as far as known; otherwise `nil`.
    func trouble(with peer: PeerID, isLinked: Bool, in workspace: Workspace?) -> LinkTrouble? {
        let ended = ended[peer]
        guard !isLinked else { return ended.flatMap { $0.cause.endsEachLink ? $0 : nil } }
        let ways = targets(of: peer)
        let sighted = ways.filter(\.isSighted)
        if !sighted.isEmpty && !sighted.contains(where: { $0.shares(workspace) }) {
            return LinkTrouble(.otherWorkspace)
        }
        let latest = ways.filter { $0.failed != nil }.max { $0.failedAt < $1.failedAt }
        guard let latest, var failed = latest.failed else { return ended }
        failed.since = ways.compactMap(\.failed?.since).min()
        guard let ended else { return failed }
        // Why the last link ended says more than that the peer is now absent.
        let explains = ended.cause.endsEachLink || ended.cause == .stopped && sighted.isEmpty
        let isNewer = latest.failedAt > ended.since ?? 0
        return isNewer && !(explains && failed.cause.isAbsence) ? failed : ended
    }
}
