import ParlanceControl
import ParlanceNetwork
import ParlanceRecords
import ParlanceWire
import ParlanceWords
import Testing

@testable import ParlanceCore
@testable import ParlanceDaemon
@testable import ParlanceNode
@testable import ParlanceProfile

/// The doctor's findings, one by one.
@Suite struct DiagnosisTests {
    let bob: PeerID
    private let place = Endpoint(host: "10.0.0.2", port: 4747)

    init() throws { bob = try #require(PeerID([UInt8](repeating: 7, count: 32))) }

    func view(
        _ trust: ParlanceCore.Trust = .accepted,
        connected: Bool = false,
        trouble: LinkTrouble? = nil
    ) -> PeerView {
        var record = PeerRecord(id: bob)
        record.trust = trust
        return PeerView(
            record: record,
            displayName: "Bob",
            nearby: false,
            connected: connected,
            isWelcome: [.accepted, .verified].contains(trust),
            presence: PresenceView(activity: nil, statusText: "", lastSeen: nil),
            endpoints: [],
            typing: false,
            conversation: ConversationID(direct: bob, bob),
            delivery: DeliveryView(conversation: ConversationID(direct: bob, bob)),
            overdue: [],
            lifetime: LifetimeView(terms: LifetimeTerms(conversation: ConversationID(direct: bob, bob))),
            trouble: trouble,
            nextTry: nil
        )
    }

    /// The diagnosis of a node that works and sees Bob.
    func diagnosis(_ people: [DoctorView.Person] = [], _ change: (inout Diagnosis) -> Void = { _ in })
        -> Diagnosis
    {
        var view = DoctorView()
        view.people = people
        view.skews = people.filter { $0.view.isWelcome && $0.view.connected }.compactMap(\.skew)
        view.sighted = 1
        let address = NumericAddress([10, 0, 0, 1]).map { MachineAddress(interface: "eth0", address: $0) }
        var diagnosis = Diagnosis(
            view: view,
            dialBack: DialBackView(peer: bob, outcome: .reached),
            port: 4747,
            isHidden: false,
            discovery: DiscoveryInfo(backend: .embedded, state: .running),
            now: 0,
            machine: MachineState(addresses: address.map { [$0] } ?? [], freeBytes: 5 << 30),
            refused: [],
            host: HostReport(HookService.Report(folder: "/home/ada/.config/parlance/hooks"), .init()),
            name: { _ in "Bob" }
        )
        change(&diagnosis)
        return diagnosis
    }

    func only(_ diagnosis: Diagnosis) throws -> NodeStatus.Problem {
        try #require(diagnosis.problems.count == 1 ? diagnosis.problems[0] : nil, "\(diagnosis.problems)")
    }

    @Test func aClockThatWentBackIsTold() throws {
        let problem = try only(diagnosis { $0.view.clockWentBack = 86_400_000 })
        #expect(problem.code == "clock" && problem.message.english.contains("ahead of what it shows now"))
    }

    @Test func whoIsNearbyAndNotAcceptedIsTold() {
        var stranger = view(.unknown)
        stranger.record.announcedName = "Bob"
        stranger.nearby = true
        func lines() -> [String] { diagnosis([DoctorView.Person(view: stranger)]).looked.map(\.english) }
        #expect(lines().contains("nearby and not accepted: Bob; to ask one to talk: parlance send WHO TEXT"))
        // Somebody else has the name: the suffix is no name that a command takes.
        stranger.displayName = "Bob~\(bob.text.prefix(4))"
        let id = "Bob (\(bob.prefix))"
        #expect(lines().contains("nearby and not accepted: \(id); to ask one to talk: parlance send WHO TEXT"))
        stranger.record.request = RequestRecord(preview: "Hi", time: 0, host: "10.0.0.2")
        #expect(lines().contains("asking to talk: \(id); to accept one: parlance accept WHO"))
        #expect(!lines().contains { $0.hasPrefix("nearby and not accepted") })
        (stranger.nearby, stranger.record.request) = (false, nil)
        #expect(!lines().contains { $0.hasPrefix("nearby and not accepted") })
    }

    @Test func anAddressThatIsSomebodysIsToldOnce() throws {
        let trouble = LinkTrouble(.failed(.refused, place))
        let way = DoctorView.Way(kind: .fixed, endpoints: [place], failed: trouble)
        let alone = try only(diagnosis { $0.view.unknown = [way] })
        #expect(alone.code == "unreached" && alone.about == nil)
        let known = DoctorView.Person(view: view(trouble: trouble), ways: [way])
        let told = try only(diagnosis([known]) { $0.view.unknown = [way] })
        #expect(told.code == "unreached" && told.about == bob.controlID)
    }

    @Test func whereAllIsWellItSaysWhatItLookedAt() {
        let well = diagnosis([DoctorView.Person(view: view(connected: true), skew: 4)])
        #expect(well.problems.isEmpty && well.unchecked.isEmpty)
        #expect(
            well.looked
                == [
                    "this machine's addresses: 10.0.0.1 (eth0)", "mDNS works; 1 in sight, and 0 of other workspaces",
                    "port 4747: Bob reaches it", "people: 1 accepted, 1 of them connected", "clocks: compared with 1",
                    "notifications: of mentions, direct messages and requests to talk; nothing pops up, because there is no "
                        + "desktop session here",
                    "hooks: none in /home/ada/.config/parlance/hooks", "disk: 5.0 GiB free for your data",
                ].map { Phrase(verbatim: $0) }
        )
    }

