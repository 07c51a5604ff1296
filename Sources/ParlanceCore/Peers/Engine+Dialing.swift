import ParlanceWire

// Reaching people: sightings, static addresses, addresses that worked; back-off.
extension Engine {
    mutating func startDialing(fixed: [Endpoint]) {
        for endpoint in fixed { addTarget(.fixed(endpoint), endpoints: [endpoint], peer: nil) }
        for peer in peers.keys.sorted() { remember(peer) }
        scheduleDial()
    }

    private mutating func addTarget(_ key: Dialing.Key, endpoints: [Endpoint], peer: PeerID?) {
        dialing.targets[key] = Dialing.Target(
            key: key,
            order: turn.nextNumber(),
            endpoints: endpoints,
            peer: peer,
            nextTry: turn.now.monotonic
        )
    }

    /// Keeps the addresses of a peer as a target of its own.
    mutating func remember(_ id: PeerID) {
        let endpoints = addresses(of: id)
        guard !endpoints.isEmpty else {
            dialing.targets[.remembered(id)] = nil
            return
        }
        if dialing.targets[.remembered(id)] == nil {
            addTarget(.remembered(id), endpoints: endpoints, peer: id)
        } else {
            dialing.targets[.remembered(id)]?.endpoints = endpoints
        }
    }

    /// Where a welcome peer was reached, and where a member says that it takes links.
    private func addresses(of id: PeerID) -> [Endpoint] {
        let worked = isWelcome(id) ? peers[id]?.record.addresses ?? [] : []
        guard workspace != nil, id != identity, !isRemoved(id), peers[id]?.record.trust != .blocked else {
            return worked
        }
        return worked + (addressBook[id]?.endpoints ?? []).filter { !worked.contains($0) }
    }

    // Discovery.

    mutating func sighted(_ sighting: Sighting) {
        let key = Dialing.Key.instance(sighting.instance)
        guard !sighting.endpoints.isEmpty else { return }
        if dialing.targets[key] == nil {
            guard dialing.instances < Limits.sightings else { return }
            addTarget(key, endpoints: sighting.endpoints, peer: nil)
        }
        dialing.targets[key]?.endpoints = sighting.endpoints
        dialing.targets[key]?.prefix = sighting.peerPrefix
        dialing.targets[key]?.workspaceTags = sighting.workspaceTags
        for peer in whoMayBe(key) {
            startOver(peer)
            tellPeer(peer)
        }
        startOver(key)
        scheduleDial()
    }

    mutating func sightLost(_ instance: String) {
        let gone = whoMayBe(.instance(instance))
        dialing.targets[.instance(instance)] = nil
        for peer in gone {
            tellPeer(peer)
            if turn.deadlines[.offline(peer)] == nil { forgetStranger(peer) }
        }
    }

    mutating func networkChanged() {
        for key in dialing.targets.keys { startOver(key) }
        scheduleDial()
    }

    /// The peers a target may lead to: who answered there, or who is known by the prefix announced.
    func whoMayBe(_ key: Dialing.Key) -> [PeerID] {
        guard let target = dialing.targets[key] else { return [] }
        if let peer = target.peer { return [peer] }
        guard let prefix = target.prefix else { return [] }
        return peers.keys.filter { $0.matches(prefix: prefix) }.sorted()
    }

    /// The targets that lead to a peer.
    func targets(of peer: PeerID) -> [Dialing.Target] {
        let leading = dialing.targets.values.filter { target in
            target.peer == peer || (target.peer == nil && target.prefix.map { peer.matches(prefix: $0) } == true)
        }
        return leading.sorted { $0.order < $1.order }
    }

    // Back-off.

    private mutating func startOver(_ key: Dialing.Key) {
        dialing.targets[key]?.failures = 0
        dialing.targets[key]?.nextTry = turn.now.monotonic
    }

    /// A new command or sighting is a reason to try again now.
    mutating func startOver(_ peer: PeerID) {
        for target in targets(of: peer) { startOver(target.key) }
        scheduleDial()
    }

    /// The wait after a failure: 1 s, doubling to the longest, and of that a random half to whole.
    private mutating func backOff(_ key: Dialing.Key, longest: Int64) {
        guard var target = dialing.targets[key] else { return }
        let doubled = Limits.backoffFirstMilliseconds << min(Int64(target.failures), 20)
        let wait = min(doubled, longest)
        target.failures += 1
        target.nextTry = turn.now.monotonic + wait / 2 + turn.random.below(wait / 2 + 1)
        dialing.targets[key] = target
    }

    // Attempts.

    /// Who needs no dial: gathered once, since there may be hundreds of targets and as many links.
    private struct Reached {
        let linked: Set<PeerID>
        let dialled: Set<PeerID>
        let reach: Reach

        init(_ engine: Engine) {
            reach = engine.reach()
            linked = engine.links.values.reduce(into: []) { if $1.stage != .closing { $0.insert($1.peer) } }
            dialled = engine.dialing.targets.values.reduce(into: []) { found, target in
                if target.attempt != nil, let peer = target.peer { found.insert(peer) }
            }
        }
    }

    /// Whether a link by this target is wanted at all.
    private func isWanted(_ target: Dialing.Target, besides reached: Reached) -> Bool {
        guard target.attempt == nil, target.endpoint != nil, sharesWorkspace(target) else { return false }
        let known = target.peer.map { [$0] } ?? whoMayBe(target.key)
        guard known.allSatisfy({ $0 != identity && !reached.linked.contains($0) }) else { return false }
        if let peer = target.peer, reached.dialled.contains(peer) { return false }
        if let peer = target.peer, isBeyond(peer, reached.reach) { return false }
        if let peer = target.peer, case .instance = target.key { return isWelcome(peer) }
        // Of a member that others have told of, one finds out once who it is.
        if let peer = target.peer, case .remembered = target.key { return isWelcome(peer) || isNewMember(peer) }
        return !known.contains { peers[$0]?.record.trust == .blocked || isRemoved($0) }
    }

