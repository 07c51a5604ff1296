import ParlanceWire

// Why somebody is not found or not reached: what the engine knows of it.
extension Engine {
    mutating func examine(_ who: String?, _ id: CommandID) {
        guard let who else { return turn.emit(.answer(id, .success(.doctor(doctorView(of: peers.keys.sorted()))))) }
        switch resolve(who) {
        case .success(let peer): turn.emit(.answer(id, .success(.doctor(doctorView(of: [peer])))))
        case .failure(let error): turn.emit(.answer(id, .failure(error)))
        }
    }

    private func doctorView(of people: [PeerID]) -> DoctorView {
        var view = DoctorView()
        view.workspace = workspace?.name
        view.links = links.values.filter { !$0.closing }.count
        view.clockWentBack = howFarClockWentBack
        let reach = reach()
        view.people = people.map { person($0, reach) }
        for target in dialing.sorted {
            let way = way(target)
            if way.kind == .sighted {
                if way.isForeign { view.foreign += 1 } else { view.sighted += 1 }
            }
            if whoMayBe(target.key).isEmpty { view.unknown.append(way) }
        }
        return view
    }

    private func person(_ id: PeerID, _ reach: Reach) -> DoctorView.Person {
        DoctorView.Person(
            view: view(of: id),
            isWelcome: isWelcome(id),
            isLeftOut: isRemoved(id),
            skew: mainLink(of: id)?.skew,
            mayBeApart: peers[id]?.mayBeApart == true && workspace != nil,
            isBeyond: mainLink(of: id) == nil && isBeyond(id, reach),
            ways: targets(of: id).map { way($0) },
            sealableUntil: usablePrekeys(of: id)?.expires,
            couriers: links.values.filter { mayTake($0, for: id) }.map(\.peer).sorted()
        )
    }

    private func way(_ target: Dialing.Target) -> DoctorView.Way {
        let kind: DoctorView.Way.Kind =
            switch target.key {
            case .fixed: .fixed
            case .instance: .sighted
            case .remembered: .remembered
            }
        return DoctorView.Way(
            kind: kind,
            endpoints: target.endpoints,
            failed: target.failed,
            isForeign: !sharesWorkspace(target),
            isUnderWay: target.attempt != nil,
            nextTry: max(target.nextTry, turn.now.monotonic)
        )
    }
}
