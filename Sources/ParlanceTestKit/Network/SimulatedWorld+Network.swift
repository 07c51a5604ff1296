import ParlanceCore
import ParlanceWire

// Links: dialling, opening, carrying frames, losing them.
extension SimulatedWorld {
    func connect(_ from: Int, _ life: Int, _ dial: DialID, _ endpoint: Endpoint, _ expecting: PeerID?) {
        guard nodes[from].life == life, nodes[from].isUp else { return }
        guard let to = node(at: endpoint) else {
            return fail(dial, .noRoute, of: from, after: 1)
        }
        guard network.canDial(from: from, to: to) else {
            return fail(dial, .timedOut, of: from, after: 2_000 + random.below(8_000))
        }
        guard nodes[to].isUp, !nodes[to].isStopping else {
            return fail(dial, .refused, of: from, after: 1 + random.below(5))
        }
        guard expecting == nil || expecting == nodes[to].identity else {
            return fail(dial, .otherIdentity, of: from, after: 1 + random.below(20))
        }
        guard let key = sharedKey(from, to) else {
            return fail(dial, .notTaken, of: from, after: 1 + random.below(20))
        }
        let pipe = makePipe(from, to, key)
        guard let onceIn = network.handshakeDiesOnceIn, random.below(onceIn) == 0 else {
            // Who answers a dial opens the link first (link.md, "Course").
            let answered = random.below(20)
            schedule(.open(pipe, end: 1, dial: nil), after: answered)
            return schedule(.open(pipe, end: 0, dial: dial), after: answered + random.below(20))
        }
        // The other side may have accepted it already: then it has a link that nobody else knows.
        observer?.happened("a handshake of \(nodes[from].name) with \(nodes[to].name) dies", kind: "handshake dies")
        pipe.ends[0].isGone = true
        fail(dial, .closedInHandshake, of: from, after: random.below(10_000))
        guard random.below(2) == 0 else {
            pipe.ends[1].isGone = true
            return
        }
        schedule(.open(pipe, end: 1, dial: nil), after: random.below(20))
        schedule(.end(pipe, end: 1, .cutOff), after: 20 + random.below(3_000))
    }

    /// The node at an endpoint, by its name or its address.
    private func node(at endpoint: Endpoint) -> Int? {
        nodes.firstIndex { $0.endpoint == endpoint || endpoint.port == 4747 && $0.address?.text == endpoint.host }
    }

    /// Tests whether a node accepts connections there.
    func probe(_ dial: DialID, _ endpoint: Endpoint, _ from: Int) {
        var failure: String? = "no answer"
        if let to = node(at: endpoint), network.canDial(from: from, to: to) {
            failure = nodes[to].isUp ? nil : "connection refused"
        }
        schedule(.input(from, life: nodes[from].life, .probed(dial, failure: failure)), after: 1 + random.below(20))
    }

    private func fail(_ dial: DialID, _ failure: DialFailure, of node: Int, after delay: Int64) {
        schedule(.input(node, life: nodes[node].life, .dialFailed(dial, failure)), after: delay)
    }

    /// The workspace key with which a link is opened, as link.md says ("Preamble"): `.some(nil)` for an open link.
    private func sharedKey(_ from: Int, _ to: Int) -> WorkspaceKey?? {
        let (own, theirs) = (nodes[from].keys, nodes[to].keys)
        if own.isEmpty && theirs.isEmpty { return .some(nil) }
        return own.first { key in theirs.contains { $0.tag == key.tag } }.map { .some($0) }
    }

    /// Whether a link between two would be accepted: they share a key or are both open, and neither has left the other
    /// out.
    package func canMeet(_ a: Int, _ b: Int) -> Bool {
        sharedKey(a, b) != nil
            && nodes[a].disk.workspace?.leavesOut(nodes[b].identity) != true
            && nodes[b].disk.workspace?.leavesOut(nodes[a].identity) != true
    }

