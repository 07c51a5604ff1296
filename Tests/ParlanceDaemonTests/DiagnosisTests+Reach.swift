import Foundation
import ParlanceControl
import ParlanceErrorCode
import ParlanceNetwork
import ParlanceRecords
import ParlanceWeb
import ParlanceWire
import ParlanceWords
import Testing

@testable import ParlanceCore
@testable import ParlanceDaemon
@testable import ParlanceNode
@testable import ParlanceProfile

// Nodes that nobody knows yet, the addresses of this machine, and clocks.
extension DiagnosisTests {
    private func silent(_ hosts: [String], _ failure: DialFailure = .timedOut) -> [DoctorView.Unanswered] {
        hosts.map { DoctorView.Unanswered(place: Endpoint(host: $0, port: 4747), failure: failure, since: 5) }
    }

    @Test func aNodeInSightThatDoesNotAnswerIsTold() throws {
        let problem = try only(diagnosis { $0.view.unanswered = self.silent(["10.0.0.6"]) })
        #expect(problem.code == "unanswered" && problem.severity == .problem && problem.since?.milliseconds == 5)
        #expect(problem.message == "1 node is in sight at 10.0.0.6:4747 and does not answer (timed out).")
        #expect(problem.advice.english.contains("firewall") && problem.advice.english.contains("TCP 4747"))
        #expect(problem.addresses == ["10.0.0.6:4747"] && problem.count == 1)
    }

    /// Right after `config set peers`, nobody knows whether they answer.
    @Test func anAddressThatWasNotTriedYetIsTold() {
        let place = Endpoint(host: "10.0.0.77", port: 4747)
        let known = DoctorView.Person(view: view(connected: true), skew: 4)
        for (isUnderWay, kind) in [(false, DoctorView.Way.Kind.fixed), (true, .fixed), (false, .sighted)] {
            let way = DoctorView.Way(kind: kind, endpoints: [place], isUnderWay: isUnderWay)
            let found = diagnosis([known]) { $0.view.unknown = [way] }
            let told = "10.0.0.77:4747: the first try has not ended yet; ask again in some seconds"
            #expect(found.problems.isEmpty && found.unchecked.map(\.english) == (kind == .fixed ? [told] : []))
        }
    }

    /// The cable is out: `status`, `peers` and `doctor` say that, and not what follows from it.
    @Test func withoutANetworkThereIsOneStory() throws {
        let causes: [LinkTrouble.Cause] = [
            .lost, .closed, .unanswered, .failed(.networkUnreachable, Endpoint(host: "10.0.0.2", port: 4747)),
        ]
        for cause in causes {
            for nearby in [false, true] {
                var bob = view(trouble: LinkTrouble(cause))
                bob.nearby = nearby
                let person = DoctorView.Person(view: bob)
                let found = diagnosis([person]) { diagnosis in
                    diagnosis.machine.addresses = []
                    (diagnosis.view.sighted, diagnosis.view.links) = (0, 0)
                    diagnosis.view.unanswered = silent(["10.0.0.6"], .networkUnreachable)
                    diagnosis.dialBack = DialBackView(peer: self.bob, outcome: .failed(""))
                    diagnosis.machine.withoutMulticast = ["eth0"]
                }
                let story = try #require(found.machine.offline)
                // What `status`, `doctor` and `peers` say of the node.
                #expect(found.problems == [story], "\(cause)")
                #expect(found.reachProblems == [story], "\(cause)")
                // What `doctor WHO` says, and what stands beside Bob in `peers`, where the story stands above.
                let about = found.problems(with: person)
                #expect(about.map(\.message) == [story.message] && about.map(\.advice) == [story.advice], "\(about)")
                let row = PeerInfo(bob, findings: found.findings(about: person), now: nil)
                #expect(row.note == nil && row.problems == nil, "\(String(describing: row.note))")
                #expect(found.looked.contains("mDNS waits for a network"))
                #expect(!found.looked.contains { $0.english.hasPrefix("mDNS works") })
            }
        }
        // What has nothing to do with the network is told still.
        let blocked = DoctorView.Person(view: view(trouble: LinkTrouble(.diskFull)))
        let found = diagnosis([blocked]) { $0.machine.addresses = [] }.findings(about: blocked)
        #expect(found.map(\.code) == ["network", "diskFull"])
    }

