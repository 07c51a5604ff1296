import ParlanceWire

// Which targets are worth an attempt.
extension Dialing {
    /// The targets to dial among those for which a closure returns `true`, unordered.
    func wanted(_ links: Links, _ people: People, at now: Instant, where isMeant: (Target) -> Bool) -> [Target] {
        let unanswered = places.unanswered.filter { target in
            isMeant(target) && isUsable(target, people)
                && target.dialCandidates(people).allSatisfy {
                    $0 != people.own && !links.lead(to: $0) && !links.fail(with: $0, at: now) && !people.isShunned($0)
                }
        }
        // Each event of a link comes here, and most peers are linked: no target of these is examined.
        let dialled = places.dialled
        let absent = places.peers.filter {
            $0 != people.own && !links.lead(to: $0) && !links.fail(with: $0, at: now) && !dialled.contains($0)
        }
        guard !absent.isEmpty else { return unanswered }
        // Computing the reach examines every peer: skip it if no target needs it.
        var reach: Reach?
        let answered = absent.flatMap { peer in
            let usable = places.answered(by: peer).filter {
                isMeant($0) && isUsable($0, people) && isWanted(peer, at: $0.key, people)
            }
            guard !usable.isEmpty else { return usable }
            let whole = reach ?? self.reach(links, people)
            reach = whole
            return whole.isBeyond(peer, of: people.own) ? [] : usable
        }
        return unanswered + answered
    }

    private func isUsable(_ target: Target, _ people: People) -> Bool {
        target.attempt == nil && target.endpoint != nil && target.shares(people.workspace)
    }

    /// Whether to dial a peer at such a target, regardless of whether it gets everything through others.
    private func isWanted(_ peer: PeerID, at key: Key, _ people: People) -> Bool {
        switch key {
        case .instance: people.isWelcome(peer)
        // A member that others have told of is dialled once to verify its identity.
        case .remembered: people.isWelcome(peer) || people.isNewMember(peer)
        case .fixed: !people.isShunned(peer)
        }
    }
}

extension Dialing.Target {
    /// The peers that it may lead to: the one that answered there, or those that match the announced prefix.
    func dialCandidates(_ people: People) -> [PeerID] {
        if let peer { return [peer] }
        return prefix.map { people.known(by: $0) } ?? []
    }

    func isFriendly(_ people: People) -> Bool {
        if case .fixed = key { return true }
        return dialCandidates(people).contains { people.isWelcome($0) }
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
            isOpen: isSighted && workspaceTags.isEmpty,
            isUnderWay: attempt != nil,
            nextTry: max(nextTry, now.monotonic)
        )
    }
}
