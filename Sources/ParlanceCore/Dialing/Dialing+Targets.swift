import ParlanceWire

extension Dialing {
    /// The targets, indexed by key, by the peer that answered there, and by attempt.
    struct Targets: Equatable, Sendable {
        private var targets: [Key: Target] = [:]
        /// The targets of each peer; those where no peer has answered are under `nil`.
        private var byPeer: [PeerID?: Set<Key>] = [:]
        private var byAttempt: [DialID: Key] = [:]
        /// The announced prefixes of the targets where no peer has answered.
        private var prefixes: [Key: String] = [:]
        /// For each peer with a known location, the number of its targets that have not failed several times in a row.
        private var inReach: [PeerID: Int] = [:]

        subscript(key: Key) -> Target? {
            get { targets[key] }
            set {
                let old = targets[key]
                targets[key] = newValue
                note(key, from: old, to: newValue)
            }
        }

        private mutating func note(_ key: Key, from old: Target?, to new: Target?) {
            if old?.attempt != new?.attempt {
                if let attempt = old?.attempt { byAttempt[attempt] = nil }
                if let attempt = new?.attempt { byAttempt[attempt] = key }
            }
            if old.map(\.peer) != new.map(\.peer) {
                if let old { byPeer[old.peer]?.remove(key) }
                if let old, byPeer[old.peer]?.isEmpty == true { byPeer[old.peer] = nil }
                if let new { byPeer[new.peer, default: []].insert(key) }
            }
            if let new, new.peer == nil { prefixes[key] = new.prefix } else { prefixes[key] = nil }
            guard Self.whoIsInReach(old) != Self.whoIsInReach(new) else { return }
            if let peer = Self.whoIsInReach(old) {
                let rest = (inReach[peer] ?? 1) - 1
                inReach[peer] = rest > 0 ? rest : nil
            }
            if let peer = Self.whoIsInReach(new) { inReach[peer, default: 0] += 1 }
        }

        private static func whoIsInReach(_ target: Target?) -> PeerID? {
            target.flatMap { $0.failures < Limits.failuresInReach ? $0.peer : nil }
        }

        /// Whether the indexes agree with the targets, for tests.
        var isSound: Bool {
            var again = Targets()
            for (key, target) in targets { again[key] = target }
            return again == self
        }

        var count: Int { targets.count }

        /// Unordered.
        var values: Dictionary<Key, Target>.Values { targets.values }

        /// Unordered.
        var keys: Dictionary<Key, Target>.Keys { targets.keys }

        /// The targets that lead to a peer, unordered: those where it has answered, those with its addresses, and those
        /// that announce a prefix of its ID.
        func leading(to peer: PeerID) -> [Target] {
            answered(by: peer)
                + prefixes.filter { peer.matches(prefix: $0.value) }.keys.compactMap { targets[$0] }
        }

        /// The peers that have answered at some target or whose addresses are targets, unordered.
        var peers: [PeerID] { byPeer.keys.compactMap { $0 } }

        /// The targets where a peer has answered, and those with its addresses, unordered.
        func answered(by peer: PeerID) -> [Target] { (byPeer[peer] ?? []).compactMap { targets[$0] } }

        /// The targets where no peer has answered, unordered.
        var unanswered: [Target] { (byPeer[nil] ?? []).compactMap { targets[$0] } }

        func target(of attempt: DialID) -> Target? { byAttempt[attempt].flatMap { targets[$0] } }

        /// The peers that attempts under way lead to, as far as they are known.
        var dialled: Set<PeerID> { Set(byAttempt.values.compactMap { targets[$0]?.peer }) }

        /// The peers with a known location where attempts have not failed several times in a row, unordered.
        var peersInReach: Dictionary<PeerID, Int>.Keys { inReach.keys }

        /// Whether a peer is one of `peersInReach`.
        func isInReach(_ peer: PeerID) -> Bool { inReach[peer] != nil }

        /// Targets where no peer has answered and attempts have not failed several times in a row, unordered.
        var unansweredInReach: [Target] { unanswered.filter { $0.failures < Limits.failuresInReach } }
    }
}