    /// Why the first message to Bob, Cleo and Dan waits or has failed.
    private func why(_ reasons: [WaitReason?], cutOff: Phrase? = nil, refusedThrough: UInt64 = 0) -> String? {
        let (view, message) = first(reasons, refusedThrough: refusedThrough)
        let names = Dictionary(uniqueKeysWithValues: zip(view.recipients.map(\.peer), ["Bob", "Cleo", "Dan"]))
        return view.why(message, cutOff: cutOff, name: { names[$0] ?? "Eve" })?.english
    }

    /// The first message of a conversation, which nobody has, with the delivery of the conversation.
    private func first(_ reasons: [WaitReason?], refusedThrough: UInt64 = 0) -> (DeliveryView, ShownMessage) {
        let log = LogID(author: bob, replica: ReplicaID([UInt8](repeating: 1, count: 16))!)
        let recipients = reasons.enumerated().map { number, reason in
            let peer = PeerID(value: Bytes32(hashing: [UInt8(number)], domain: 0))
            return DeliveryView.Recipient(peer: peer, after: 0, reason: reason)
        }
        let progress = recipients.map { _ in DeliveryView.LogDelivery.Progress(delivered: .start, read: .start) }
        let own = DeliveryView.LogDelivery(
            log: log,
            isWritten: true,
            sendingThrough: 0,
            refusedThrough: refusedThrough,
            progress: progress
        )
        let view = DeliveryView(
            conversation: ConversationID(direct: bob, bob),
            recipients: recipients,
            logs: [own]
        )
        let message = ShownMessage(
            id: EventID(value: Bytes32(hashing: [1], domain: 1)),
            conversation: view.conversation,
            log: log,
            sequence: 1,
            time: WrittenTime(EventTime(raw: 0)),
            effective: 0,
            content: .text("Hi")
        )
        return (view, message)
    }

    /// People who are away for the same kind of reason share a sentence.
    @Test func oneReasonOfSeveralIsSaidOnce() {
        #expect(why([.peerOffline, .peerOffline, .peerOffline]) == "Bob, Cleo and Dan are offline")
        #expect(why([.peerOffline, .onItsWay, .peerOffline]) == "Bob and Dan are offline; on its way to Cleo")
    }

    /// A message does not wait for somebody who gets it next: its status agrees with the reason.
    @Test func whatIsOnItsWayIsBeingSent() {
        func status(_ reasons: [WaitReason?], refusedThrough: UInt64 = 0, isCutOff: Bool = false) -> MessageStatus? {
            let (view, message) = first(reasons, refusedThrough: refusedThrough)
            return view.status(of: message, isCutOff: isCutOff)
        }
        #expect(status([.onItsWay]) == .sending)
        #expect(status([.peerOffline, .onItsWay]) == .sending)
        #expect(status([.peerOffline]) == .staged && status([.notJoined]) == .staged && status([nil]) == .staged)
        #expect(status([.onItsWay], refusedThrough: 1) == .failed)
        for reason in [.refused, .leftOut, .excluded(by: bob)] as [WaitReason] {
            #expect(status([reason]) == .failed && status([reason], refusedThrough: 1) == .failed, "\(reason)")
        }
        // Without a network a link carries nothing, though it counts as up still.
        #expect(status([.onItsWay], isCutOff: true) == .staged)
        #expect(status([.refused], isCutOff: true) == .failed)
        // In a group it has failed once all refuse.
        #expect(status([.excluded(by: bob), .leftOut]) == .failed)
        #expect(status([.excluded(by: bob), .peerOffline]) == .staged && status([.leftOut, .onItsWay]) == .sending)
    }

    /// What has been refused itself and what was written after a refusal are one state, with one status and one sentence.
    @Test func aRefusalIsSaidAsTheStateIs() {
        for refused in [0, 1] as [UInt64] {
            let failed = why([.refused], refusedThrough: refused)
            #expect(failed == "Bob does not take your messages; this one is sent if Bob takes them again")
        }
        // After an exclusion that is the reason, and nothing else would help.
        let excluded = "Eve has excluded you from the workspace, so Bob takes nothing from you"
        #expect(why([.excluded(by: bob)]) == excluded && why([.excluded(by: bob)], refusedThrough: 1) == excluded)
        #expect(why([.leftOut], refusedThrough: 1) == "Bob is excluded from the workspace")
        #expect(why([.leftOut]) == "Bob is excluded from the workspace")
        let all = "Eve has excluded you from the workspace, so Bob and Cleo take nothing from you"
        #expect(why([.excluded(by: bob), .excluded(by: bob)]) == all)
        // In a group nobody refuses messages: others may hand over what he does not take from this node.
        #expect(why([.unreachable(.blocked)]) == "Bob does not take your messages")
    }

