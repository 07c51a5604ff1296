import ParlanceControl
import ParlanceNetwork
import ParlanceWire
import Testing

@testable import ParlanceCore
@testable import ParlanceDaemon

/// What the doctor says, finding by finding.
@Suite struct CheckupTests {
    private let bob: PeerID
    private let place = Endpoint(host: "10.0.0.2", port: 4747)

    init() throws { bob = try #require(PeerID([UInt8](repeating: 7, count: 32))) }

    private func view(_ trust: ParlanceCore.Trust = .accepted, connected: Bool = false) -> PeerView {
        var record = PeerRecord(id: bob)
        record.trust = trust
        return PeerView(
            record: record,
            displayName: "Bob",
            nearby: false,
            connected: connected,
            presence: PresenceView(activity: nil, statusText: "", lastSeen: nil),
            endpoints: [],
            typing: false,
            conversation: ConversationID(direct: bob, bob),
            delivery: DeliveryView(conversation: ConversationID(direct: bob, bob)),
            overdue: [],
            reason: nil,
            nextTry: nil
        )
    }

    /// A node where everything is well, in sight of Bob.
    private func checkup(_ people: [DoctorView.Person] = [], _ change: (inout Checkup) -> Void = { _ in }) -> Checkup {
        var view = DoctorView()
        view.people = people
        view.sighted = 1
        let address = NumericAddress([10, 0, 0, 1]).map { MachineAddress(interface: "eth0", address: $0) }
        var checkup = Checkup(
            view: view,
            dialBack: DialBackView(peer: bob, outcome: .reached),
            port: 4747,
            isHidden: false,
            discovery: DiscoveryInfo(backend: .embedded, state: .running),
            machine: MachineState(addresses: address.map { [$0] } ?? [], freeBytes: 5 << 30),
            refused: [],
            name: { _ in "Bob" }
        )
        change(&checkup)
        return checkup
    }

    private func only(_ checkup: Checkup) throws -> NodeStatus.Problem {
        try #require(checkup.problems.count == 1 ? checkup.problems[0] : nil, "\(checkup.problems)")
    }

    @Test func aSplitWorkspaceIsTold() throws {
        let problem = try only(checkup([DoctorView.Person(view: view(), mayBeApart: true)]))
        #expect(problem.code == "workspace" && problem.message.contains("different keys"))
    }

    @Test func aClockThatWentBackIsTold() throws {
        let problem = try only(checkup { $0.view.clockWentBack = 86_400_000 })
        #expect(problem.code == "clock" && problem.message.contains("ahead of what it shows now"))
    }

    @Test func whereAllIsWellItSaysWhatItLookedAt() {
        let well = checkup([DoctorView.Person(view: view(connected: true), skew: 4)])
        #expect(well.problems.isEmpty)
        #expect(
            well.looked == [
                "this machine's addresses: 10.0.0.1 (eth0)", "mDNS works; 1 in sight, and 0 of other networks",
                "port 4747: Bob reaches it", "people: 1 accepted, 1 of them connected", "clocks: compared with 1",
                "disk: 5120 MiB free for your data",
            ]
        )
    }