    @Test func whatDrawsAttentionIsTold() {
        func line(_ report: NotificationService.Report) -> String { report.line.english }
        let night = Attention.Rules(level: .all, quietHours: QuietHours("22:00-07:00"))
        #expect(
            line(.init(rules: night, state: .ready))
                == "notifications: of all messages and requests to talk, but not at 22:00-07:00"
        )
        #expect(
            line(.init(rules: .init(level: .mention), state: .noService))
                == "notifications: of mentions; nothing pops up, because no program of this session shows notifications"
        )
        #expect(
            line(.init(rules: .init(level: .mention), state: .refused("too many")))
                == "notifications: of mentions; the desktop refused the last one: too many"
        )
        #expect(line(.init(rules: .init(level: .none), state: .ready)).hasPrefix("notifications: off; "))
        var hooks = HookService.Report(folder: "/hooks", files: [HookFile(name: "on-mesage", in: "/hooks")])
        hooks.counts.dropped = 7
        let broken = diagnosis { $0.host = HostReport(hooks, .init()) }
        #expect(hooks.line == "hooks: none in /hooks" && broken.problems.map(\.code) == ["hook"])
    }

    @Test func thePort() throws {
        let closed = diagnosis { diagnosis in
            diagnosis.dialBack?.outcome = .failed("timed out")
            diagnosis.firewall.manager = .ufw
        }
        let problem = try only(closed)
        #expect(problem.code == "firewall")
        #expect(
            problem.message.english
                == "Bob does not reach port 4747 of this machine (timed out), though this machine reaches Bob."
        )
        #expect(problem.message.text(in: .german).contains("nicht (keine rechtzeitige Antwort), obwohl"))
        #expect(
            problem.advice.english
                == "'parlance doctor --fix' lets Parlance in. Until then links come about only if this node dials."
        )
        let outcomes: [(DialBackView?, String)] = [
            (nil, "not tried, since nobody you have accepted is connected"),
            (DialBackView(peer: bob, outcome: .tooOften), "Bob tried it less than a minute ago; ask again later"),
            (DialBackView(peer: bob, outcome: .noAnswer), "Bob did not say whether it can be reached"),
        ]
        for (dialBack, text) in outcomes {
            let unknown = diagnosis { $0.dialBack = dialBack }
            #expect(unknown.problems.isEmpty && unknown.unchecked.contains("port 4747: \(text)"))
            #expect(!unknown.looked.contains { $0.english.hasPrefix("port ") || $0.english.hasPrefix("clocks") })
            #expect(unknown.unchecked.last?.english.hasPrefix("clocks: nobody") == true)
        }
        let hidden = diagnosis { $0.isHidden = true }
        #expect(hidden.looked.contains("port 4747: hidden, so nobody is told of it"))
    }

    @Test func theMachine() throws {
        let full = try only(diagnosis { $0.machine.freeBytes = MachineState.lowBytes - 1 })
        #expect(full.code == "disk" && full.message == "Only 100 MiB are free where your data are.")
        #expect(diagnosis { $0.machine.freeBytes = MachineState.lowBytes }.problems.isEmpty)
        let off = try only(diagnosis { $0.machine.addresses = [] })
        #expect(off.code == "network" && off.message == "This machine has no network address besides loopback.")
    }

    /// A pulled cable takes the carrier of an interface, and leaves its address.
    @Test func anInterfaceWithoutALinkIsNamed() throws {
        func told(_ interfaces: [String]) throws -> String {
            try only(diagnosis { ($0.machine.addresses, $0.machine.withoutLink) = ([], interfaces) }).message.english
        }
        #expect(try told(["eth0"]).hasPrefix("The network interface eth0 has an address and no link: "))
        #expect(try told(["eth0", "wlan0"]).hasPrefix("The network interfaces eth0 and wlan0 have addresses and no "))
        #expect(diagnosis { $0.machine.withoutLink = ["wlan0"] }.problems.isEmpty, "another one has a link")
    }

    @Test func discovery() throws {
        let gone = diagnosis { $0.discovery = DiscoveryInfo(backend: .none, state: .unavailable, message: "No bus.") }
        #expect(try only(gone).code == "discovery" && gone.problems[0].message == "No bus.")
        let alone = diagnosis { $0.view.sighted = 0 }
        #expect(try only(alone).code == "alone")
        #expect(alone.problems[0].message == "mDNS works here, and nobody answers it.")
        let off = diagnosis { diagnosis in
            diagnosis.view.sighted = 0
            diagnosis.discovery.state = .off
        }
        #expect(off.problems.isEmpty)
        #expect(off.looked.contains("mDNS is off: only addresses that are known are tried"))
    }

    func call(_ reason: RefusedCall.Reason, from host: String, count: Int = 1) -> RefusedCall {
        RefusedCall(reason: reason, place: Endpoint(host: host, port: 40_123), count: count, since: 1_000)
    }

    @Test(arguments: [
        (3_600_000, "1 h ahead of"), (-240_000, "4 min behind"), (Limits.clockSkewMilliseconds, ""),
        (Limits.clockSkewMilliseconds + 1, "ahead of"), (Int64.min, "behind"),
    ])
    func clocks(_ skew: Int64, _ expected: String) throws {
        let problems = diagnosis([DoctorView.Person(view: view(connected: true), skew: skew)]).problems
        guard !expected.isEmpty else { return #expect(problems.isEmpty) }
        #expect(problems.map(\.code) == ["clock"])
        #expect(
            problems[0].message.english.hasPrefix("Bob's clock is ") && problems[0].message.english.contains(expected)
        )
    }

    @Test(arguments: [
        (DialFailure.refused, "takes no links on that port"), (.timedOut, "a firewall drops TCP 4747"),
        (.noRoute, "firewall refuses TCP 4747"), (.networkUnreachable, "no way from this network"),
        (.notPermitted, "own firewall"), (.otherIdentity, "forget the old: parlance forget WHO"),
        (.ownIdentity, "own address"), (.nameNotFound("ship.example"), "getent hosts"),
        (.needsInterface, "such as [fe80::1%eth1]:4747"), (.noInterface("eth9"), "with another interface"),
        (.handshake("the other side does not speak Parlance"), "Something else may listen"),
        (.certificate("the other side's certificate has a wrong signature"), "in between"),
        (.system("something new"), "parlance doctor"), (.handshakeTimedOut, "Wake that computer"),
    ])
    func eachFailureHasItsAdvice(_ failure: DialFailure, _ advice: String) throws {
        let trouble = LinkTrouble(.failed(failure, place), since: 5)
        let problem = try only(diagnosis([DoctorView.Person(view: view(trouble: trouble))]))
        #expect(problem.code == "unreached")
        let isUsual = [.refused, .timedOut, .noRoute, .networkUnreachable, .handshakeTimedOut].contains(failure)
        #expect(problem.message.english.hasPrefix(isUsual ? "Bob's " : "Bob was not reached at 10.0.0.2:4747: "))
        #expect(problem.addresses == ["10.0.0.2:4747"])
        #expect(problem.advice.english.contains(advice), "\(problem.advice)")
        #expect(problem.since?.milliseconds == 5 && problem.about == bob.controlID)
        #expect(problem.severity == (trouble.cause.isAbsence ? .note : .problem))
        let fixed = diagnosis {
            $0.view.unknown = [DoctorView.Way(kind: .fixed, endpoints: [place], failed: trouble)]
        }
        #expect(try only(fixed).message == "Nobody was reached at 10.0.0.2:4747: \(failure.text).")
        let stranger = DoctorView.Way(kind: .sighted, endpoints: [place], failed: trouble)
        #expect(diagnosis { $0.view.unknown = [stranger] }.problems.isEmpty, "whoever it is, nobody waits for it")
    }

    /// Each cause gives the same finding everywhere: in general, about the person, in the list of peers, and in the
    /// outbox.
    @Test(arguments: [
        (LinkTrouble.Cause.breach(.eventSignature), "breach", "sent a wrong signature of an event"),
        (.accused, "accused", "says that this node broke a rule"), (.congested, "congested", "does not take what"),
        (.stale, "stale", "later start of this node"), (.behind, "behind", "earlier start than before"),
        (.noRoom, "noRoom", "has not accepted you"),
        (.blocked, "refused", "does not take your messages"), (.diskFull, "diskFull", "Bob's disk is full"),
    ])
    func eachEndOfALinkIsOneFinding(_ cause: LinkTrouble.Cause, _ code: String, _ text: String) throws {
        var person = DoctorView.Person(view: view(trouble: LinkTrouble(cause, since: 7)))
        person.ways = [DoctorView.Way(kind: .remembered, endpoints: [place])]
        let problem = try only(diagnosis([person]))
        let severity: NodeStatus.Problem.Severity = [.noRoom, .stale, .behind].contains(cause) ? .note : .problem
        #expect(
            problem.code == code && problem.severity == severity && problem.message.english.contains(text),
            "\(problem)"
        )
        #expect(diagnosis([person]).problems(with: person) == [problem])
        let info = PeerInfo(person.view, now: nil)
        #expect(info.problems == [problem])
        #expect(info.note == problem.message.withoutPeriod)
        let why = WaitReason.sentence(.unreachable(cause), ["Bob"], isOffline: false) { _ in "" }
        #expect("\(why)." == problem.message)
        // Whoever was left out of a workspace cannot know which it is.
        let said = problem.message.english + problem.advice.english
        #expect(said.contains("changed without you") == (code == "refused"), "\(said)")
        if case .breach(let rule) = cause { #expect(problem.rule == rule.rawValue) }
    }

    @Test func whoeverWentHomeIsAFactOfThatPerson() throws {
        for cause in [LinkTrouble.Cause.stopped, .lost, .closed] {
            var person = DoctorView.Person(view: view(trouble: LinkTrouble(cause, since: 7)))
            person.ways = [DoctorView.Way(kind: .remembered, endpoints: [place])]
            #expect(diagnosis([person]).problems.isEmpty)
            #expect(diagnosis([person]).problems(with: person).map(\.code) == [cause.code])
            #expect(PeerInfo(person.view, now: nil).note?.english.hasPrefix("Bob's node ") == true)
        }
    }

    @Test func whatStandsBetweenTwo() throws {
        var refusing = view()
        refusing.record.refusedThrough = 3
        var asked = view(connected: true)
        asked.delivery.reason = .waitsForAcceptance
        var (full, untaken) = (view(connected: true), view(connected: true))
        (full.delivery.reason, untaken.delivery.reason) = (.quotaUsed, .notTaken)
        var excluded = view()
        excluded.isLeftOut = true
        var away = view(trouble: LinkTrouble(.noRoom))
        away.delivery.reason = .waitsForAcceptance
        let failure = LinkTrouble(.failed(.timedOut, place))
        let failing = DoctorView.Way(kind: .remembered, endpoints: [place], failed: failure)
        let people: [(DoctorView.Person, [String])] = [
            (DoctorView.Person(view: view(.blocked)), ["blocked"]),
            (DoctorView.Person(view: excluded), ["leftOut"]),
            (DoctorView.Person(view: refusing), ["refused"]),
            (DoctorView.Person(view: full), ["quota-there"]), (DoctorView.Person(view: untaken), ["not-taken"]),
            (DoctorView.Person(view: view(.unknown)), ["notAccepted"]),
            (DoctorView.Person(view: asked), ["asked"]),
            (DoctorView.Person(view: away, ways: [failing]), ["asked", "noRoom"]),
            (DoctorView.Person(view: view(trouble: failure), isBeyond: true, ways: [failing]), ["beyond"]),
            (DoctorView.Person(view: view()), ["nowhere"]),
            (DoctorView.Person(view: view(trouble: failure), ways: [failing]), ["unreached"]),
            (DoctorView.Person(view: view(connected: true), ways: [failing]), []),
        ]
        for (person, codes) in people {
            let found = diagnosis([person]).problems(with: person)
            #expect(found.map(\.code) == codes)
            for problem in found { #expect(problem.message.english.contains("Bob") && !problem.advice.isEmpty) }
            let general = diagnosis([person]).problems
            #expect(general == found.filter { $0.severity != .fact }, "the same in general")
        }
    }

    @Test func whyNoAddressIsKnownIsTrue() throws {
        let person = DoctorView.Person(view: view())
        for (state, words) in [
            (DiscoveryInfo.State.off, "mDNS is off"), (.unavailable, "mDNS does not work here"),
            (.running, "mDNS does not show one"),
        ] {
            let found = diagnosis([person]) { $0.discovery.state = state }.problems(with: person)
            #expect(found.map(\.message) == ["No address of Bob is known, and \(words)."])
            #expect(found[0].advice.english.contains("Does parlanced run there") == (state != .off))
        }
    }

    @Test func whatIsSaidAboutBlockedAndExcludedMembers() {
        func why(_ isInGroup: Bool) -> Phrase {
            WaitReason.sentence(.blocked(isInGroup: isInGroup), ["Bob"], isOffline: false) { _ in "" }
        }
        #expect(why(false) == "you have blocked Bob")
        #expect(why(true) == "you have blocked Bob; other members may pass it on")
        let excluded = WaitReason.sentence(.leftOut, ["Bob", "Cleo"], isOffline: false) { _ in "" }
        #expect(excluded == "Bob and Cleo are excluded from the workspace")
    }

    /// Somebody nearby who is not accepted has no presence, and the advice is the command that helps.
    @Test func aStrangerNearbyIsNotOffline() throws {
        var stranger = view(.unknown)
        stranger.nearby = true
        #expect(PeerInfo(stranger, now: nil).presence == nil)
        #expect(PeerInfo(view(), now: nil).presence == .offline)
        var blocked = view(.blocked)
        blocked.presence.activity = .online
        #expect(PeerInfo(blocked, now: nil).presence == nil)
        func advice() -> String? {
            let person = DoctorView.Person(view: stranger)
            return diagnosis([person]).problems(with: person).first?.advice.english
        }
        #expect(advice()?.contains("parlance send \(stranger.record.id.prefix) TEXT") == true)
        stranger.record.request = RequestRecord(preview: "may I?", time: 1, host: "10.0.0.7")
        #expect(advice()?.contains("parlance accept \(stranger.record.id.prefix)") == true)
    }

    /// A known node in another workspace is reported by name, and is not counted among unknown nodes or callers as
    /// well.
    @Test func whoIsKnownIsToldByNameOnly() throws {
        let foreign = DoctorView.Way(kind: .sighted, endpoints: [place], isForeign: true)
        let sighted = DoctorView.Person(view: view(trouble: LinkTrouble(.otherWorkspace)), ways: [foreign])
        #expect(try only(diagnosis([sighted]) { $0.view.foreign = 1 }).about == bob.controlID)
        let trouble = LinkTrouble(.failed(.notTaken, place))
        let dialled = DoctorView.Person(view: view(trouble: trouble), ways: [foreign])
        let calls = [call(.otherNetwork, from: place.host)]
        #expect(try only(diagnosis([dialled]) { $0.refused = calls }).about == bob.controlID)
        let near = DoctorView.Person(
            view: view(trouble: LinkTrouble(.otherWorkspace)),
            ways: [DoctorView.Way(kind: .sighted, endpoints: [place], isForeign: true)]
        )
        #expect(try only(diagnosis([near]) { $0.refused = calls }).about == bob.controlID)
    }
}