    /// A retry says where it can change nothing, and what would.
    @Test func aRetryThatChangesNothingSaysSo() throws {
        func error(_ reasons: [WaitReason?], futile: [Bool], cutOff: Phrase? = nil) -> ControlError? {
            var (delivery, message) = first(reasons)
            for (place, isFutile) in futile.enumerated() { delivery.recipients[place].isRetryFutile = isFutile }
            var peer = view()
            peer.delivery = delivery
            return Place.peer(peer).futility(of: message, cutOff: cutOff) { _ in "Bob" }
        }
        let blocked = try #require(error([.blocked(isInGroup: false)], futile: [true]))
        #expect(
            blocked.code == .blocked && blocked.message == "Another try would change nothing: you have blocked Bob."
        )
        #expect(blocked.advice.english.hasPrefix("To end that: parlance unblock "))
        #expect(error([.blocked(isInGroup: true), .peerOffline], futile: [true, false]) == nil, "somebody may get it")
        #expect(error([.blocked(isInGroup: true), .leftOut], futile: [true, true])?.code == .blocked)
        #expect(error([.leftOut], futile: [true])?.code == .notAllowed)
        #expect(error([.peerOffline], futile: [false]) == nil && error([.waitsForAcceptance], futile: [false]) == nil)
        let cutOff = try #require(MachineState().offline).message.withoutPeriod
        for reason in [.peerOffline, .waitsForAcceptance, .notLinked] as [WaitReason] {
            #expect(error([reason], futile: [false], cutOff: cutOff) != nil, "\(reason)")
        }
        let offline = try #require(error([.peerOffline], futile: [false], cutOff: cutOff))
        #expect(offline.message == "Another try would change nothing: \(cutOff).")
        #expect(error([.refused], futile: [false], cutOff: cutOff) == nil, "then it waits instead of having failed")
        // What the user's own block keeps back is not said to be refused, whatever was refused before.
        #expect(why([.blocked(isInGroup: false)], refusedThrough: 1) == "you have blocked Bob")
    }

    /// Without a network nothing is known of those who are not reached; what is known of others is said still.
    @Test func withoutANetworkAMessageWaitsForThat() throws {
        let cutOff = try #require(MachineState().offline).message.withoutPeriod
        let own = cutOff.english
        let lost = WaitReason.unreachable(.lost)
        #expect(why([.peerOffline], cutOff: cutOff) == own)
        #expect(why([.peerOffline]) == "Bob is offline")
        #expect(why([.onItsWay], cutOff: cutOff) == own, "a link that is not lost yet carries nothing")
        #expect(why([.peerOffline, lost, .peerOffline], cutOff: cutOff) == own)
        #expect(why([lost, .held([bob])], cutOff: cutOff) == "\(own); Eve holds it for Cleo")
        #expect(why([.waitsForAcceptance], cutOff: cutOff) == "Bob has been asked and has not accepted yet")
        #expect(
            why([.peerOffline, .blocked(isInGroup: false)], cutOff: cutOff) == "\(own); you have blocked Cleo"
        )
    }

    /// The user's membership ended, by an admin or because the user left on another copy.
    @Test func whyAMessageCountsForNobodyIsSaidAsItWas() {
        let (delivery, sent) = first([.peerOffline])
        var message = sent
        message.isVoid = true
        func why(_ by: PeerID?, _ message: ShownMessage) -> String? {
            let view = GroupView(
                conversation: delivery.conversation,
                title: "Crew",
                createdAs: "Crew",
                topic: "",
                members: [],
                isMember: by == nil,
                isAdmin: false,
                departure: by.map { GroupView.Departure(by: $0, time: 0) },
                departures: [],
                delivery: delivery,
                lifetime: LifetimeView(terms: LifetimeTerms(conversation: delivery.conversation)),
                overdue: [],
                doubtfulAfter: [:],
                events: 0
            )
            return Place.group(view).why(message, cutOff: nil) { _ in "Eve" }?.english
        }
        let other = delivery.recipients[0].peer
        #expect(why(other, message) == "an admin removed you from the group before receiving it")
        #expect(why(bob, message) == "you left the group before others received it")
        #expect(why(nil, message) == "you were no longer a member of the group when others received it")
        #expect(why(other, sent) == "Eve is offline")
    }

    /// A link within this computer carries messages without a network.
    @Test func whoIsLinkedWithinTheComputerLacksNoNetwork() throws {
        let cutOff = try #require(MachineState().offline).message.withoutPeriod
        let (delivery, message) = first([.onItsWay, .peerOffline])
        var view = delivery
        view.recipients[0].isLinkedWithinComputer = true
        let near = view.recipients[0].peer
        let why = view.why(message, cutOff: cutOff) { $0 == near ? "Bob" : "Cleo" }
        #expect(why?.english == "\(cutOff.english); on its way to Bob")
        #expect(view.status(of: message, isCutOff: true) == .sending)
        view.recipients[0].reason = .quotaUsed
        #expect(view.status(of: message, isCutOff: true) == .staged)
    }

    @Test func aPageOnAnotherPortIsTold() throws {
        func told(_ page: PageStanding) throws -> NodeStatus.Problem { try only(diagnosis { $0.page = page }) }
        for (fault, why) in [(EADDRINUSE, "another program has port 80"), (EACCES, "you may not use port 80")] {
            let problem = try told(.elsewhere(wanted: 80, port: 4001, fault: fault))
            #expect(problem.code == "page" && problem.severity == .note)
            #expect(
                problem.message.english == "Your page is at http://127.0.0.1:4001: \(why), which page-port names."
            )
            #expect(problem.advice.english.contains("End that program") == (fault == EADDRINUSE))
        }
        #expect(try told(.nowhere).severity == .problem)
        #expect(diagnosis { $0.page = .asWanted }.problems.isEmpty)
    }

    @Test func manyThatDoNotAnswerAreOneLine() throws {
        let hosts = (1...9).map { "10.0.0.\($0)" }
        let found = diagnosis { diagnosis in
            diagnosis.view.unanswered = silent(hosts) + silent(["10.0.1.1"], .refused)
            diagnosis.view.links = 1
        }
        let note = try only(found)
        #expect(note.severity == .note, "others are reached, so it is not this computer's firewall alone")
        let places = "10.0.0.1:4747, 10.0.0.2:4747, 10.0.0.3:4747, 10.0.0.4:4747 and 6 more"
        #expect(
            note.message == "10 nodes are in sight and do not answer: \(places) (timed out; connection refused)."
        )
        #expect(note.count == 10 && note.addresses?.count == ControlLimits.placesListed)
    }

    @Test func whileDiscoveryHasJustBegunNothingIsWrong() throws {
        let looking = diagnosis { diagnosis in
            diagnosis.view.sighted = 0
            diagnosis.lookedFor = ControlLimits.lookingMilliseconds - 1
        }
        #expect(looking.problems.isEmpty, "mDNS has not had its time yet")
        #expect(looking.looked.contains("mDNS works; looking for people for 9 s"))
        let late = diagnosis { diagnosis in
            diagnosis.view.sighted = 0
            diagnosis.lookedFor = ControlLimits.lookingMilliseconds
        }
        #expect(try only(late).code == "alone")
    }

    @Test func manyAddressesAreCounted() throws {
        let address = try #require(NumericAddress([172, 17, 0, 1]))
        let many = diagnosis {
            $0.machine.addresses = (1...184).map { MachineAddress(interface: "veth\($0)", address: address) }
        }
        let line = try #require(many.looked.first?.english)
        #expect(line.hasPrefix("this machine's addresses: 172.17.0.1 (veth1), ") && line.hasSuffix(" and 180 more"))
    }

    /// The clocks of others in milliseconds ahead of this machine's, and whose clock is said to be wrong.
    @Test(arguments: [
        ([Int64](repeating: 31_536_000_000, count: 5), "about 365 d behind those of 5 of 5 people", 0),
        ([-7_200_000, -7_200_000, 0], "about 2 h ahead of those of 2 of 3 people", 0),
        ([3_600_000, 3_600_000, -3_600_000], "about 1 h behind those of 2 of 3 people", 1),
        ([3_600_000], "", 1), ([3_600_000, -3_600_000], "", 2), ([3_600_000, 3_600_000, 0, 0], "", 2), ([0, 0], "", 0),
    ])
    func whoseClockIsWrong(_ skews: [Int64], _ own: String, _ others: Int) {
        let people = skews.map { DoctorView.Person(view: view(connected: true), skew: $0) }
        let found = diagnosis(people).problems
        #expect(found.allSatisfy { $0.code == "clock" })
        #expect(found.count { $0.about == nil } == (own.isEmpty ? 0 : 1), "\(found)")
        if !own.isEmpty { #expect(found.contains { $0.about == nil && $0.message.english.contains(own) }, "\(found)") }
        #expect(found.count { $0.about != nil } == others)
    }

    /// What the others' clocks say counts also where only one person is asked about.
    @Test func aClockIsJudgedByAllAlsoForOne() {
        let person = DoctorView.Person(view: view(connected: true), skew: 600_000)
        for (skews, isTheirs) in [([600_000, 600_000], false), ([600_000], true)] as [([Int64], Bool)] {
            let one = diagnosis([person]) { $0.view.skews = skews }
            #expect(one.findings(about: person).contains { $0.code == "clock" } == isTheirs)
        }
    }

    @Test func aFirewallHereThatDropsDiscoveryIsNamedForCertain() throws {
        let dropped = diagnosis { diagnosis in
            diagnosis.view.sighted = 0
            diagnosis.lookedFor = 0
            diagnosis.firewall = OwnFirewall(manager: .firewalld, discovery: .dropped, others: .dropped)
        }
        let problem = try only(dropped)
        #expect(problem.code == "firewall" && problem.severity == .problem)
        #expect(problem.message.english.hasPrefix("This computer's firewall (firewalld) drops mDNS, UDP 5353"))
        #expect(problem.advice == "'parlance doctor --fix' lets Parlance in.")
        let unknown = try only(
            diagnosis { diagnosis in
                diagnosis.firewall.discovery = .dropped
            }
        )
        #expect(unknown.severity == .problem, "somebody is in sight in another way, and nobody else is found")
        #expect(unknown.advice.english.hasPrefix("Let TCP 4747 to 4762 and UDP 5353 in"))
    }

    @Test func whoseFirewallIsTheLikeliestCause() throws {
        func advice(_ firewall: OwnFirewall, _ change: (inout Diagnosis) -> Void = { _ in }) throws -> String {
            try only(
                diagnosis { diagnosis in
                    diagnosis.view.unanswered = silent(["10.0.0.6"])
                    diagnosis.dialBack = nil
                    diagnosis.firewall = firewall
                    change(&diagnosis)
                }
            ).advice.english
        }
        let (own, others) = ("Most likely this computer's firewall", "Most likely the firewall there is closed")
        #expect(try advice(OwnFirewall(discovery: .open, others: .dropped)).hasPrefix(own))
        #expect(try advice(OwnFirewall(manager: .ufw, others: .dropped)).hasPrefix(own + " (ufw) is closed"))
        #expect(try advice(OwnFirewall(manager: .ufw)).hasPrefix(own), "it is on, and nothing shows what it lets in")
        #expect(try advice(OwnFirewall(manager: .ufw, others: .open)).hasPrefix(others))
        #expect(try advice(OwnFirewall()).hasPrefix(others))
        let closed = OwnFirewall(others: .dropped)
        #expect(try advice(closed) { $0.dialBack = DialBackView(peer: bob, outcome: .reached) }.hasPrefix(others))
    }

    @Test func anInterfaceWithoutMulticastIsNamed() throws {
        let off = diagnosis { diagnosis in
            diagnosis.view.sighted = 0
            diagnosis.machine.withoutMulticast = ["eth0"]
        }
        let problem = try only(off)
        #expect(problem.code == "multicast" && problem.message.english.hasPrefix("Multicast is switched off on eth0"))
        #expect(problem.advice.english.hasSuffix("sudo ip link set dev eth0 multicast on"))
    }

    /// Nodes in sight that this computer has no way to are not told to open their firewalls.
    @Test func nodesInSightAreToldByTheirCause() throws {
        func sights(_ failures: [DialFailure]) -> [NodeStatus.Problem] {
            diagnosis { diagnosis in
                diagnosis.view.unanswered = failures.enumerated().map { number, failure in
                    DoctorView.Unanswered(place: Endpoint(host: "10.0.9.\(number)", port: 4747), failure: failure)
                }
            }
            .problems
        }
        let mixed = sights([.timedOut, .networkUnreachable, .notPermitted, .refused])
        #expect(mixed.map(\.code) == ["unanswered", "unanswered", "unanswered"])
        #expect(mixed.map(\.count) == [2, 1, 1])
        #expect(mixed[0].advice.english.contains("firewall there") && mixed[1].advice.english.contains("ip route"))
        #expect(mixed[2].advice.english.contains("This machine's own firewall"))
    }
}
