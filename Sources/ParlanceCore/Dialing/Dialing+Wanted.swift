import ParlanceWire

// Which targets are worth an attempt.
extension Dialing {
    /// The targets to dial among those for which a closure returns `true`, unordered.
    func wanted(_ links: Links, _ people: People, where isMeant: (Target) -> Bool) -> [Target] {
        let dialled = places.dialled
        let usable = all.filter { isMeant($0) && isUsable($0, besides: dialled, links, people) }
        // Computing the reach examines every peer: skip it if no target needs it.
        guard usable.contains(where: { $0.peer != nil }) else { return usable }
        let reach = reach(links, people)
        return usable.filter { target in target.peer.map { !reach.isBeyond($0, of: people.own) } ?? true }
    }

    /// Whether to dial this target, regardless of whether its peer gets everything through others.
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
        // A member that others have told of is dialled once to verify its identity.
        case .remembered: people.isWelcome(peer) || people.isNewMember(peer)
        case .fixed: !people.isShunned(peer)
        }
    }
}

extension Dialing.Target {
    /// The peers that it may lead to: the one that answered there, or those that match the announced prefix.
    func whoMayBe(_ people: People) -> [PeerID] {
        if let peer { return [peer] }
        return prefix.map { people.known(by: $0) } ?? []
    }

    func isFriendly(_ people: People) -> Bool {
        if case .fixed = key { return true }
        return whoMayBe(people).contains { people.isWelcome($0) }
    }

    /// Whether the node there would accept our links, as far as discovery shows: a node of another workspace closes
    /// them.
    func shares(_ workspace: Workspace?) -> Bool {
        guard isSighted else { return true }
        guard let workspace else { return workspaceTags.isEmpty }
        return workspaceTags.contains { workspace.key(of: $0) != nil }
    }

    /// The target in the form that `doctor` shows.
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
