import ParlanceControl
import ParlanceWire
import ParlanceWords
import Testing

@testable import ParlanceCore
@testable import ParlanceDaemon
@testable import ParlanceNode
@testable import ParlanceProfile

extension DiagnosisTests {
    /// Somebody who was not reached; by default because nothing answers there.
    private func away(
        _ name: String,
        _ number: UInt8,
        nearby: Bool = false,
        _ failure: DialFailure = .timedOut
    ) throws -> DoctorView.Person {
        var view = view(trouble: LinkTrouble(.failed(failure, Endpoint(host: "10.0.0.\(number)", port: 4747))))
        view.record = PeerRecord(id: try #require(PeerID([UInt8](repeating: number, count: 32))))
        view.record.trust = .accepted
        (view.displayName, view.nearby) = (name, nearby)
        return DoctorView.Person(view: view)
    }

    /// Of somebody who is not accepted it is said whether they are connected, and what has parted the two.
    @Test func whoIsNotAcceptedIsToldAsItIs() throws {
        func said(_ view: PeerView) throws -> String {
            try #require(diagnosis().findings(about: DoctorView.Person(view: view)).first).message.english
        }
        let brief = "You have not accepted Bob, so this connection ends within a minute."
        #expect(try said(view(.unknown, connected: true)) == brief)
        let apart = "You have not accepted Bob. There is no connection: "
        #expect(try said(view(.unknown)) == apart + "nodes that do not know each other disconnect after a minute.")
        #expect(try said(view(.unknown, trouble: LinkTrouble(.noRoom))).hasPrefix(apart + "nodes that"))
        let stopped = LinkTrouble(.stopped)
        #expect(try said(view(.unknown, trouble: stopped)) == apart + "Bob's node was stopped.")
        var declined = view(.unknown, trouble: stopped)
        declined.record.declined = 1
        #expect(try said(declined) == "You have declined Bob. There is no connection: Bob's node was stopped.")
        declined.trouble = nil
        #expect(try said(declined) == "You have declined Bob. There is no connection.")
        declined.connected = true
        #expect(try said(declined) == "You have declined Bob, so this connection ends within a minute.")
    }

    @Test func whoWouldCarry() {
        let bob = view()
        let people: [(DoctorView.Person, Phrase?)] = [
            (
                DoctorView.Person(view: bob),
                "couriers: Bob's keys are not here; they come a second after you connect, if Bob has accepted you"
            ),
            (
                DoctorView.Person(view: bob, sealableUntil: 1),
                "couriers: nobody who is connected would carry to Bob; to name somebody: parlance courier WHO"
            ),
            (
                DoctorView.Person(view: bob, sealableUntil: 1, couriers: [bob.record.id]),
                "couriers: Bob can be asked to carry to Bob, if Bob knows Bob"
            ),
            (DoctorView.Person(view: view(.unknown)), nil),
        ]
        for (person, line) in people { #expect(diagnosis([person]).looked(at: person) == [line].compactMap { $0 }) }
    }

    /// A member of a group whom the user has not accepted is asked nothing, and gets nothing by couriers.
    @Test func whoIsOnlyAMemberOfAGroupIsNoWitness() {
        var fellow = view(.unknown, connected: true)
        fellow.isWelcome = true
        let person = DoctorView.Person(view: fellow, skew: 0)
        let found = diagnosis([person]) { $0.dialBack = nil }
        #expect(found.looked(at: person) == ["couriers: nobody carries to Bob, since you have not accepted Bob"])
        #expect(found.unchecked(about: person) == ["port 4747: not tried, since you have not accepted Bob"])
    }

    /// No next try is told where nothing is tried.
    @Test func onlyAWayThatIsTriedHasANextTry() {
        let place = Endpoint(host: "10.0.0.2", port: 4747)
        let way = DoctorView.Way(kind: .sighted, endpoints: [place], nextTry: 7)
        let usual = diagnosis()
        #expect(usual.nextTry(of: way, to: DoctorView.Person(view: view())) == 7)
        var leftOut = view()
        leftOut.isLeftOut = true
        let people = [leftOut, view(.blocked), view(.unknown), view(connected: true)]
        #expect(people.allSatisfy { usual.nextTry(of: way, to: DoctorView.Person(view: $0)) == nil })
        var (foreign, underWay) = (way, way)
        (foreign.isForeign, underWay.isUnderWay) = (true, true)
        for way in [foreign, underWay] { #expect(usual.nextTry(of: way, to: DoctorView.Person(view: view())) == nil) }
        let offline = diagnosis { $0.machine.addresses = [] }
        #expect(offline.nextTry(of: way, to: DoctorView.Person(view: view())) == nil)
    }

    /// A day on which many are away is one line.
    @Test func thoseWhoAreAwayAreToldTogether() throws {
        let one = diagnosis([try away("Cleo", 1)]).problems
        #expect(one.map(\.code) == ["unreached"] && one[0].message.english.hasPrefix("Cleo's computer"))
        let people = [try away("Cleo", 1), try away("Bea", 2), try away("Dan", 3)]
        let together = diagnosis(people).problems
        #expect(together.map(\.code) == ["absent"] && together[0].severity == .note)
        #expect(
            together[0].message.english == "3 people do not answer at their last addresses: Bea, Cleo and Dan."
        )
        let ids = try [2, 1, 3].map { try #require(PeerID([UInt8](repeating: $0, count: 32))).controlID }
        #expect(together[0].count == 3 && together[0].people == ids && together[0].about == nil)
        // Who is in sight and does not answer is a problem of its own.
        let near = diagnosis(people + [try away("Eve", 4, nearby: true)]).problems
        #expect(near.map(\.code) == ["unreached", "absent"] && near[0].severity == .problem)
    }

    /// Who leaves by a pulled cable stays in sight of mDNS for a while: an absence, and no alarm.
    @Test func whoHasJustLeftIsAwayThoughInSight() throws {
        let hour: Int64 = 3_600_000
        func severity(seen: Int64?, _ failure: DialFailure = .noRoute) throws -> NodeStatus.Problem.Severity {
            var bea = try away("Bea", 2, nearby: true, failure)
            bea.view.presence.lastSeen = seen
            return try only(diagnosis([bea]) { $0.now = 10 * hour }).severity
        }
        #expect(try severity(seen: 10 * hour - 40_000) == .note)
        #expect(try severity(seen: 10 * hour - 40_000, .timedOut) == .note)
        // Who announces itself and has not been reached for long, or never, is hidden by a firewall.
        #expect(try severity(seen: 8 * hour) == .problem)
        #expect(try severity(seen: nil) == .problem)
        // The computer answers.
        #expect(try severity(seen: 10 * hour - 40_000, .refused) == .problem)
    }

    /// What keeps this computer from them is no absence of theirs: it is told with the advice that helps.
    @Test func whatThisComputerLacksIsNotTheirAbsence() throws {
        func both(_ failure: DialFailure) throws -> [NodeStatus.Problem] {
            diagnosis([try away("Cleo", 1, failure), try away("Bea", 2, failure)]).problems
        }
        let noWay = try only(diagnosis(try [1, 2].map { try away("P\($0)", $0, .networkUnreachable) }))
        #expect(noWay.code == "unreached" && noWay.severity == .note && noWay.count == 2)
        #expect(noWay.message == "The networks of 2 people cannot be reached from this computer: P1 and P2.")
        #expect(noWay.advice.english.contains("the VPN") && noWay.advice.english.contains("ip route"))
        let unplugged = try both(.noInterface("wlan0"))
        #expect(unplugged.map(\.code) == ["unreached"] && unplugged[0].count == 2)
        #expect(
            unplugged[0].message.english.contains("interface wlan0")
                && unplugged[0].advice.english.contains("Plug it in")
        )
        // Their computers are on.
        #expect(
            try both(.refused).map(\.message)
                == ["Cleo", "Bea"].map {
                    Phrase("\($0)'s computer answers, and Parlance does not run there.")
                }
        )
        #expect(try both(.reset).allSatisfy { $0.code == "unreached" && $0.about != nil })
    }

    @Test func eachCauseIsToldApart() throws {
        let people = [
            try away("Cleo", 1), try away("Bea", 2, .noRoute), try away("Dan", 3, .networkUnreachable),
            try away("Eve", 4, .noInterface("wlan0")), try away("Finn", 5, .noInterface("eth1")),
        ]
        let found = diagnosis(people).problems
        #expect(found.map(\.code) == ["unreached", "unreached", "unreached", "absent"])
        #expect(found.map(\.count) == [nil, nil, nil, 2])
        let two = diagnosis(people + [try away("Gil", 6, .networkUnreachable)]).problems
        #expect(two.map(\.code) == ["unreached", "unreached", "absent", "unreached"] && two[3].count == 2)
    }
}
