import ParlanceControl
import ParlanceCore
import ParlanceFiles
import ParlanceNetwork
import ParlanceTexts
import ParlanceWeb
import ParlanceWire
import ParlanceWords

/// Finds what is wrong with the node and its links, why, and what to do, from what is known, without asking any peer.
///
/// `status`, `peers`, `outbox` and `doctor` all report these findings, in the same words. Those of several people with one
/// cause are one in `status` and in `doctor` without a person (`findingsTogether`).
struct Diagnosis {
    typealias Problem = NodeStatus.Problem

    var view: DoctorView
    var dialBack: DialBackView?
    var port: Int
    var isHidden: Bool
    var discovery: DiscoveryInfo
    /// How long discovery has looked on the present network, in milliseconds; `nil` if it does not.
    var lookedFor: Int64? = nil
    /// The time, in milliseconds since 1970.
    var now: Int64
    var machine: MachineState
    var firewall = OwnFirewall()
    var refused: [RefusedCall] = []
    /// The problems of this copy of the data.
    var copy: [Problem] = []
    /// Stored messages that were damaged, and those of them whose texts were lost.
    var damaged = (all: 0, textsLost: 0)
    /// What the daemon around the node says of itself.
    var host = HostReport()
    /// The newer version of the package that apt knows.
    var newer: NewerVersion?
    /// Whether the page is where it was to be.
    var page = PageStanding.asWanted
    /// What the files take; `nil` if nobody has looked.
    var files: FileShelf.Usage?
    /// The name to show for a peer.
    var name: (PeerID) -> String

    /// All general problems, each once, the most important first.
    var problems: [Problem] {
        // Those who are in another workspace are told together.
        let outsiders = Set(view.people.filter(isOutside).map(\.view.record.id))
        // One cause that keeps this node from everybody is told once.
        let isExcluded = view.charter?.excludedBy != nil
        let people = view.people.filter { person in
            !isExcluded && cutOff(from: person) == nil && person.view.isWelcome
                && !outsiders.contains(person.view.record.id)
        }
        let all =
            copy + twinProblems + host.settings + damageProblems + reachProblems + outsideProblems + versionProblems
            + splitProblems + charterProblems + waitingProblems + admissionProblems
            + ownClockProblems + host.hooks + withoutTwin(findingsTogether(people))
            + view.unknown.compactMap { $0.kind == .fixed ? unreached($0) : nil }
            + [page.problem, newer?.problem].compactMap(\.self)
        return all.filter { $0.severity == .problem } + all.filter { $0.severity == .note }
    }

    /// What was checked, with the result.
    var looked: [Phrase] {
        let addresses = machine.addresses.prefix(ControlLimits.placesListed).map {
            "\($0.address.text) (\($0.interface))"
        }
        let none =
            machine.withoutLink.isEmpty ? Phrase("none", hint: "addresses") : Phrase("none on an interface with a link")
        let own = addresses.isEmpty ? none : PeopleText.list(addresses, count: machine.addresses.count)
        var lines = [Phrase("this machine's addresses: \(own)")]
        switch discovery.state {
        case .running where machine.isOffline: lines.append(Phrase("mDNS waits for a network"))
        case .running where firewall.discovery == .dropped:
            lines.append(Phrase("mDNS works, and this computer's firewall drops what it brings"))
        case .running where isLooking:
            let time = DurationText.words((lookedFor ?? 0) / 1_000)
            lines.append(Phrase("mDNS works; looking for people for \(time)"))
        case .running:
            lines.append(Phrase("mDNS works; \(view.sighted) in sight, and \(view.foreign) of other workspaces"))
        case .starting: lines.append(Phrase("mDNS starts"))
        case .unavailable: lines.append(Phrase("mDNS does not work"))
        case .off: lines.append(Phrase("mDNS is off: only addresses that are known are tried"))
        }
        if isPortChecked { lines.append(portLine) }
        let wanted = view.people.filter(\.view.isWelcome)
        let fellows = wanted.count { $0.view.record.trust == .unknown }
        let connected = wanted.filter(\.view.connected)
        let beyond = wanted.filter(\.isBeyond)
        let accepted =
            fellows == 0
            ? Phrase("people: \(wanted.count) accepted, \(connected.count) of them connected")
            : Phrase(
                "people: \(wanted.count - fellows) accepted and \(fellows) more in your groups, \(connected.count) of them connected"
            )
        lines.append(beyond.isEmpty ? accepted : Phrase("\(accepted), \(beyond.count) heard through others"))
        lines += strangerLines
        if let workspace = view.workspace { lines.append(Phrase("workspace: \(workspace)")) }
        let compared = connected.count { $0.skew != nil }
        if compared > 0 { lines.append(Phrase("clocks: compared with \(compared)")) }
        lines += host.lines
        if let files, files != FileShelf.Usage() {
            let (whole, part) = (FileText.phrase(files.wholeBytes), FileText.phrase(files.partBytes))
            lines.append(Phrase("files: \(files.wholeFiles) whole (\(whole)), \(files.partFiles) in part (\(part))"))
        }
        if let free = machine.freeBytes { lines.append(Phrase("disk: \(FileText.phrase(free)) free for your data")) }
        return lines
    }

