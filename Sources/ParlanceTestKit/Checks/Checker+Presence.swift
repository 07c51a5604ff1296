import ParlanceCore
import ParlanceHistory
import ParlanceRecords
import ParlanceWire

// Checks that exactly the peers that are here are shown as present, and that a peer shown as typing is typing.
extension Checker {
    /// What a node shows about others, as it tells its watchers.
    struct Shown {
        var present: [Int: Activity] = [:]
        /// The names by which others are shown.
        var names: [Int: String] = [:]
        /// Where somebody is shown as typing.
        var typing: [Int: ConversationID] = [:]
        /// When somebody's last sign of typing came, and where.
        var typed: [Int: (time: Int64, place: ConversationID)] = [:]
    }

    func noteFrame(_ frame: WireFrame, on link: LinkID, _ node: Int) {
        watches[node].links.hear(frame, on: link, at: world.now)
        guard case .typing(let typing) = frame.kind, let peer = watches[node].links.links[link]?.peer else { return }
        if let place = ConversationID(typing.conversation) { watches[node].shown.typed[peer] = (world.now, place) }
    }

    func noteNews(_ notice: Notice, _ node: Int) {
        switch notice {
        case .peer(let view), .request(let view):
            guard let peer = indexes[view.record.id] else { return }
            watches[node].shown.present[peer] = view.presence.activity
            watches[node].shown.names[peer] = view.displayName
        case .gone(let id):
            guard let peer = indexes[id] else { return }
            (watches[node].shown.present[peer], watches[node].shown.names[peer]) = (nil, nil)
        case .typing(let id, let place, let isActive):
            if let peer = indexes[id] { noteTyping(of: peer, place, isActive, node) }
        default: break
        }
    }

    private func noteTyping(of peer: Int, _ place: ConversationID, _ isActive: Bool, _ node: Int) {
        let typed = watches[node].shown.typed[peer]
        guard isActive else {
            watches[node].shown.typing[peer] = nil
            if let typed, typed.place == place, world.now - typed.time > Self.typing + Self.prompt {
                violate("\(name(node)) shows \(name(peer)) as typing for \(world.now - typed.time) ms")
            }
            return
        }
        if let before = watches[node].shown.typing[peer], before != place {
            return violate("\(name(node)) shows \(name(peer)) as typing in two places")
        }
        watches[node].shown.typing[peer] = place
        guard let typed, typed.place == place, typed.time == world.now else {
            return violate("\(name(node)) shows \(name(peer)) as typing, who does not")
        }
        if !mayTalk(peer, in: place, to: node) {
            violate("\(name(node)) shows \(name(peer)) as typing where it has no part")
        }
    }

    /// A message ends the typing of its author. A new frame about typing may come while the message is being written to
    /// disk.
    func checkTypingEnded(by message: ShownMessage, _ node: Int) {
        guard let peer = indexes[message.log.author], watches[node].shown.typing[peer] == message.conversation,
            let typed = watches[node].shown.typed[peer], world.now - typed.time > Self.prompt,
            watches[node].calmSince < world.now - 2 * Self.grace
        else { return }
        violate("\(name(node)) shows \(name(peer)) as typing, and what it has written")
    }

    /// Whether a peer shares a conversation with a node, by what is on the node's disk.
    func mayTalk(_ peer: Int, in place: ConversationID, to node: Int) -> Bool {
        // Changes that are not durable yet may have affected it.
        guard world.nodes[node].engine?.isSettled == true else { return true }
        return talks(peer, in: place, to: node)
            || watches[node].goneSince[place]?.values.contains { world.now - $0 < 1_000 } == true
    }

    /// Whether a node accepts frames of a conversation from a peer, by its disk.
    private func talks(_ peer: Int, in place: ConversationID, to node: Int) -> Bool {
        let disk = world.nodes[node].disk
        if let membership = disk.memberships[place] {
            return [node, peer].allSatisfy { membership.isMember(world.nodes[$0].identity) }
        }
        return place == conversation(node, peer) && disk.peers[world.nodes[peer].identity]?.isFriend == true
    }

    /// Whether two nodes certainly exchange frames of a conversation: nothing that waits for the disk can have changed
    /// it.
    func talk(_ a: Int, _ b: Int, in place: ConversationID) -> Bool {
        [a, b].allSatisfy { world.nodes[$0].engine?.isSettled == true } && talks(a, in: place, to: b)
            && talks(b, in: place, to: a)
    }

    /// Checks everything that is shown about others, once every few seconds.
    func checkPresences() {
        for node in world.nodes.indices where world.nodes[node].isUp && !world.nodes[node].isStopping {
            for peer in world.nodes.indices where peer != node && violation == nil { checkPresence(peer, node) }
            checkTyping(node)
            checkToldAway(node)
        }
    }

    private func checkPresence(_ peer: Int, _ node: Int) {
        let open = watches[node].links.all(to: peer)
        let isPresent = watches[node].shown.present[peer] != nil
        if open.isEmpty {
            let since = watches[node].links.left[peer] ?? 0
            if isPresent && world.now - since > Self.grace + Self.prompt {
                violate("\(name(node)) shows \(name(peer)) as present \(world.now - since) ms after its last link went")
            }
        } else if let silent = open.first(where: { world.now - $0.heard > Self.silence + Self.prompt }) {
            violate("\(name(node)) keeps a link to \(name(peer)) that was silent for \(world.now - silent.heard) ms")
        } else if !isPresent,
            open.contains(where: { link in
                !link.isClosing && !link.isForKeys && link.hello.map { world.now - $0 > Self.prompt } ?? false
            })
        {
            violate("\(name(node)) is linked with \(name(peer)) and does not show it as present")
        }
    }

    private func checkTyping(_ node: Int) {
        for (peer, place) in watches[node].shown.typing.sorted(by: { $0.key < $1.key }) {
            let last = watches[node].shown.typed[peer]
            if last?.place == place, let time = last?.time, world.now - time <= Self.typing + Self.prompt { continue }
            // Typing in a conversation that is not shared shows nothing.
            if let last, last.place != place, !talk(node, peer, in: last.place) { continue }
            return violate("\(name(node)) shows \(name(peer)) as typing long after it stopped")
        }
    }

    /// How long after its last link a peer is shown as present, how long a link may be silent, how long typing is shown
    /// (sync.md, "Heartbeat", "Typing"); and how late each may be, in milliseconds.
    private static let grace: Int64 = 5_000
    private static let silence: Int64 = 60_000
    private static let typing: Int64 = 3_000
    static let prompt: Int64 = 500

    /// A peer that is gone was last seen when something last came from it.
    func checkLastSeen(_ view: PeerView, _ node: Int) {
        guard world.nodes[node].trouble == DiskTrouble(), !world.nodes[node].isDiskGone,
            let peer = indexes[view.record.id], view.presence.activity == nil,
            let heard = watches[node].links.heard[peer],
            watches[node].links.all(to: peer).isEmpty, view.record.trust != .unknown,
            (watches[node].links.forgotten[peer] ?? 0) < heard,
            max(watches[node].opinionSince[peer] ?? 0, watches[node].calmSince, clockSet(node)) < heard
        else { return }
        let wall = world.instant(of: node).wall - (world.now - heard)
        guard view.presence.lastSeen != wall else { return }
        violate("\(name(node)) heard \(name(peer)) until \(wall), and shows \(view.presence.lastSeen ?? 0)")
    }
}
