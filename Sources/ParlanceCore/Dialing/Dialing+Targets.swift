import ParlanceRecords
import ParlanceWire

extension Dialing {
    /// The targets, indexed by key, by the peer that answered there, and by attempt.
    struct Targets: Equatable, Sendable {
        private var targets: SortedTable<Key, Target> = [:]
        /// The targets by the peer that answered there.
        private var byPeer: SortedSet<Lead> = []
        private var byAttempt: [DialID: Key] = [:]
        /// The announced prefixes of the targets where no peer has answered.
        private var prefixes: [Key: String] = [:]
        /// For each peer with a known location, the number of its targets that have not failed several times in a row.
        private var inReach: SortedTable<PeerID, Int> = [:]

        private struct Lead: Comparable {
            /// `nil` if no peer has answered.
            var peer: PeerID?
            var key: Key

            static func < (a: Lead, b: Lead) -> Bool {
                guard a.peer == b.peer else { return b.peer.map { b in a.peer.map { $0 < b } ?? true } ?? false }
                return a.key < b.key
            }
        }

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
                if let old { byPeer.remove(Lead(peer: old.peer, key: key)) }
                if let new { byPeer.insert(Lead(peer: new.peer, key: key)) }
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

        var values: [Target] { targets.values }

        var keys: SortedSet<Key> { targets.keys }

        /// The targets that lead to a peer, unordered: those where it has answered, those with its addresses, and those
        /// that announce a prefix of its ID.
        func leading(to peer: PeerID) -> [Target] {
            answered(by: peer)
                + prefixes.filter { peer.matches(prefix: $0.value) }.keys.compactMap { targets[$0] }
        }

        /// The peers that have answered at some target or whose addresses are targets, in the order of their IDs.
        var peers: [PeerID] {
            byPeer.reduce(into: []) { found, lead in
                if let peer = lead.peer, peer != found.last { found.append(peer) }
            }
        }

        /// The targets where a peer has answered, and those with its addresses, in the order of their keys.
        func answered(by peer: PeerID) -> [Target] {
            let start = byPeer.first { $0.peer.map { !($0 < peer) } ?? false }
            return byPeer[start...].prefix { $0.peer == peer }.compactMap { targets[$0.key] }
        }

        /// The targets where no peer has answered, in the order of their keys.
        var unanswered: [Target] { byPeer.prefix { $0.peer == nil }.compactMap { targets[$0.key] } }

        func target(of attempt: DialID) -> Target? { byAttempt[attempt].flatMap { targets[$0] } }

        /// The peers that attempts under way lead to, as far as they are known.
        var dialled: Set<PeerID> { Set(byAttempt.values.compactMap { targets[$0]?.peer }) }

        /// The peers with a known location where attempts have not failed several times in a row, in the order of
        /// their IDs.
        var peersInReach: SortedSet<PeerID> { inReach.keys }

        /// Whether a peer is one of `peersInReach`.
        func isInReach(_ peer: PeerID) -> Bool { inReach[peer] != nil }

        /// Targets where no peer has answered and attempts have not failed several times in a row, unordered.
        var unansweredInReach: [Target] { unanswered.filter { $0.failures < Limits.failuresInReach } }
    }
}