    /// What could not be checked, and why.
    var unchecked: [Phrase] {
        let isCompared = view.people.contains { $0.view.isWelcome && $0.view.connected && $0.skew != nil }
        return (isPortChecked ? [] : [portLine]) + untried
            + (isCompared ? [] : [Phrase("clocks: nobody whom you accepted is connected, to compare with")])
    }

    /// The static addresses of which no try has ended yet, as right after they were set.
    private var untried: [Phrase] {
        let places = view.unknown.filter { $0.kind == .fixed && $0.failed == nil }.compactMap(\.endpoints.first)
        return places.map { place in
            machine.isOffline
                ? Phrase("\(place.named): not tried, since this machine has no network")
                : Phrase("\(place.named): the first try has not ended yet; ask again in some seconds")
        }
    }

    /// The strangers who ask to talk, and those who are nearby.
    private var strangerLines: [Phrase] {
        let strangers = view.people.filter { !$0.view.isWelcome && $0.view.record.trust == .unknown }
        let asking = strangers.filter { $0.view.record.request != nil }
        let silent = strangers.filter { $0.view.record.request == nil && ($0.view.nearby || $0.view.connected) }
        var lines: [Phrase] = []
        if !asking.isEmpty {
            lines.append(Phrase("asking to talk: \(Self.list(asking)); to accept one: parlance accept WHO"))
        }
        if !silent.isEmpty {
            lines.append(
                Phrase("nearby and not accepted: \(Self.list(silent)); to ask one to talk: parlance send WHO TEXT")
            )
        }
        return lines
    }

    /// Names; where somebody else has the name too, with the ID, by which commands tell them apart.
    private static func list(_ people: [DoctorView.Person]) -> Phrase {
        let names = people.prefix(ControlLimits.peopleListed).map { person in
            let (view, record) = (person.view, person.view.record)
            let isUnique = record.alias != nil || view.displayName == record.announcedName
            let name = NameText.plain(isUnique ? view.displayName : record.announcedName)
            return isUnique || name.isEmpty ? NameText.plain(view.displayName) : "\(name) (\(record.id.prefix))"
        }
        return PeopleText.list(names, count: people.count)
    }

    /// Whether somebody has said if the port can be reached, or nobody has to reach it.
    var isPortChecked: Bool {
        guard !isHidden else { return true }
        switch dialBack?.outcome {
        case .reached, .failed: return true
        case .tooOften, .noAnswer, nil: return false
        }
    }

    var portLine: Phrase {
        guard !isHidden else { return Phrase("port \(port): hidden, so nobody is told of it") }
        guard let dialBack else {
            return machine.isOffline
                ? Phrase("port \(port): not tried, since this machine has no network")
                : Phrase("port \(port): not tried, since nobody you have accepted is connected")
        }
        let who = name(dialBack.peer)
        return switch dialBack.outcome {
        case .reached: Phrase("port \(port): \(who) reaches it")
        case .failed(""): Phrase("port \(port): \(who) does not reach it")
        case .failed(let reason): Phrase("port \(port): \(who) does not reach it: \(DialFailure.text(toldAs: reason))")
        case .tooOften: Phrase("port \(port): \(who) tried it less than a minute ago; ask again later")
        case .noAnswer: Phrase("port \(port): \(who) did not say whether it can be reached")
        }
    }

    // The problems.

    private var versionProblems: [Problem] {
        refused.compactMap { call in
            guard case .version(let version) = call.reason else { return nil }
            return Problem(
                code: "version",
                message:
                    "Somebody at \(call.place.host) called in version \(version) of the protocol, and this node speaks 1.",
                advice: "Install the same version of Parlance on both machines: parlance status shows it."
            )
        }
    }

    /// A static address at which no known peer was reached.
    private func unreached(_ way: DoctorView.Way) -> Problem? {
        guard case .failed(let failure, let place)? = way.failed?.cause, !isToldOfSomebody(place) else { return nil }
        return Problem(
            code: "unreached",
            message: "Nobody was reached at \(place.named): \(failure.text).",
            advice: failure.advice(at: place)
        )
    }

    /// Whether a finding about somebody names the same place: the address that was given is also where they were last.
    private func isToldOfSomebody(_ place: Endpoint) -> Bool {
        view.people.contains { person in
            guard person.view.isWelcome, case .failed(_, let tried)? = person.view.trouble?.cause else { return false }
            return tried == place
        }
    }
}
