import ParlanceWire

// What the engine knows about why people are not found or not reached.
extension Engine {
    mutating func examine(_ who: String?, _ id: CommandID) {
        guard let who else { return turn.emit(.answer(id, .success(.doctor(doctorView(of: contacts.ids))))) }
        switch resolve(who) {
        case .success(let peer): turn.emit(.answer(id, .success(.doctor(doctorView(of: [peer])))))
        case .failure(let error): turn.emit(.answer(id, .failure(error)))
        }
    }

    func doctorView(of listed: [PeerID]) -> DoctorView {
        var view = DoctorView()
        view.workspace = workspace.current?.shownName
        let own = workspaceView
        view.charter = own?.charter
        view.metCharters = own?.met ?? []
        view.links = links.values.filter { !$0.closing }.count
        view.unadmitted = workspace.unadmitted(at: turn.now.monotonic).count { contacts[$0]?.isUndecided ?? true }
        view.clockWentBack = couriers.howFarClockWentBack(turn.now)
        let reach = dialing.reach(links, people)
        view.people = listed.map { person($0, reach) }
        view.skews = contacts.ids.filter { people.isWelcome($0) }.compactMap { mainLink(of: $0)?.skew }
        for target in dialing.sorted {
            if target.dialCandidates(people).isEmpty {
                view.unknown.append(target.way(in: workspace.current, at: turn.now))
            }
            if let unanswered = unanswered(at: target) { view.unanswered.append(unanswered) }
        }
        (view.sighted, view.foreign) = sights
        return view
    }

    /// How many nodes are in sight in this node's workspace, and how many elsewhere. A node that has just changed its
    /// workspace may be seen under its earlier names for some minutes: it counts once, and as linked if it is.
    private var sights: (here: Int, foreign: Int) {
        let seen = dialing.all.filter(\.isSighted).map { target in
            let isHere =
                target.shares(workspace.current) || target.dialCandidates(people).contains { links.lead(to: $0) }
            return (name: target.announcedName, isHere: isHere)
        }
        let here = Set(seen.filter(\.isHere).map(\.name))
        return (here.count, Set(seen.map(\.name)).subtracting(here).count)
    }

    /// A node in sight that answers at none of its addresses; `nil` if another finding tells of it, or nothing is known.
    private func unanswered(at target: Dialing.Target) -> DoctorView.Unanswered? {
        guard target.isSighted, target.shares(workspace.current), let trouble = target.failed,
            case .failed(let failure, let place) = trouble.cause, failure.isSilence,
            // An attempt that is refused at once says little while other addresses are left to try.
            failure == .timedOut || target.failures >= max(target.endpoints.count, Limits.failuresTold)
        else { return nil }
        let people = people
        let isToldElsewhere = target.dialCandidates(people).contains {
            $0 == identity || links.lead(to: $0) || people.isWelcome($0) || people.isShunned($0)
        }
        return isToldElsewhere ? nil : DoctorView.Unanswered(place: place, failure: failure, since: trouble.since)
    }

    private func person(_ id: PeerID, _ reach: Reach) -> DoctorView.Person {
        DoctorView.Person(
            view: view(of: id),
            hasBeenHere: people.hasToldAddresses(id),
            skew: mainLink(of: id)?.skew,
            mayBePartitioned: workspace.mayBePartitioned(from: id),
            isBeyond: mainLink(of: id) == nil && reach.isBeyond(id, of: identity),
            ways: DoctorView.Way.distinct(
                dialing.targets(of: id).map { $0.way(in: workspace.current, at: turn.now) },
                isLinked: mainLink(of: id) != nil
            ),
            sealableUntil: contacts[id]?.usablePrekeys(at: turn.now)?.expires,
            couriers: links.values.filter { couriers.mayTake($0, for: id, links, people) }.map(\.peer).sorted()
        )
    }
}
