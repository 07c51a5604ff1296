import ParlanceWire

// Which targets are worth an attempt.
extension Dialing {
    /// The peers that need no dial, gathered once because there may be hundreds of targets and as many links.
    struct Reached {
        fileprivate let linked: Set<PeerID>
        fileprivate let dialled: Set<PeerID>
        fileprivate let reach: Reach

        init(_ dialing: Dialing, _ links: Links, _ people: People) {
            reach = dialing.reach(links, people)
            linked = links.values.reduce(into: []) { if $1.stage != .closing { $0.insert($1.peer) } }
            dialled = dialing.all.reduce(into: []) { found, target in
                if target.attempt != nil, let peer = target.peer { found.insert(peer) }
            }
        }
    }

    /// Whether a link by this target is wanted at all.
    func isWanted(_ target: Target, besides reached: Reached, _ people: People) -> Bool {
        guard target.attempt == nil, target.endpoint != nil, target.shares(people.workspace) else { return false }
        let known = target.whoMayBe(people)
        guard known.allSatisfy({ $0 != people.own && !reached.linked.contains($0) }) else { return false }
        guard let peer = target.peer else { return !known.contains { people.isShunned($0) } }
        guard !reached.dialled.contains(peer), !reached.reach.isBeyond(peer, of: people.own) else { return false }
        return switch target.key {
        case .instance: people.isWelcome(peer)
        // A member that others have told of is dialled once to find out who it is.
        case .remembered: people.isWelcome(peer) || people.isNewMember(peer)
        case .fixed: !people.isShunned(peer)
        }
    }
}

extension Dialing.Target {
    /// The peers it may lead to: who answered there, or who is known by the prefix announced.
    func whoMayBe(_ people: People) -> [PeerID] {
        if let peer { return [peer] }
        return prefix.map { people.known(by: $0) } ?? []
    }

    func isFriendly(_ people: People) -> Bool {
        if case .fixed = key { return true }
        return whoMayBe(people).contains { people.isWelcome($0) }
    }

    /// Whether the node there would take our links, as far as discovery says: a node of another workspace would close them.
    func shares(_ workspace: Workspace?) -> Bool {
        guard isSighted else { return true }
        guard let workspace else { return workspaceTags.isEmpty }
        return workspaceTags.contains { workspace.key(of: $0) != nil }
    }

    /// The target as `doctor` shows it.
    func way(in workspace: Workspace?, at now: Instant) -> DoctorView.Way {
        let kind: DoctorView.Way.Kind =
            switch key {
            case .fixed: .fixed
            case .instance: .sighted
            case .remembered: .remembered
            }
        return DoctorView.Way(
            kind: kind,
            endpoints: endpoints,
            failed: failed,
            isForeign: !shares(workspace),
            isUnderWay: attempt != nil,
            nextTry: max(nextTry, now.monotonic)
        )
    }
}