    /// Whether it would take our links, by what discovery says: a node of another workspace would close them.
    func sharesWorkspace(_ target: Dialing.Target) -> Bool {
        guard case .instance = target.key else { return true }
        guard let workspace else { return target.workspaceTags.isEmpty }
        return target.workspaceTags.contains { workspace.key(of: $0) != nil }
    }

    /// Sets the deadline of the next attempt.
    mutating func scheduleDial() {
        let reached = Reached(self)
        let next = dialing.targets.values.filter { isWanted($0, besides: reached) }.map(\.nextTry).min()
        turn.deadlines[.dial] = next.map { max($0, turn.now.monotonic) }
    }

    mutating func dialDue() {
        if turn.now.monotonic - dialing.second >= 1_000 {
            dialing.second = turn.now.monotonic
            dialing.startedInSecond = 0
        }
        let reached = Reached(self)
        let due = dialing.sorted.filter { $0.nextTry <= turn.now.monotonic && isWanted($0, besides: reached) }
        // Friends first: strangers in any number must not keep them waiting.
        for target in due.filter(isFriendly) + due.filter({ !isFriendly($0) }) {
            guard dialing.startedInSecond < Limits.dialsPerSecond else {
                turn.deadlines[.dial] = dialing.second + 1_000
                return
            }
            dialing.startedInSecond += 1
            start(target)
        }
        scheduleDial()
    }

    private func isFriendly(_ target: Dialing.Target) -> Bool {
        if case .fixed = target.key { return true }
        return whoMayBe(target.key).contains { isWelcome($0) }
    }

    private mutating func start(_ target: Dialing.Target) {
        guard let endpoint = target.endpoint else { return }
        let dial = DialID(turn.nextNumber())
        dialing.targets[target.key]?.attempt = dial
        dialing.targets[target.key]?.lastTried = endpoint
        var expected: PeerID?
        if case .remembered(let peer) = target.key { expected = peer }
        turn.emit(.dial(dial, endpoint, expecting: expected))
    }

    /// A fresh link beside one that is 24 hours old.
    mutating func dialAgain(_ link: Link) {
        turn.emit(.dial(DialID(turn.nextNumber()), link.remote, expecting: link.peer))
    }

    mutating func dialSucceeded(_ dial: DialID, peer: PeerID) {
        guard let key = dialing.targets.first(where: { $0.value.attempt == dial })?.key else { return }
        dialing.targets[key]?.attempt = nil
        dialing.targets[key]?.peer = peer
        dialing.targets[key]?.failed = nil
        scheduleDial()
    }

    mutating func dialFailed(_ dial: DialID, _ failure: DialFailure) {
        guard let key = dialing.targets.first(where: { $0.value.attempt == dial })?.key else { return }
        dialing.targets[key]?.attempt = nil
        dialing.targets[key]?.turn += 1
        if let place = dialing.targets[key]?.lastTried {
            dialing.targets[key]?.failed = LinkTrouble(.failed(failure, place), since: turn.now.wall)
        }
        backOff(key, longest: isPressing(key) ? Limits.backoffLongestMilliseconds : Limits.backoffRefusedMilliseconds)
        for peer in whoMayBe(key) { tellPeer(peer) }
        scheduleDial()
    }

    /// Whether somebody waits for this peer: a person with a message, or a neighbour in sight.
    private func isPressing(_ key: Dialing.Key) -> Bool {
        guard case .remembered(let peer) = key else { return true }
        return sharedConversations(with: peer).contains { hasPending($0, for: peer) }
    }

    /// A link went away by itself: both sides try again, after a short random wait each. One that did not last is a
    /// failure like any other, so that two who cannot agree do not dial each other without end.
    mutating func linkLost(to peer: PeerID, lived: Int64) {
        for target in targets(of: peer) where target.nextTry <= turn.now.monotonic {
            guard lived >= Self.lastingMilliseconds else {
                backOff(target.key, longest: Limits.backoffLongestMilliseconds)
                continue
            }
            dialing.targets[target.key]?.failures = 0
            dialing.targets[target.key]?.nextTry =
                turn.now.monotonic + turn.random.below(Limits.backoffFirstMilliseconds)
        }
        scheduleDial()
    }

    /// How long a link lives that served its purpose.
    static var lastingMilliseconds: Int64 { 10_000 }

    mutating func backOffRefused(_ peer: PeerID) {
        for target in targets(of: peer) {
            dialing.targets[target.key]?.nextTry = turn.now.monotonic + Limits.backoffRefusedMilliseconds
        }
        scheduleDial()
    }

    /// What worked once is tried again: the address dialled, or where a peer that dialled us takes links.
    mutating func rememberAddress(of link: Link, listeningPort: UInt32) {
        guard let port = link.dialled ? link.remote.port : UInt16(exactly: listeningPort), port != 0,
            var record = peers[link.peer]?.record
        else { return }
        let endpoint = Endpoint(host: link.remote.host, port: port)
        guard record.addresses.first != endpoint else { return }
        record.addresses.removeAll { $0 == endpoint }
        record.addresses.insert(endpoint, at: 0)
        record.addresses = Array(record.addresses.prefix(Limits.addressesPerPeer))
        peers[link.peer]?.record = record
        remember(link.peer)
        if isKept(link.peer) { turn.save(link.peer, lazily: true) }
    }
}
