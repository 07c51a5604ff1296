import ParlanceControl
import ParlanceCore
import ParlanceFiles
import ParlanceNetwork
import ParlanceRecords
import ParlanceStore
import ParlanceWeb
import ParlanceWire
import ParlanceWords

// Reports problems with advice, and forks with their proofs.
extension DoctorOperation: NodeOperation {
    func perform(on node: LocalControl) async throws(ControlError) -> Findings {
        let view = try await node.ask(.examine(who: who), \.doctor)
        let machine = try await node.read { MachineState.now(dataPath: node.facts.now.dataPath) }
        let dialBack: DialBackView?
        if view.hasWitness(machine) {
            dialBack = try await node.ask(.dialBack(who: who), \.dialedBack)
        } else {
            dialBack = nil
        }
        if let dialBack { node.facts.set(dialBack) }
        let branches = try await node.ask(.listForks, \.forks)
        let places = try await node.places()
        // It looks at the machine and the shelf.
        return try await node.read { node.findings(view, dialBack, branches, places, isOne: who != nil) }
    }
}

extension LocalControl {
    fileprivate func findings(
        _ view: DoctorView,
        _ dialBack: DialBackView?,
        _ branches: [BranchRecord],
        _ places: [Place],
        isOne: Bool
    ) -> Findings {
        var findings = findings(view, dialBack, isOne: isOne)
        findings.forks = forks(of: branches, places)
        if isOne, let person = findings.person {
            findings.forks.removeAll { $0.author.id != person.id }
        }
        return findings
    }

    /// The diagnosis from all that is known now.
    ///
    /// - Parameter dialBack: the result of a dial-back just now; `nil` uses the last recent result. Neither is used while
    /// nobody is connected who could say whether it still holds.
    /// - Parameter isAsked: whether somebody asked what is wrong; otherwise only what costs nothing is looked at while people
    /// are linked and in sight.
    func diagnosis(_ view: DoctorView, dialBack: DialBackView? = nil, isAsked: Bool = false) -> Diagnosis {
        let facts = facts.now
        let machine = MachineState.now(dataPath: facts.dataPath)
        let recent = self.facts.recentDialBack
        // Whoever tried it less than a minute ago does not try again: what was found then still holds.
        let known = dialBack?.outcome == .tooOften ? recent ?? dialBack : dialBack ?? recent
        // Whoever is linked and sees others needs no look at it; and without mDNS nothing is sent to a group.
        let looksAtFirewall =
            facts.discovery.state == .running && (isAsked || view.links == 0 || view.sighted == 0)
        return Diagnosis(
            view: view,
            dialBack: view.hasWitness(machine) ? known : nil,
            port: Int(facts.port),
            isHidden: facts.isHidden,
            discovery: facts.discovery,
            lookedFor: facts.lookingSince.map { Moment.now().monotonic - $0 },
            now: Moment.now().wall,
            machine: machine,
            firewall: looksAtFirewall ? self.facts.firewall.firewall(anew: isAsked) : OwnFirewall(),
            refused: self.facts.refusedCalls(),
            copy: copy.problems,
            damaged: store.damaged,
            host: host.report,
            newer: facts.newer,
            page: page?.standing ?? .asWanted,
            name: { [hub] in hub.name(of: $0) }
        )
    }

    private func findings(_ view: DoctorView, _ dialBack: DialBackView?, isOne: Bool) -> Findings {
        var diagnosis = diagnosis(view, dialBack: dialBack, isAsked: true)
        diagnosis.files = files.shelf.usage()
        guard isOne, let person = view.people.first else {
            let unchecked = diagnosis.unchecked
            return Findings(
                problems: diagnosis.problems,
                looked: diagnosis.looked,
                unchecked: unchecked.isEmpty ? nil : unchecked,
                firewall: diagnosis.firewall.finding
            )
        }
        let now = Moment.now()
        let unchecked = diagnosis.unchecked(about: person)
        return Findings(
            problems: diagnosis.problems(with: person),
            looked: diagnosis.looked(at: person),
            unchecked: unchecked.isEmpty ? nil : unchecked,
            person: hub.person(person.view.record.id),
            ways: person.ways.map { way in
                WayInfo(
                    kind: .init(way.kind),
                    addresses: way.endpoints.map(\.named.description).eachOnce,
                    lastError: way.failed.flatMap {
                        if case .failed(let failure, _) = $0.cause { failure.text } else { nil }
                    },
                    nextTry: diagnosis.nextTry(of: way, to: person).map { now.time(ofMonotonic: $0) }
                )
            }
        )
    }

    private func forks(of branches: [BranchRecord], _ places: [Place]) -> [ForkInfo] {
        let byLog = Dictionary(grouping: branches) { LogKey($0.conversation, $0.parent) }
        let logs = byLog.keys.sorted { ($0.conversation, $0.log) < ($1.conversation, $1.log) }
        return logs.map { key in
            let parts = byLog[key] ?? []
            return ForkInfo(
                conversation: key.conversation.text,
                title: places.first { $0.conversation == key.conversation }?.title ?? "",
                author: hub.person(key.log.author),
                after: parts.first?.base.sequence ?? 0,
                branches: parts.map { ForkInfo.Branch(first: $0.first.text, proof: $0.proof.hexadecimal) }
            )
        }
    }
}

extension WayInfo.Kind {
    fileprivate init(_ kind: DoctorView.Way.Kind) {
        switch kind {
        case .fixed: self = .fixed
        case .sighted: self = .sighted
        case .remembered: self = .remembered
        }
    }
}

extension [UInt8] {
    fileprivate var hexadecimal: String {
        map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}