    @Test func thePort() throws {
        let closed = checkup { checkup in
            checkup.dialBack?.outcome = .failed("timed out")
            checkup.machine.firewalls = [.ufw, .nftables]
        }
        let problem = try only(closed)
        #expect(problem.code == "firewall")
        #expect(
            problem.message
                == "Bob does not reach port 4747 of this machine (timed out), though this machine reaches Bob."
        )
        #expect(
            problem.advice
                == "Allow TCP 4747 in this machine's firewall, such as: ufw allow 4747/tcp, or nft insert rule inet filter "
                + "input tcp dport 4747 accept. Until then links come about only if this node dials."
        )
        let outcomes: [(DialBackView?, String)] = [
            (nil, "nobody is connected who could try it"),
            (DialBackView(peer: bob, outcome: .tooOften), "Bob tried it less than a minute ago; ask again later"),
            (DialBackView(peer: bob, outcome: .noAnswer), "Bob did not say whether it can be reached"),
        ]
        for (dialBack, text) in outcomes {
            let unknown = checkup { $0.dialBack = dialBack }
            #expect(unknown.problems.isEmpty && unknown.looked.contains("port 4747: \(text)"))
        }
        let hidden = checkup { $0.isHidden = true }
        #expect(hidden.looked.contains("port 4747: hidden, so nobody is told of it"))
    }

    @Test func theMachine() throws {
        let full = try only(checkup { $0.machine.freeBytes = MachineState.lowBytes - 1 })
        #expect(full.code == "disk" && full.message == "Only 99 MiB are free where your data are.")
        #expect(checkup { $0.machine.freeBytes = MachineState.lowBytes }.problems.isEmpty)
        let off = try only(checkup { $0.machine.addresses = [] })
        #expect(off.code == "network" && off.message == "This machine has no network address besides loopback.")
    }

    @Test func discovery() throws {
        let gone = checkup { $0.discovery = DiscoveryInfo(backend: .none, state: .unavailable, message: "No bus.") }
        #expect(try only(gone).code == "discovery" && gone.problems[0].message == "No bus.")
        let alone = checkup { $0.view.sighted = 0 }
        #expect(try only(alone).code == "alone")
        #expect(alone.problems[0].message == "mDNS works here, and nobody answers it.")
        let off = checkup { checkup in
            checkup.view.sighted = 0
            checkup.discovery.state = .off
        }
        #expect(off.problems.isEmpty)
        #expect(off.looked.contains("mDNS is off: only addresses that are known are tried"))
    }

    @Test func otherNetworksAndVersions() throws {
        let one = try only(checkup { $0.view.foreign = 1 })
        #expect(one.code == "workspace")
        #expect(one.message == "1 node in sight is in another workspace or in none; this one is in none.")
        let more = checkup { checkup in
            checkup.view.foreign = 3
            checkup.view.workspace = "Ship"
        }
        #expect(
            try only(more).message == "3 nodes in sight are in another workspace or in none; this one is in Ship."
        )
        let version = try only(
            checkup { $0.refused = [RefusedCall(reason: .version(2), host: "10.0.0.9", count: 1)] }
        )
        #expect(version.code == "version")
        #expect(
            version.message == "Somebody at 10.0.0.9 called in version 2 of the protocol, and this node speaks 1."
        )
        let call = RefusedCall(reason: .otherNetwork, host: "10.0.0.9", count: 3)
        let stranger = try only(checkup { $0.refused = [call] })
        #expect(stranger.code == "stranger")
        #expect(stranger.message.hasSuffix("from another workspace, or from none (3 times since this node started)."))
    }

    @Test(arguments: [
        (3_600_000, "1 h ahead of"), (-240_000, "4 min behind"), (Limits.clockSkewMilliseconds, ""),
        (Limits.clockSkewMilliseconds + 1, "ahead of"), (Int64.min, "behind"),
    ])
    func clocks(_ skew: Int64, _ expected: String) throws {
        let problems = checkup([DoctorView.Person(view: view(connected: true), skew: skew)]).problems
        guard !expected.isEmpty else { return #expect(problems.isEmpty) }
        #expect(problems.map(\.code) == ["clock"])
        #expect(problems[0].message.hasPrefix("Bob's clock is ") && problems[0].message.contains(expected))
    }

    @Test(arguments: [
        ("connection refused", "takes no links on that port"), ("timed out", "a firewall drops TCP 4747"),
        ("no route to host", "no way from this network"), ("network unreachable", "no way from this network"),
        ("not permitted by this machine", "own firewall"),
        ("somebody else answers at that address", "was given to another machine"),
        ("this node itself answers at that address", "own address"),
        ("the name ship.example was not found", "getent hosts"),
        ("the handshake failed: the other side closed the connection", "another workspace or in none"),
        ("the handshake failed: the other side does not speak Parlance", "Something else listens"),
        ("the handshake failed: the other side's certificate has a wrong signature", "in between"),
        ("something new", "parlance doctor"),
    ])
    func eachReasonHasItsAdvice(_ reason: String, _ advice: String) throws {
        let way = DoctorView.Way(kind: .remembered, endpoints: [place], lastError: reason, tried: place)
        let person = DoctorView.Person(view: view(), ways: [way])
        let problem = try only(checkup([person]))
        #expect(problem.code == "unreached")
        #expect(problem.message == "Bob was not reached at 10.0.0.2:4747: \(reason).")
        #expect(problem.advice.contains(advice), "\(problem.advice)")
        let fixed = checkup { $0.view.unknown = [DoctorView.Way(kind: .fixed, endpoints: [place], lastError: reason)] }
        #expect(try only(fixed).message == "Nobody was reached at 10.0.0.2:4747: \(reason).")
        let stranger = DoctorView.Way(kind: .sighted, endpoints: [place], lastError: reason)
        #expect(checkup { $0.view.unknown = [stranger] }.problems.isEmpty, "whoever it is, nobody waits for it")
    }

    @Test func whatStandsBetweenTwo() throws {
        var refusing = view()
        refusing.record.refusedThrough = 3
        var asked = view(connected: true)
        asked.delivery.reason = .waitsForAcceptance
        let foreign = DoctorView.Way(kind: .sighted, endpoints: [place], isForeign: true)
        let failing = DoctorView.Way(kind: .remembered, endpoints: [place], lastError: "timed out")
        let people: [(DoctorView.Person, [String])] = [
            (DoctorView.Person(view: view(.blocked), isWelcome: false), ["blocked"]),
            (DoctorView.Person(view: view(), isLeftOut: true), ["leftOut"]),
            (DoctorView.Person(view: refusing), ["refused"]),
            (DoctorView.Person(view: view(.unknown), isWelcome: false), ["notAccepted"]),
            (DoctorView.Person(view: asked), ["asked"]),
            (DoctorView.Person(view: view(), isBeyond: true, ways: [failing]), ["beyond"]),
            (DoctorView.Person(view: view()), ["nowhere"]),
            (DoctorView.Person(view: view(), ways: [foreign, failing]), ["workspace", "unreached"]),
            (DoctorView.Person(view: view(connected: true), ways: [failing]), []),
        ]
        for (person, codes) in people {
            let found = checkup([person]).problems(with: person)
            #expect(found.map(\.code) == codes)
            for problem in found { #expect(problem.message.contains("Bob") && !problem.advice.isEmpty) }
        }
    }

    @Test func whoWouldCarry() {
        let bob = view()
        let people: [(DoctorView.Person, String?)] = [
            (DoctorView.Person(view: bob), "couriers: Bob's keys are not here; they come a second after you connect"),
            (
                DoctorView.Person(view: bob, sealableUntil: 1),
                "couriers: nobody who is connected would carry to Bob; to name somebody: parlance courier WHO"
            ),
            (
                DoctorView.Person(view: bob, sealableUntil: 1, couriers: [bob.record.id]),
                "couriers: Bob would carry to Bob"
            ),
            (DoctorView.Person(view: bob, isWelcome: false), nil),
        ]
        for (person, line) in people { #expect(checkup([person]).looked(at: person) == [line].compactMap { $0 }) }
    }
}
