import ParlanceWire

// Which targets are worth an attempt.
extension Dialing {
    /// The targets by which a link is wanted, of those that a closure passes, in no order.
    func wanted(_ links: Links, _ people: People, where isMeant: (Target) -> Bool) -> [Target] {
        let dialled = places.dialled
        let usable = all.filter { isMeant($0) && isUsable($0, besides: dialled, links, people) }
        // Who is in reach takes a look at everybody.
        guard usable.contains(where: { $0.peer != nil }) else { return usable }
        let reach = reach(links, people)
        return usable.filter { target in target.peer.map { !reach.isBeyond($0, of: people.own) } ?? true }
    }

    /// Whether a link by this target is wanted, unless its peer hears through others.
    private func isUsable(
        _ target: Target,
        besides dialled: Set<PeerID>,
        _ links: Links,
        _ people: People
    ) -> Bool {
        guard target.attempt == nil, target.endpoint != nil, target.shares(people.workspace) else { return false }
        guard let peer = target.peer else {
            return target.whoMayBe(people).allSatisfy {
                $0 != people.own && !links.lead(to: $0) && !people.isShunned($0)
            }
        }
        guard peer != people.own, !links.lead(to: peer), !dialled.contains(peer) else { return false }
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
