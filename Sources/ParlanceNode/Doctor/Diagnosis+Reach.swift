import ParlanceControl
import ParlanceCore
import ParlanceNetwork
import ParlanceWire
import ParlanceWords

// Why nobody is found, or nobody is reached, whoever it may be.
extension Diagnosis {
    /// The problems of finding and reaching anybody: `peers` tells them too, since they explain an empty list.
    var reachProblems: [Problem] {
        // Without a network all the others follow from that.
        machine.problems + (machine.isOffline ? [] : discoveryProblems + portProblems + unansweredProblems)
    }

    /// Whether mDNS works and shows nobody, and nobody is linked in another way.
    private var isAlone: Bool {
        discovery.state == .running && view.sighted + view.foreign + view.links == 0
    }

    /// Whether nobody is in sight because discovery has just begun.
    var isLooking: Bool { isAlone && lookedFor.map { $0 < ControlLimits.lookingMilliseconds } ?? false }

    // Finding.

    private var discoveryProblems: [Problem] {
        if discovery.state == .unavailable {
            return [
                Problem(
                    code: "discovery",
                    message: discovery.message ?? "Peers cannot be found by mDNS.",
                    advice: discovery.advice ?? "Static addresses work without it: parlance config set peers HOST:PORT"
                )
            ]
        }
        guard discovery.state == .running else { return [] }
        if let problem = droppedDiscovery ?? (isAlone ? switchedOff : nil) { return [problem] }
        guard isAlone, !isLooking else { return [] }
        return [
            Problem(
                code: "alone",
                message: "mDNS works here, and nobody answers it.",
                advice:
                    """
                    Does parlanced run on the others, on this very network? Their firewalls may drop mDNS: '\
                    \(Phrase(elsewhere: "parlance doctor"))' says so there. Guest Wi-Fi and some switches keep machines apart, and mDNS does not cross to \
                    other subnets: there, give one address: parlance config set peers HOST:PORT
                    """
            )
        ]
    }

    /// That this computer's firewall drops mDNS: this is certain, since a packet of its own was dropped. It is a problem
    /// though some are linked: they were found before, or dialled, and nobody else is.
    private var droppedDiscovery: Problem? {
        guard firewall.discovery == .dropped else { return nil }
        return Problem(
            code: "firewall",
            message: firewall.manager.map {
                Phrase(
                    "This computer's firewall (\($0.rawValue)) drops mDNS, UDP \(FirewallProfile.udp): nobody is found by it."
                )
            } ?? "This computer's firewall drops mDNS, UDP \(FirewallProfile.udp): nobody is found by it.",
            advice: opening
        )
    }

    private var switchedOff: Problem? {
        guard let name = machine.withoutMulticast.first else { return nil }
        let all = machine.withoutMulticast.prefix(ControlLimits.placesListed).joined(separator: ", ")
        return Problem(
            code: "multicast",
            message: "Multicast is switched off on \(all), so mDNS finds nobody there.",
            advice: "To switch it on: sudo ip link set dev \(name) multicast on"
        )
    }

    // Reaching.

    /// Nodes in sight that do not answer. Until a link shows that some are reached, that is a problem; after that most
    /// likely the other's. What keeps this computer from them is told apart, with advice of its own.
    private var unansweredProblems: [Problem] {
        let silent = view.unanswered.filter { !$0.failure.isOfThisComputer }
        let here = [DialFailure.networkUnreachable, .notPermitted].map { failure in
            view.unanswered.filter { $0.failure == failure }
        }
        return ([silent] + here).compactMap { problem(ofUnanswered: $0) }
    }

    private func problem(ofUnanswered nodes: [DoctorView.Unanswered]) -> Problem? {
        guard let first = nodes.first else { return nil }
        let count = nodes.count
        let places = nodes.prefix(ControlLimits.placesListed).map(\.place.named.description)
        let reasons = Self.reasons(nodes)
        var problem = Problem(
            code: "unanswered",
            message: count == 1
                ? "1 node is in sight at \(first.place.named) and does not answer (\(first.failure.text))."
                : "\(count) nodes are in sight and do not answer: \(PeopleText.list(places, count: count)) (\(reasons)).",
            advice: first.failure.isOfThisComputer
                ? first.failure.advice(at: first.place) : unansweredAdvice(at: first.place),
            severity: view.links == 0 ? .problem : .note
        )
        problem.since = nodes.compactMap(\.since).min().map { ControlTime(milliseconds: $0) }
        problem.addresses = places
        problem.count = count
        return problem
    }

    /// Each reason once, the first of them first.
    private static func reasons(_ nodes: [DoctorView.Unanswered]) -> Phrase {
        var found: [Phrase] = []
        for text in nodes.map(\.failure.text) where !found.contains(text) { found.append(text) }
        return Phrase.joined(Array(found.prefix(ControlLimits.placesListed)), by: "; ")
    }

    /// This computer's firewall comes first where it is the likeliest cause: it lets in only what it was told to, and nobody
    /// has shown that it was told of this node's port.
    private func unansweredAdvice(at place: Endpoint) -> Phrase {
        let there = Phrase("let TCP \(place.port) in there (\(Phrase(elsewhere: "parlance doctor --fix")))")
        guard firewall.isLikelyClosed, dialBack?.outcome != .reached, refused.isEmpty else {
            return Phrase(
                "Most likely the firewall there is closed: \(there). Or Parlance does not run there any more."
            )
        }
        let here =
            firewall.manager.map {
                Phrase("Most likely this computer's firewall (\($0.rawValue)) is closed, and maybe the one there too.")
            } ?? Phrase("Most likely this computer's firewall is closed, and maybe the one there too.")
        return Phrase("\(here) \(opening) Likewise \(there).")
    }

    /// How to let Parlance in.
    private var opening: Phrase {
        let (first, last) = FirewallProfile.tcp
        guard (first...last).contains(port) else {
            return Phrase(
                """
                Let TCP \(port) and UDP \(FirewallProfile.udp) in from your own network, in whatever manages this computer's \
                firewall.
                """
            )
        }
        if firewall.manager != nil { return Phrase("'parlance doctor --fix' lets Parlance in.") }
        return Phrase(
            """
            Let TCP \(first) to \(last) and UDP \(FirewallProfile.udp) in from your own network, in whatever manages this \
            computer's firewall.
            """
        )
    }

    var portProblems: [Problem] {
        guard !isHidden, let dialBack, case .failed(let reason) = dialBack.outcome else { return [] }
        let until = Phrase("Until then links come about only if this node dials.")
        let why = DialFailure.text(toldAs: reason)
        return [
            Problem(
                code: "firewall",
                message: """
                    \(name(dialBack.peer)) does not reach port \(port) of this machine (\(why)), though this machine \
                    reaches \(name(dialBack.peer)).
                    """,
                advice: "\(opening) \(until)"
            )
        ]
    }
}

extension DoctorView {
    /// Whether anybody can say now if this node's port is reached: somebody accepted who is connected. A link over a
    /// network that is gone counts as open until it is lost, and nothing passes on it.
    func hasWitness(_ machine: MachineState) -> Bool {
        people.contains { person in
            person.view.record.trust.isAccepted && person.view.connected
                && (!machine.isOffline || person.view.isLinkedWithinComputer)
        }
    }
}

extension DialFailure {
    /// Whether this computer is the cause, whatever the other one does.
    fileprivate var isOfThisComputer: Bool { self == .networkUnreachable || self == .notPermitted }
}
