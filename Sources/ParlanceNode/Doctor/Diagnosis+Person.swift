import ParlanceControl
import ParlanceCore
import ParlanceWire
import ParlanceWords

// The problems between this node and one person.
extension Diagnosis {
    /// The findings that `doctor` reports about one person.
    func problems(with person: DoctorView.Person) -> [Problem] {
        findings(about: person) + (person.view.connected && cutOff(from: person) == nil ? portProblems : [])
    }

    /// All findings about one person. Those of severity `fact` matter only to a user who asks about that person.
    func findings(about person: DoctorView.Person) -> [Problem] {
        let (view, name) = (person.view, person.view.displayName)
        let found = surroundings.findings(about: view)
        guard view.standing == nil, cutOff(from: person) == nil else { return found }
        if view.connected { return found + clock(of: person) }
        if person.isBeyond {
            return [
                view.finding(
                    "beyond",
                    .fact,
                    "There are so many members that \(name) and you hear each other through others.",
                    "Nothing has to be done. Writing to \(name) makes a link of your own."
                )
            ]
        }
        guard person.ways.isEmpty, !found.contains(where: { $0.code == "refused" }) else { return found }
        return found + [
            view.finding(
                "nowhere",
                .fact,
                noSighting(of: name),
                discovery.state == .off
                    ? "Give an address once: parlance config set peers HOST:PORT"
                    : """
                    Does parlanced run there, on the same network? From another subnet give an address once: parlance \
                    config set peers HOST:PORT
                    """
            )
        ]
    }

    /// Why this computer reaches somebody by no network; `nil` if it has one, or the link is within this computer.
    func cutOff(from person: DoctorView.Person) -> Problem? {
        surroundings.offline(for: person.view)
    }

    /// The findings that say how the way to somebody ended: without a network every way ends.
    static let ofTheWay: Set = ["unreached", "lost", "unanswered", "closed"]

    /// That no address is known, and why mDNS shows none.
    private func noSighting(of name: String) -> Phrase {
        switch discovery.state {
        case .running: Phrase("No address of \(name) is known, and mDNS does not show one.")
        case .starting: Phrase("No address of \(name) is known, and mDNS has just started.")
        case .unavailable: Phrase("No address of \(name) is known, and mDNS does not work here.")
        case .off: Phrase("No address of \(name) is known, and mDNS is off.")
        }
    }

    /// What was checked about one person: whether a courier can carry messages to them while they are away.
    func looked(at person: DoctorView.Person) -> [Phrase] {
        guard person.view.standing == nil, cutOff(from: person) == nil else { return [] }
        let who = person.view.displayName
        guard person.view.record.trust.isAccepted else {
            return [Phrase("couriers: nobody carries to \(who), since you have not accepted \(who)")]
        }
        guard person.sealableUntil != nil else {
            return [
                Phrase(
                    "couriers: \(who)'s keys are not here; they come a second after you connect, if \(who) has accepted you"
                )
            ]
        }
        guard !person.couriers.isEmpty else {
            return [
                Phrase(
                    "couriers: nobody who is connected would carry to \(who); to name somebody: parlance courier WHO"
                )
            ]
        }
        // Only the courier knows whether it has accepted the recipient and has room.
        let couriers = person.couriers.map(name)
        let list = PeopleText.list(couriers)
        return [
            couriers.count == 1
                ? Phrase("couriers: \(list) can be asked to carry to \(who), if \(couriers[0]) knows \(who)")
                : Phrase("couriers: \(list) can be asked to carry to \(who), if they know \(who)")
        ]
    }

    /// What could not be checked about one person. While there is no link, the findings say so.
    func unchecked(about person: DoctorView.Person) -> [Phrase] {
        guard person.view.standing == nil, person.view.connected, cutOff(from: person) == nil else { return [] }
        // Only those who are accepted are asked to try the port, and here only this person.
        let untried =
            person.view.record.trust.isAccepted || dialBack != nil
            ? portLine : Phrase("port \(port): not tried, since you have not accepted \(person.view.displayName)")
        let port = isPortChecked ? [] : [untried]
        return person.skew == nil ? port + [Phrase("clock: \(person.view.displayName)'s is not known")] : port
    }

    /// When a way to somebody is tried next, in milliseconds of the monotonic clock; nil if it is not, or is tried just now.
    func nextTry(of way: DoctorView.Way, to person: DoctorView.Person) -> Int64? {
        let isWanted = person.view.isWelcome && !person.view.isLeftOut && !person.view.connected && !person.isBeyond
        // Without a network the next try is when there is one again.
        guard isWanted, !way.isUnderWay, !way.isForeign, !machine.isOffline else { return nil }
        return way.nextTry
    }