    /// Whether a link between two would serve for more than handing on keys, whoever of them dials (workspaces.md,
    /// "Rotation").
    package func serves(_ a: Int, _ b: Int) -> Bool {
        [(a, b), (b, a)].allSatisfy { from, to in
            switch sharedKey(from, to) {
            case .none: false
            case .some(.none): true
            case .some(.some(let key)): serves(a, b, by: key) && serves(b, a, by: key)
            }
        }
    }

    /// Whether a node serves somebody who comes with a key. With one that was replaced a day ago it serves nobody. With
    /// another old one that somebody left out may have it serves only those whom it has accepted, or whom the charter
    /// admits by name.
    private func serves(_ node: Int, _ other: Int, by key: WorkspaceKey) -> Bool {
        let (disk, who) = (nodes[node].disk, nodes[other].identity)
        guard let own = disk.workspace, let used = own.keys.first(where: { $0.hash == key.hash }) else { return false }
        guard used.hash != own.keys.first?.hash else { return true }
        let wall = instant(of: node).wall
        if let end = used.superseded, wall - end >= Limits.workspaceKeyServesMilliseconds { return false }
        if disk.peers[who]?.isFriend == true || own.charter?.isAdmitted(who) == true { return true }
        guard let charter = own.charter else { return own.removed.isEmpty }
        return charter.excluded.isEmpty || charter.exposed(by: used.hash).isEmpty
    }

    /// Whether two running nodes can have a link.
    package func canReach(_ a: Int, _ b: Int) -> Bool {
        canMeet(a, b) && (network.canDial(from: a, to: b) || network.canDial(from: b, to: a))
    }

    private func makePipe(_ from: Int, _ to: Int, _ key: WorkspaceKey?) -> Pipe {
        let (a, b) = (LinkID(nextNumber()), LinkID(nextNumber()))
        let pipe = Pipe(end(of: from, a), end(of: to, b), key: key, latency: 1 + random.below(3))
        pipes[a] = pipe
        pipes[b] = pipe
        return pipe
    }

    private func end(of node: Int, _ link: LinkID) -> Pipe.End {
        Pipe.End(
            node: node,
            life: nodes[node].life,
            link: link,
            replica: nodes[node].replica,
            epoch: nodes[node].disk.epoch,
            busyUntil: now + 40
        )
    }

    func open(_ pipe: Pipe, _ end: Int, _ dial: DialID?) {
        let (own, other) = (pipe.ends[end], pipe.ends[1 - end])
        guard !own.isGone, nodes[own.node].life == own.life else {
            pipe.ends[end].isGone = true
            return
        }
        pipe.ends[end].isOpen = true
        let opened = LinkOpened(
            link: own.link,
            peer: nodes[other.node].identity,
            replica: other.replica,
            epoch: other.epoch,
            dial: dial,
            remote: dial == nil ? callingEndpoint(other) : nodes[other.node].endpoint,
            workspaceTag: pipe.key?.tag
        )
        feed(.linkOpened(opened), to: own.node, own.life)
        if nodes[other.node].life != other.life { schedule(.end(pipe, end: end, .cutOff), after: random.below(20)) }
    }

    /// A node dials from a port on which it accepts no links.
    private func callingEndpoint(_ end: Pipe.End) -> Endpoint {
        Endpoint(host: nodes[end.node].name, port: 49_152 + UInt16(end.link.value % 16_384))
    }

    /// A second link beside an existing one, which no engine wanted to dial.
    package func duplicateLink(_ from: Int, _ to: Int) {
        guard nodes[from].isUp else { return }
        let dial = DialID(nextNumber() | 1 << 62)
        let expecting = nodes[to].identity
        schedule(.connect(from, life: nodes[from].life, dial, nodes[to].endpoint, expecting: expecting), after: 0)
    }

