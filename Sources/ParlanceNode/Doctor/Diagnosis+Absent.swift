import ParlanceControl
import ParlanceCore
import ParlanceLetters
import ParlanceWords

// People who are not reached, as is usual.
extension Diagnosis {
    /// Why somebody is not reached who has done nothing unusual. What is the cause for several is told once: an office has
    /// some who are away each day.
    private enum Absence: Hashable {
        /// Nothing answers where they were last.
        case away
        /// This computer has no way to their networks.
        case noWay
        /// This computer does not have the interface by which they were reached.
        case noInterface(String)

        /// - Returns: `nil` if something answers there, which says more about that computer.
        init?(_ view: PeerView) {
            guard case .failed(let failure, _)? = view.trouble?.cause else { return nil }
            switch failure {
            case .timedOut, .noRoute: self = .away
            case .networkUnreachable: self = .noWay
            case .noInterface(let name): self = .noInterface(name)
            default: return nil
            }
        }
    }

    /// The findings about people, with those about several whom one cause keeps away as one.
    func findingsTogether(_ people: [DoctorView.Person]) -> [Problem] {
        let told = people.flatMap { person in
            findings(about: person).map { (finding: $0, view: person.view, absence: absence($0, person.view)) }
        }
        var groups: [Absence: [PeerView]] = [:]
        var order: [Absence] = []
        for case (_, let view, let absence?) in told {
            if groups[absence] == nil { order.append(absence) }
            groups[absence, default: []].append(view)
        }
        let single = told.filter { told in told.absence.map { groups[$0]?.count == 1 } ?? true }
        return single.map(\.finding)
            + order.compactMap { cause in groups[cause].flatMap { $0.count > 1 ? problem(cause, $0) : nil } }
    }

    /// Whether nothing answers any more where somebody was heard of until a while ago, so that they have most likely
    /// left. That mDNS still shows them says nothing: whoever leaves without a goodbye stays in sight for a while.
    static func hasJustLeft(_ view: PeerView, at now: Int64) -> Bool {
        guard let seen = view.presence.lastSeen, Absence(view) == .away else { return false }
        return (0..<Self.sightLasts).contains(now - seen)
    }

    /// How long an announcement of a service stays believed, in milliseconds: the 75 minutes that RFC 6762, section 10,
    /// recommends for PTR records.
    private static let sightLasts: Int64 = 75 * 60_000

    /// The cause of a finding that says that somebody is not reached.
    private func absence(_ finding: Problem, _ view: PeerView) -> Absence? {
        finding.code == "unreached" && finding.severity == .note ? Absence(view) : nil
    }

    private func problem(_ absence: Absence, _ people: [PeerView]) -> Problem {
        let named = people.map { (name: NameText.plain($0.displayName), id: $0.record.id.controlID) }
            .sorted { $0.name.folded < $1.name.folded }
        let (count, names) = (people.count, PeopleText.list(named.map(\.name)))
        var problem =
            switch absence {
            case .away:
                Problem(
                    code: "absent",
                    message: "\(count) people do not answer at their last addresses: \(names).",
                    advice: """
                        Their computers are off, asleep or elsewhere, or a firewall lets nobody in; what you write waits for \
                        them. To see one of them: parlance doctor WHO
                        """,
                    severity: .note
                )
            case .noWay:
                Problem(
                    code: "unreached",
                    message: "The networks of \(count) people cannot be reached from this computer: \(names).",
                    advice: """
                        Look at the cable, the Wi-Fi or the VPN, and at the routes (ip route); what you write waits for them. \
                        To see one of them: parlance doctor WHO
                        """,
                    severity: .note
                )
            case .noInterface(let interface):
                Problem(
                    code: "unreached",
                    message: """
                        \(count) people were last reached by the interface \(interface), which this computer does not have \
                        now: \(names).
                        """,
                    advice: """
                        Plug it in, or wait until mDNS shows them elsewhere; what you write waits for them. To list the \
                        interfaces: ip link
                        """,
                    severity: .note
                )
            }
        (problem.count, problem.people) = (count, named.map(\.id))
        return problem
    }
}