    private func clock(of person: DoctorView.Person) -> [Problem] {
        guard let skew = person.skew, skew.magnitude > UInt64(Limits.clockSkewMilliseconds) else { return [] }
        // Where most contradict this machine's clock, theirs is not the wrong one.
        if let own = ownClockDoubt, (own.isBehind) == (skew > 0) { return [] }
        let apart = DurationText.words(Int64(skew.magnitude / 1_000))
        return [
            person.view.finding(
                "clock",
                .problem,
                skew > 0
                    ? "\(person.view.displayName)'s clock is \(apart) ahead of this machine's."
                    : "\(person.view.displayName)'s clock is \(apart) behind this machine's.",
                """
                Set the wrong one, or have it set by the network (timedatectl set-ntp true); until then times look \
                odd, though nothing is lost or out of order.
                """
            )
        ]
    }
}

extension PeerView {
    /// The findings that follow from the peer's view: what keeps the two apart, or else whether it takes messages, and the
    /// state of its links.
    var findings: [NodeStatus.Problem] {
        if let standing { return [standing] }
        var found: [NodeStatus.Problem] = []
        if fullUntil != nil {
            found.append(
                finding(
                    "quota",
                    .problem,
                    "\(displayName) has written as much as is taken from one person in a day; the rest waits there.",
                    "To take it now: parlance allow \(record.id.prefix)"
                )
            )
        }
        if outpacesUs {
            found.append(
                finding(
                    "behind",
                    .note,
                    "\(displayName) sends more than this computer handles at once; others come first.",
                    "Nothing is lost. It ends when what they send has been handled."
                )
            )
        }
        if outpacedByUs {
            found.append(
                finding(
                    "behind-there",
                    .note,
                    "This computer sends more than \(displayName)'s handles at once.",
                    "Nothing is lost. Until it has been handled, what you write arrives later there."
                )
            )
        }
        // Whoever refuses this node ends the link: while there is one, an earlier refusal is over.
        if !connected, record.refusedThrough != nil || trouble?.cause == .blocked {
            found.append(
                finding(
                    "refused",
                    .problem,
                    "\(LinkTrouble.Cause.blocked.text(displayName)).",
                    LinkTrouble.Cause.blocked.advice(displayName)
                )
            )
        } else if delivery.reason == .waitsForAcceptance {
            found.append(
                finding(
                    "asked",
                    .note,
                    "\(displayName) has been asked and has not accepted you yet; what you wrote waits for that.",
                    "Ask \(displayName) to accept you: \(Phrase(elsewhere: "parlance requests")), then \(Phrase(elsewhere: "parlance accept NAME"))"
                )
            )
        }
        found += untaken.map { [$0] } ?? []
        guard let trouble, trouble.cause != .blocked else { return found }
        return found + [finding(about: trouble, isAlone: found.isEmpty)]
    }

    /// Why the peer, which is linked, does not take what was written to it.
    private var untaken: NodeStatus.Problem? {
        switch delivery.reason {
        case .quotaUsed:
            finding(
                "quota-there",
                .problem,
                "\(displayName) takes no more messages from you for now: you have reached the daily limit there.",
                "What you wrote waits and is sent later. To take it now, they can run: \(Phrase(elsewhere: "parlance allow NAME"))"
            )
        case .notTaken:
            finding(
                "not-taken",
                .problem,
                "\(displayName) is not taking messages from you at the moment.",
                "What you wrote waits. If an admin has to let you in to the workspace first, \(Phrase(command: "parlance status")) says so."
            )
        default: nil
        }
    }

    /// The finding about why there is no link, or why links do not last.
    ///
    /// - Parameter isAlone: whether nothing else was found about the peer.
    private func finding(about trouble: LinkTrouble, isAlone: Bool) -> NodeStatus.Problem {
        let severity: NodeStatus.Problem.Severity =
            switch trouble.cause {
            case .stopped, .lost, .closed: .fact
            // It goes on by itself.
            case .stale, .behind, .unanswered: .note
            // Somebody who is asked ends links until they answer.
            case .noRoom: isAlone ? .note : .fact
            default: trouble.isOfOtherWorkspace || trouble.cause.isAbsence && !nearby ? .note : .problem
            }
        var link = finding(
            trouble.cause.code,
            severity,
            "\(trouble.cause.text(displayName)).",
            trouble.cause.advice(displayName)
        )
        link.since = trouble.since.map { ControlTime(milliseconds: $0) }
        if case .breach(let rule) = trouble.cause { link.rule = rule.rawValue }
        if case .failed(_, let place) = trouble.cause { link.addresses = [place.description] }
        return link
    }

    func finding(
        _ code: String,
        _ severity: NodeStatus.Problem.Severity,
        _ message: Phrase,
        _ advice: Phrase
    ) -> NodeStatus.Problem {
        NodeStatus.Problem(code: code, message: message, advice: advice, severity: severity, about: record.id.controlID)
    }
}