    func send(_ frame: WireFrame, on link: LinkID) {
        guard let pipe = pipes[link], let end = pipe.ends.firstIndex(where: { $0.link != link }),
            !pipe.ends[1 - end].isGone, !pipe.ends[1 - end].isShut
        else { return }
        var frame = frame
        if let onceIn = network.stripOnceIn, random.below(onceIn) == 0 { strip(&frame, pipe.ends[1 - end].node) }
        var bytes = frame.encodedBytes()
        if bytes.count > Limits.frameBytes {
            observer?.violated("\(nodes[pipe.ends[1 - end].node].name) sends a frame of \(bytes.count) bytes")
        }
        if let garbler = network.garbler, garbler.node == pipe.ends[1 - end].node, random.below(garbler.onceIn) == 0 {
            garble(&bytes)
        }
        let sender = pipe.ends[1 - end].node
        noteStall(pipe, from: 1 - end)
        guard !pipe.isSilent else { return }
        if network.older == sender && frame.isOfLaterKind { return }
        if network.older == sender, case .hello(var hello) = frame.kind {
            hello.features = []
            frame.kind = .hello(hello)
            bytes = frame.encodedBytes()
        }
        if network.newer == sender {
            // An unknown field, and now and then a frame with nothing else.
            bytes += Self.laterField
            if random.below(20) == 0 { carry(Self.laterField, over: pipe, to: end) }
        }
        carry(bytes, over: pipe, to: end)
    }

    func carry(_ bytes: [UInt8], over pipe: Pipe, to end: Int) {
        let travel = pipe.latency + random.below(network.slowest)
        let arrival = max(pipe.ends[end].busyUntil, pipe.stalledUntil, now + travel)
        pipe.ends[end].busyUntil = arrival
        schedule(.frame(pipe, to: end, bytes), after: arrival - now)
    }

    func deliver(_ bytes: [UInt8], over pipe: Pipe, to end: Int) {
        guard !pipe.ends[end].isGone else { return }
        framesDelivered += 1
        let (node, life, link) = (pipe.ends[end].node, pipe.ends[end].life, pipe.ends[end].link)
        if framesDelivered == cutAtFrame { return cutNow(pipe) }
        if let onceIn = network.cutOnceIn, random.below(onceIn) == 0 {
            let (a, b) = (nodes[pipe.ends[0].node].name, nodes[pipe.ends[1].node].name)
            observer?.happened("the link \(a)-\(b) is lost", kind: "link lost at a frame")
            return random.below(2) == 0 ? cutNow(pipe) : lose(pipe)
        }
        guard var frame = WireFrame(decoding: bytes) else {
            // A frame that cannot be decoded ends the link, as in the link's codec.
            finish(pipe, end, .broken(.malformedFrame))
            return lose(pipe)
        }
        if network.older == node && frame.isOfLaterKind {
            observer?.happened("\(nodes[node].name) does not know \(frame.kindName)", kind: "frame of a later version")
            frame.kind = nil
        }
        if frame.kind == nil { observer?.happened("a frame of no kind", kind: "frame of no known kind") }
        feed(.frameReceived(link, frame, bytes: bytes.count), to: node, life)
    }

    /// A field that no version has today, with a number as value.
    static let laterField: [UInt8] = [0xA0, 0xF7, 0x01, 0x07]

    /// The engine closes a link: frames sent before arrive, then the closing record.
    func close(_ link: LinkID) {
        guard let pipe = pipes[link], let own = pipe.ends.firstIndex(where: { $0.link == link }),
            !pipe.ends[own].isShut
        else { return }
        pipe.ends[own].isShut = true
        schedule(.end(pipe, end: own, .closed), after: 2)
        guard !pipe.isSilent else { return }
        let arrival = max(pipe.ends[1 - own].busyUntil, pipe.stalledUntil, now + pipe.latency)
        schedule(.end(pipe, end: 1 - own, .closed), after: arrival - now)
    }

    /// One end of a connection has ended; its engine is told.
    func finish(_ pipe: Pipe, _ end: Int, _ how: LinkEnd) {
        guard !pipe.ends[end].isGone else { return }
        pipe.ends[end].isGone = true
        let own = pipe.ends[end]
        pipes[own.link] = nil
        if own.isOpen { feed(.linkClosed(own.link, how), to: own.node, own.life) }
    }
}
