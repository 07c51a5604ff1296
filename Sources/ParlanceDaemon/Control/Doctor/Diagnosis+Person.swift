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
        if let standing = standing(of: person) { return [standing] }
        let found = view.findings.map { seenWithAll($0, view) }
        // Until a link counts as lost it says nothing: without a network nothing passes on it.
        if let cause = cutOff(from: person) {
            return [cause] + found.filter { !Self.ofTheWay.contains($0.code) }
        }
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

    /// A finding of a person's view in the light of what else is known: where the other copy of this node has called,
    /// its advice is the one that helps; and whoever has just left is away, as is usual.
    private func seenWithAll(_ finding: Problem, _ view: PeerView) -> Problem {
        var finding = finding
        if finding.code == "unreached", hasJustLeft(view) { finding.severity = .note }
        guard finding.code == Self.stale, let twin = twinProblems.first else { return finding }
        (finding.severity, finding.advice) = (.problem, twin.advice)
        return finding
    }

    /// Why this computer reaches somebody by no network; `nil` if it has one, or the link is within this computer.
    private func cutOff(from person: DoctorView.Person) -> Problem? {
        person.view.isLinkedWithinComputer ? nil : machine.offline
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
        guard standing(of: person) == nil, cutOff(from: person) == nil else { return [] }
        let who = person.view.displayName
        guard person.sealableUntil != nil else {
            return [Phrase("couriers: \(who)'s keys are not here; they come a second after you connect")]
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
        guard standing(of: person) == nil, person.view.connected, cutOff(from: person) == nil else { return [] }
        let port = isPortChecked ? [] : [portLine]
        return person.skew == nil ? port + [Phrase("clock: \(person.view.displayName)'s is not known")] : port
    }

    /// A decision of the two people that keeps them apart, such as a block.
    private func standing(of person: DoctorView.Person) -> Problem? {
        let (view, name) = (person.view, person.view.displayName)
        if view.record.trust == .blocked {
            return view.finding(
                "blocked",
                .fact,
                "You have blocked \(name), so there is no link.",
                "To end that: parlance unblock \(view.record.id.prefix)"
            )
        }
        if person.view.isLeftOut {
            return view.finding(
                "leftOut",
                .fact,
                "\(name) is excluded from the workspace, so there is no link.",
                self.view.charter == nil
                    ? "That cannot be undone: to let \(name) in again, create a new workspace."
                    : "An admin can let \(name) in again: \(Phrase(elsewhere: "parlance workspace readmit \(view.record.id.prefix)"))"
            )
        }
        if let by = person.view.excludedBy, view.trouble?.cause == .blocked {
            return view.finding(
                "excluded",
                .problem,
                "\(self.name(by)) has excluded you from the workspace \(self.view.workspace ?? ""), so \(name)'s node takes nothing from you.",
                "Talk to \(self.name(by)) in another way, or leave it: parlance workspace leave"
            )
        }
        guard !person.view.isWelcome else { return nil }
        return view.finding(
            "notAccepted",
            .fact,
            """
            You have not accepted \(name), so there is no lasting link: nodes that do not know each other part after \
            a minute.
            """,
            view.record.request == nil
                ? "To ask \(name) to talk, write a message: parlance send \(view.record.id.prefix) TEXT"
                : "To accept: parlance accept \(view.record.id.prefix)"
        )
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
    /// Whether there is a link that needs no network.
    fileprivate var isLinkedWithinComputer: Bool {
        connected && endpoints.contains { $0.host.hasPrefix("127.") || $0.host == "::1" }
    }

    /// The findings that follow from the peer's view: whether it takes messages, and the state of its links.
    var findings: [NodeStatus.Problem] {
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
        if record.refusedThrough != nil || trouble?.cause == .blocked {
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
                    "Ask \(displayName) to look at: \(Phrase(elsewhere: "parlance requests"))"
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
